// Leads from a link in a notice to its page below the secret path of this console. Only a browser that has been in the
// console knows that path: the console's own pages keep it, and no other port can read what they keep.
const home = localStorage.getItem('home')
const to = document.getElementById('go')?.dataset.to
if (home !== null && to !== undefined) location.replace(`${home}${to}`)

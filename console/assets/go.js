// Leads from a link in a notice to its page below the secret path of this console. Only a browser that has been in the
// console knows that path: the console's own pages keep it, and no other port can read what they keep. What another program
// has kept at this address leads nowhere else.
const home = localStorage.getItem('home')
const to = document.getElementById('go')?.dataset.to
const target = home === null || to === undefined ? undefined : new URL(`${home}${to}`, location.origin)
if (target?.origin === location.origin) location.replace(target.href)

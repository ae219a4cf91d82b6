// Keeps a page current: it follows the page's topic, and replaces the parts of the page that have changed. Without this script
// every page can be read and every form works.
const topic = document.body.dataset.topic
const status = document.getElementById('live')
/** Address of the overview. All pages are below it. */
const home = document.querySelector('.brand a')?.href
// A link in a notice finds this console by it (go.js).
if (home !== undefined) localStorage.setItem('home', home)

/** A part stays unchanged while the person types in it, or has selected text in it. */
function isInUse(part) {
  const selection = document.getSelection()
  const isMarked = selection !== null && !selection.isCollapsed && part.contains(selection.anchorNode)
  return isMarked || (part.contains(document.activeElement) && part.querySelector('input, select') !== null)
}

/** Replaces a part. Opened details, focus and scroll positions stay. */
function takeOver(old, fresh) {
  if (old.innerHTML === fresh.innerHTML || isInUse(old)) return
  const opened = [...old.querySelectorAll('details')].map(({ open }) => open)
  const focused = old.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null
  const scrolled = [...old.querySelectorAll('.wide')].map(({ scrollLeft }) => scrollLeft)
  old.replaceChildren(...fresh.childNodes)
  old.querySelectorAll('details').forEach((part, index) => {
    part.open = opened[index] ?? false
  })
  old.querySelectorAll('.wide').forEach((part, index) => {
    part.scrollLeft = scrolled[index] ?? 0
  })
  if (focused !== null) [...old.querySelectorAll('a')].find((link) => link.getAttribute('href') === focused)?.focus()
}

/** The switch for every digit stays as the person set it, on this and the next pages of the tab. */
function keepDigits() {
  const every = document.getElementById('every-digit')
  if (every !== null) every.checked = sessionStorage.getItem('every-digit') === 'on'
}
document.addEventListener('change', ({ target }) => {
  if (target.id === 'every-digit') sessionStorage.setItem('every-digit', target.checked ? 'on' : 'off')
})
keepDigits()

let isLoading = false
let mustLoadAgain = false

async function load() {
  mustLoadAgain = isLoading
  if (isLoading) return
  isLoading = true
  try {
    const response = await fetch(location.href, { redirect: 'error' })
    if (response.status === 401) {
      status.textContent = 'not updated: the session has ended. Run sluice console and open the link that it shows.'
      return hide?.()
    }
    if (!response.ok) {
      status.textContent = 'not updated: this cannot be read now. The page is as it was; load it again to see why.'
      return
    }
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html')
    const [known, others] = [parts(document), parts(fresh)]
    // A part that was added or removed changes the page as a whole.
    if ([...known.keys()].join() !== [...others.keys()].join()) {
      takeOver(document.getElementById('main'), fresh.getElementById('main'))
      keepDigits()
    }
    for (const [id, part] of parts(document)) if (others.has(id)) takeOver(part, others.get(id))
    status.textContent = `updated by itself, as of ${new Date().toISOString().slice(11, 19)} UTC`
  } catch {
    status.textContent = 'not updated: the console does not answer. The page is as it was.'
  } finally {
    isLoading = false
    if (mustLoadAgain) load()
  }
}

function parts(page) {
  return new Map([...page.querySelectorAll('[data-live]')].map((part) => [part.id, part]))
}

/** A browser opens at most six connections to a host, for all pages together. So at most four pages listen. */
const LISTENERS = ['live-1', 'live-2', 'live-3', 'live-4']
/** Time between two reads without listening, and before listening again. */
const POLL_MS = 5_000

/** Listens until `hidden` resolves. Reads the page every POLL_MS instead where too many pages listen already. */
async function follow(hidden) {
  for (const name of LISTENERS) {
    const hasListened = await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
      if (lock === null) return false
      let source
      let again
      const listen = () => {
        source = new EventSource(`${home}live?topic=${encodeURIComponent(topic)}`)
        // `live` comes also after a broken connection, so changes of the meantime are loaded at once.
        source.addEventListener('live', load)
        source.addEventListener('changed', load)
        source.addEventListener('error', () => {
          status.textContent = 'not updated: the connection is lost, and is tried again'
          // An answer that is not a stream, as from a console with too many pages, makes the browser stop trying.
          if (source.readyState !== EventSource.CLOSED) return
          again = setTimeout(listen, POLL_MS)
          load()
        })
      }
      listen()
      await hidden
      clearTimeout(again)
      source.close()
      return true
    })
    if (hasListened) return
  }
  await load()
  const timer = setInterval(load, POLL_MS)
  await hidden
  clearInterval(timer)
}

/** A hidden page holds no connection. */
let hide
function seenOrNot() {
  if (document.visibilityState === 'hidden') {
    hide?.()
    hide = undefined
  } else if (hide === undefined) {
    follow(
      new Promise((resolve) => {
        hide = resolve
      }),
    )
  }
}

if (topic !== undefined) {
  document.addEventListener('visibilitychange', seenOrNot)
  seenOrNot()
}

// The first state is in the middle of the drawing. If the drawing is wider than the screen, its left edge is empty.
for (const drawing of document.querySelectorAll('.wide:has(> .machine)')) {
  drawing.scrollLeft = (drawing.scrollWidth - drawing.clientWidth) / 2
}

/** A chosen file fills the text field that it names. Without this script people paste the file. */
for (const chosen of document.querySelectorAll('input[data-fills]')) {
  chosen.addEventListener('change', async () => {
    const [file] = chosen.files
    const field = document.getElementById(chosen.dataset.fills)
    if (file !== undefined && field !== null) field.value = decode(await file.arrayBuffer())
  })
}

/** By the byte order mark, which spreadsheets write before UTF-16; UTF-8 without one. */
function decode(content) {
  const [first, second] = new Uint8Array(content)
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding).decode(content)
}

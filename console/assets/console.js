// Keeps a page current: it listens for its topic, and takes over the parts of the page that have become other. Without it
// every page can be read and every form works.
const topic = document.body.dataset.topic
const status = document.getElementById('live')
/** The overview: all pages are under it. */
const home = document.querySelector('.brand a')?.href

/** A part is left as it is while somebody writes in it, or has marked text in it. */
function isInUse(part) {
  const selection = document.getSelection()
  const isMarked = selection !== null && !selection.isCollapsed && part.contains(selection.anchorNode)
  return isMarked || (part.contains(document.activeElement) && part.querySelector('input, select') !== null)
}

/** What was opened or focused stays so. */
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

let isLoading = false
let mustLoadAgain = false

async function load() {
  mustLoadAgain = isLoading
  if (isLoading) return
  isLoading = true
  try {
    const response = await fetch(location.href, { redirect: 'error' })
    if (response.status === 401) {
      status.textContent = 'not live: the session has ended. Run sluice console and open the link that it shows.'
      return hide?.()
    }
    if (!response.ok) {
      status.textContent = 'not live: this cannot be read now. The page is as it was; load it again to see why.'
      return
    }
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html')
    const [known, others] = [parts(document), parts(fresh)]
    // A part that came or went changes the page as a whole.
    if ([...known.keys()].join() !== [...others.keys()].join()) {
      takeOver(document.getElementById('main'), fresh.getElementById('main'))
    }
    for (const [id, part] of parts(document)) if (others.has(id)) takeOver(part, others.get(id))
    status.textContent = `live, as of ${new Date().toISOString().slice(11, 19)} UTC`
  } catch {
    status.textContent = 'not live: the console does not answer. The page is as it was.'
  } finally {
    isLoading = false
    if (mustLoadAgain) load()
  }
}

function parts(page) {
  return new Map([...page.querySelectorAll('[data-live]')].map((part) => [part.id, part]))
}

/** A browser keeps six connections to a host for all pages together: only so many of them are for listening. */
const LISTENERS = ['live-1', 'live-2', 'live-3', 'live-4']
const LOOK_MS = 5_000

/** Listens until `hidden` resolves; where too many pages listen already, looks now and then. */
async function follow(hidden) {
  for (const name of LISTENERS) {
    const hasListened = await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
      if (lock === null) return false
      let source
      let again
      const listen = () => {
        source = new EventSource(`${home}live?topic=${encodeURIComponent(topic)}`)
        // Also after a break: what has happened meanwhile is taken over at once.
        source.addEventListener('live', load)
        source.addEventListener('changed', load)
        source.addEventListener('error', () => {
          status.textContent = 'not live: the connection is lost, and is tried again'
          // An answer that is no stream, as of a console with too many pages, ends it for good: the browser gives up.
          if (source.readyState !== EventSource.CLOSED) return
          again = setTimeout(listen, LOOK_MS)
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
  const looks = setInterval(load, LOOK_MS)
  await hidden
  clearInterval(looks)
}

/** A page that nobody sees holds no connection. */
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

// A state machine begins in its middle: where the drawing is wider than the screen, there is nothing at its left edge.
for (const drawing of document.querySelectorAll('.wide:has(> .machine)')) {
  drawing.scrollLeft = (drawing.scrollWidth - drawing.clientWidth) / 2
}

// Checks a request before it reaches a page. The Host is this server's own address, the asking page is the console's
// own, the session is valid, and a form carries the session's token. It also sets the headers of every answer: content
// only from this server, and no frames.
import type { Socket } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { getCookie, setCookie } from 'hono/cookie'
import { secureHeaders } from 'hono/secure-headers'
import { html, type Markup } from '../views/html/markup.ts'
import { plainPage } from '../views/pages/layout.ts'
import type { Sessions } from './session.ts'

export type Doors = { Bindings: HttpBindings; Variables: { session: string } }

/** Maximum bytes of a form. The longest form has a reason of 500 characters and two ids. */
const BODY_BYTES = 16 * 1024
/** Maximum bytes of a form with a payout file of 1 MiB: a form may write each byte as three. */
const FILE_BODY_BYTES = 3 * 1024 * 1024 + BODY_BYTES
const FILE_FORMS = /\/policies\/[^/]+\/payouts$/

const NOBODY: string[] = []
const secure = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'"],
    connectSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
  xFrameOptions: 'DENY',
  // With `no-referrer` a browser would hide the Origin of the console's own forms.
  referrerPolicy: 'same-origin',
  permissionsPolicy: { camera: NOBODY, geolocation: NOBODY, microphone: NOBODY, payment: NOBODY },
  // The console uses HTTP, over which browsers ignore this header.
  strictTransportSecurity: false,
})

export const headers: MiddlewareHandler = async (context, next) => {
  await secure(context, next)
  context.res.headers.set('Cache-Control', 'no-store')
}

// These checks replace hono's csrf, which is weaker. It accepts a right Sec-Fetch-Site or a right Origin; here both must be
// right. It checks only forms and no pages, trusts any Host, and knows no session.
/** Refuses an outside name that leads to 127.0.0.1, because it is another host, and refuses pages of another origin. */
export function ownHostOnly(portOf: () => number): MiddlewareHandler {
  return async (context, next) => {
    const host = context.req.header('host') ?? ''
    const own = [`127.0.0.1:${portOf()}`, `localhost:${portOf()}`]
    if (!own.includes(host))
      return answer(context, 403, 'This is not an address of the console', howToForward(portOf()))
    const origin = context.req.header('origin')
    if (origin !== undefined && origin !== `http://${host}`)
      return refuse(context, 'Another page asked for this. The console answers its own pages only.')
    return next()
  }
}

/** A tunnel that gives the browser another host or port would let any page behind that name act as the console. */
function howToForward(port: number): Markup {
  return html`<p>The console answers at <code>127.0.0.1:${port}</code> and <code>localhost:${port}</code> only. A browser on
another machine reaches it by a tunnel that has the same port at both ends:</p>
<p><code>ssh -L ${port}:127.0.0.1:${port} MACHINE</code></p>
<p>An editor or a cloud shell that forwards ports does the same, where its local port is ${port} too. Then open the link of the
terminal unchanged, or press Enter there for a new one. If port ${port} is taken on your machine, start
<code>sluice console --port</code> with a number that is free on both.</p>`
}

/**
 * Admits only requests with a session. A page of another site cannot even link to a page of the console. `keep` is called
 * with each connection that has shown a session.
 */
export function sessionOnly(
  sessions: Sessions,
  portOf: () => number,
  keep: (socket: Socket) => void,
): MiddlewareHandler<Doors> {
  return async (context, next) => {
    const site = context.req.header('sec-fetch-site')
    if (site !== undefined && site !== 'same-origin' && site !== 'none')
      return refuse(context, 'Another page asked for this. The console answers its own pages only.')
    const session = sessions.find(getCookie(context, cookieName(portOf())))
    if (session === undefined) return needsLink(context)
    keep(context.env.incoming.socket)
    context.set('session', session)
    return next()
  }
}

/** The answer to a request without a session, whether or not its page exists. */
export function needsLink(context: Context): Response {
  const text = html`<p>This browser has no session, or its session has ended. Run <code>sluice console</code> in a
terminal and open the link that it shows. A link works once.</p>`
  return answer(context, 401, 'The console needs its link', text)
}

/**
 * Moves the links of a page under the secret path, because pages name each other from the root. Text of others cannot look
 * like a link here: the template has escaped its quotation marks.
 */
export function linksUnder(path: string): MiddlewareHandler {
  return async (context, next) => {
    await next()
    const { res } = context
    const location = res.headers.get('location')
    if (location?.startsWith('/') === true) res.headers.set('location', `${path}${location}`)
    if (res.headers.get('content-type')?.startsWith('text/html') !== true) return
    const page = (await res.text()).replace(/ (href|action)="\/(?!assets\/)/g, ` $1="${path}/`)
    context.res = new Response(page, res)
  }
}

/** Reads no more than its bound, even if a form does not give its length. */
export const shortFormsOnly: MiddlewareHandler = (context, next) =>
  (FILE_FORMS.test(context.req.path) ? fileForms : otherForms)(context, next)

const otherForms = formsWithin(BODY_BYTES, '16 KiB')
const fileForms = formsWithin(FILE_BODY_BYTES, '3 MiB')

function formsWithin(maxSize: number, text: string): MiddlewareHandler {
  const onError = (context: Context) =>
    answer(context, 413, 'The form is too long', html`<p>This form has at most ${text}.</p>`)
  return bodyLimit({ maxSize, onError })
}

/** Requires a form of this session's own pages for every change. */
export function formsOnly(sessions: Sessions): MiddlewareHandler<Doors> {
  return async (context, next) => {
    if (context.req.method === 'GET' || context.req.method === 'HEAD') return next()
    const { req } = context
    if (req.method !== 'POST') return answer(context, 405, 'Not a form', html`<p>The console takes GET and POST.</p>`)
    if (req.header('origin') === undefined) return refuse(context, 'A form names the page that it comes from.')
    if (!/^application\/x-www-form-urlencoded(;|$)/.test(req.header('content-type') ?? ''))
      return answer(context, 415, 'Not a form', html`<p>The console takes forms of its own pages.</p>`)
    // The body is parsed once, so a field that is sent several times must be kept here.
    const { token } = await req.parseBody({ all: true })
    if (typeof token === 'string' && sessions.isFormToken(context.get('session'), token)) return next()
    return refuse(context, 'The form is of another session. Load its page again.')
  }
}

/** Opens the link. The page continues by itself, because a redirect would count as coming from the page with the link. */
export function openLink(sessions: Sessions, portOf: () => number) {
  return (context: Context<Doors>) => {
    // Programs send a HEAD to see where a link leads. It opens nothing.
    const token = context.req.method === 'GET' ? context.req.param('token') : undefined
    const cookie = sessions.redeem(token ?? '')
    if (cookie === undefined) {
      const text = html`<p>A link works once, and a newer link replaces it. Run <code>sluice console</code> for
another.</p>`
      return answer(context, 403, 'This link was used', text)
    }
    const { path } = sessions
    setCookie(context, cookieName(portOf()), cookie, { httpOnly: true, sameSite: 'Strict', path })
    const text = html`<p><a href="${path}/">Continue to the overview.</a></p>`
    return context.html(plainPage('The console is open', text, { goesOnTo: `${path}/` }))
  }
}

/** The pages that a notice may link to. They show something, and change nothing. */
const LINKED = /^(?:runs\/[\w-]{1,80}(?:\/decide)?|intents\/[\w-]{1,80}|halt|queue)$/

/**
 * Answers a link in a notice. The link opens nothing by itself: the page has nothing about the account. Its script
 * continues only in a browser that has been in this console, and there the session is asked for.
 */
export function followNotice(portOf: () => number) {
  return (context: Context<Doors>) => {
    const to = context.req.path.slice('/go/'.length)
    if (!LINKED.test(to)) return needsLink(context)
    const text = html`<p id="go" data-to="${to}">This page needs a session of the console in this browser, and JavaScript. Run
<code>sluice console --port ${portOf()}</code> in a terminal, open the link that it shows, and then this page again.</p>`
    return context.html(plainPage('A page of your console', text, { script: '/assets/go.js' }))
  }
}

/** Two consoles of one host need two cookie names. */
function cookieName(port: number): string {
  return `sluice-console-${port}`
}

function refuse(context: Context, why: string): Response {
  return answer(context, 403, 'Refused', html`<p>${why}</p>`)
}

function answer(context: Context, status: 401 | 403 | 405 | 413 | 415, title: string, text: Markup): Response {
  return context.html(plainPage(title, text), status)
}

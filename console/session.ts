// Who may use the console: whoever opened the one-time link that the terminal showed. Owns the link's token, the session
// and the token of forms, all from a secret of this boot: a restart ends every session. And the secret path under which
// all pages are. It decides nothing else.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** A session ends after a working day, also where the browser stays open. */
const SESSION_MS = 12 * 3_600_000
const SECRET_BYTES = 32

export interface Sessions {
  /**
   * Such as `/Xk3…`, other for each boot. A browser sends a cookie to every port of its host, but only to paths under the
   * cookie's own: a server on another port cannot name this one, and so never gets the cookie.
   */
  readonly path: string
  /** The token of a new link. The link of before is good no more. */
  newToken(): string
  /** The value of a session's cookie, where the token is that of the link, once. */
  redeem(token: string): string | undefined
  /** The id of a session that is good now. */
  find(cookie: string | undefined): string | undefined
  /** What a form of this session carries. */
  formToken(session: string): string
  isFormToken(session: string, token: string): boolean
}

export function createSessions(nowMs: () => number): Sessions {
  const secret = randomBytes(SECRET_BYTES)
  const sign = (purpose: string, text: string) =>
    createHmac('sha256', secret).update(`${purpose}\n${text}`).digest('base64url')
  let token: string | undefined
  return {
    path: `/${randomBytes(SECRET_BYTES).toString('base64url')}`,
    newToken() {
      token = randomBytes(SECRET_BYTES).toString('base64url')
      return token
    },
    redeem(given) {
      if (token === undefined || !isSame(given, token)) return undefined
      token = undefined
      const session = `${randomBytes(16).toString('base64url')}.${nowMs() + SESSION_MS}`
      return `${session}.${sign('session', session)}`
    },
    find(cookie = '') {
      const [id = '', until = '', signature = '', ...more] = cookie.split('.')
      const session = `${id}.${until}`
      if (more.length > 0 || !isSame(signature, sign('session', session))) return undefined
      return nowMs() < Number(until) ? session : undefined
    },
    formToken: (session) => sign('form', session),
    isFormToken: (session, given) => isSame(given, sign('form', session)),
  }
}

/** In a time that does not tell how much of it fits. */
function isSame(given: string, right: string): boolean {
  const [left, other] = [Buffer.from(given), Buffer.from(right)]
  return left.length === other.length && timingSafeEqual(left, other)
}

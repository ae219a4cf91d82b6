// Decides who may use the console: the person who opened the one-time link from the terminal. Owns the link's token, the
// session, the token of forms, and the secret path of all pages. All come from a secret of this start, so a restart ends
// every session.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** A session ends after a working day, even if the browser stays open. */
const SESSION_MS = 12 * 3_600_000
const SECRET_BYTES = 32

export interface Sessions {
  /**
   * Such as `/Xk3…`, different for each start. A browser sends a cookie to every port of its host, but only below the
   * cookie's path. A server on another port does not know the path, so it never gets the cookie.
   */
  readonly path: string
  /** The token of a new link. It replaces the former link. */
  newToken(): string
  /** Returns the value of a session's cookie for the token of the link, once. Undefined for any other token. */
  redeem(token: string): string | undefined
  /** The id of a session that is valid now. */
  find(cookie: string | undefined): string | undefined
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

/** Compares in a time that is independent of where the texts differ. */
function isSame(given: string, right: string): boolean {
  const [left, other] = [Buffer.from(given), Buffer.from(right)]
  return left.length === other.length && timingSafeEqual(left, other)
}

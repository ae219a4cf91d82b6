// Counts requests against the rate limits per key and per account (description, "Limits"), in a fixed window of a
// minute unless a control call sets another. The description gives no figures; the defaults are far above accidental
// traffic.
import type { Limits } from './facts.ts'

export const WINDOW_SECONDS = 60
export const DEFAULT_LIMITS: Limits = { perKey: 1_000_000, perAccount: 2_000_000 }

export interface Allowance {
  readonly allowed: boolean
  /** RateLimit-* of the tighter limit, and Retry-After when it is used up. */
  readonly headers: Readonly<Record<string, string>>
}

export class RateLimit {
  #limits = DEFAULT_LIMITS
  #windowEndsMs = 0
  #ofAccount = 0
  readonly #ofKeys = new Map<string, number>()

  set(limits: Limits): void {
    this.#limits = limits
  }

  /** Counts a request of a key. Refused requests count too. */
  count(keyName: string, nowMs: number): Allowance {
    const windowMs = (this.#limits.windowSeconds ?? WINDOW_SECONDS) * 1_000
    // The second condition covers a clock that was set back: a window never ends later than its length from now.
    if (nowMs >= this.#windowEndsMs || nowMs < this.#windowEndsMs - windowMs) {
      this.#windowEndsMs = nowMs + windowMs
      this.#ofAccount = 0
      this.#ofKeys.clear()
    }
    const ofKey = (this.#ofKeys.get(keyName) ?? 0) + 1
    this.#ofKeys.set(keyName, ofKey)
    this.#ofAccount += 1
    const keyLeft = this.#limits.perKey - ofKey
    const accountLeft = this.#limits.perAccount - this.#ofAccount
    const [limit, left] =
      keyLeft <= accountLeft ? [this.#limits.perKey, keyLeft] : [this.#limits.perAccount, accountLeft]
    const allowed = left >= 0
    return { allowed, headers: rateLimitHeaders(limit, allowed ? left : 0, this.#windowEndsMs - nowMs, !allowed) }
  }
}

export function rateLimitHeaders(
  limit: number,
  left: number,
  resetMs: number,
  exceeded: boolean,
): Record<string, string> {
  const reset = String(Math.ceil(resetMs / 1000))
  const headers = { 'ratelimit-limit': String(limit), 'ratelimit-remaining': String(left), 'ratelimit-reset': reset }
  return exceeded ? { ...headers, 'retry-after': reset } : headers
}

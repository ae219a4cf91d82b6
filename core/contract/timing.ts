// Defines the `timing` part of treasury.json: every wait and bound of the movement protocol, with its default. Computes only
// the longest fence; core/journal/fence.ts computes the fence of a send.
import * as z from 'zod/mini'

const whole = (least: number, most: number, fallback: number) =>
  z._default(z.int(`a whole number from ${least} to ${most}`).check(z.gte(least), z.lte(most)), fallback)

/**
 * Seconds that we wait for an answer. The service may still work on the request after that. A movement therefore gets
 * at least the same time again to become visible: a shorter visibility could end as soon as we stop waiting.
 */
export const LISTENING_SECONDS = 15

/** Seconds between two reads of a bank payout, after the waits that every withdrawal has are used up. */
export const BANK_POLL_WAIT_SECONDS = 3_600

export const timing = z.strictObject({
  /** Life of a signed token in seconds, `exp - iat`. The service's limit is 60. */
  tokenLifeSeconds: whole(5, 60, 30),
  /** L: seconds after `exp` in which the service might still accept a token. */
  leewaySeconds: whole(0, 600, 60),
  /** Δ: seconds in which an accepted withdrawal might still be missing from the lists. */
  visibilitySeconds: whole(LISTENING_SECONDS, 600, 60),
  /** Δo: seconds in which an accepted order might still be unreadable by its id. */
  orderVisibilitySeconds: whole(LISTENING_SECONDS, 600, 60),
  /** Milliseconds. A quote with less life left is replaced before anything is sent. */
  quoteMarginMs: whole(0, 4000, 500),
  /** Maximum attempts of one intent, each with a quote of its own. */
  attempts: whole(1, 20, 5),
  /** Life in seconds of an intent that names no `notAfter`. */
  intentLifeSeconds: whole(30, 86_400, 900),
  /** Seconds for which a step keeps reading inside the function before it leaves the wait to the state machine. */
  pollInsideSeconds: whole(0, 20, 5),
  /**
   * Seconds of the first wait before a step reads again. Each further wait is twice as long, up to the longest. The
   * default costs as much function time as one round of the state machine.
   */
  pollFirstWaitSeconds: whole(1, 600, 25),
  pollLongestWaitSeconds: whole(1, 3600, 120),
  /** Maximum waits before a run ends STUCK. */
  pollWaits: whole(0, 500, 40),
  /**
   * Hours after its send in which a bank payout may be on its way before a person is called. The default is three
   * business days with a weekend between. 0: no longer than any other withdrawal.
   */
  bankPayoutHours: whole(0, 336, 120),
})
export type Timing = z.infer<typeof timing>

/**
 * Longest time in seconds from the signature of a send to its fence, if nothing but the signature is known. The default
 * `visibilitySeconds` covers both kinds of movement.
 */
export function longestFenceSeconds(
  { tokenLifeSeconds, leewaySeconds, ...shown }: Timing,
  visibilitySeconds = Math.max(shown.visibilitySeconds, shown.orderVisibilitySeconds),
): number {
  return tokenLifeSeconds + leewaySeconds + LISTENING_SECONDS + visibilitySeconds
}

// The `timing` part of treasury.json: every wait and bound of the movement protocol, with its default.
import * as z from 'zod/mini'

const whole = (least: number, most: number, fallback: number) =>
  z._default(z.int(`a whole number from ${least} to ${most}`).check(z.gte(least), z.lte(most)), fallback)

/**
 * How long an answer is listened for. A service may go on working on a request after that, so a movement must be
 * given at least as long again to show: a shorter visibility would be over when we have only just stopped listening.
 */
export const LISTENING_SECONDS = 15

/** Between two looks at a payout to a bank, once the waits of every withdrawal are over. */
export const BANK_POLL_WAIT_SECONDS = 3_600

export const timing = z.strictObject({
  /** Life of a signed token, `exp - iat`. The service's limit is 60. */
  tokenLifeSeconds: whole(5, 60, 30),
  /** L: how long after `exp` the service might still accept a token. */
  leewaySeconds: whole(0, 600, 60),
  /** Delta: how long an accepted withdrawal might be worked on, and stay out of the lists. */
  visibilitySeconds: whole(LISTENING_SECONDS, 600, 60),
  /** Delta-o: how long an accepted order might be worked on, and stay unreadable by its id. */
  orderVisibilitySeconds: whole(LISTENING_SECONDS, 600, 60),
  /** A quote with less life left than this is replaced before anything is sent. */
  quoteMarginMs: whole(0, 4000, 500),
  /** Attempts of one intent, each with a quote of its own. */
  attempts: whole(1, 20, 5),
  /** Life of an intent that names no `notAfter`. */
  intentLifeSeconds: whole(30, 86_400, 900),
  /** How long a step that sends, or looks again, looks inside the function before it leaves the wait to the state machine. */
  pollInsideSeconds: whole(0, 20, 5),
  /**
   * The first wait before a step looks again; each further one is twice as long, up to the longest. The default is as much
   * time of a function as a round of the state machine costs.
   */
  pollFirstWaitSeconds: whole(1, 600, 25),
  pollLongestWaitSeconds: whole(1, 3600, 120),
  /** Waits between looks before a run ends STUCK. */
  pollWaits: whole(0, 500, 40),
  /**
   * Hours from its send in which a payout to a bank account may be on its way before a person is called. The default is
   * three business days with a weekend between. 0: no longer than any other withdrawal.
   */
  bankPayoutHours: whole(0, 336, 120),
})
export type Timing = z.infer<typeof timing>

/** From the signature of a send to its fence at most: nothing is known of it but that it was signed. Of either kind, unless a visibility is given. */
export function longestFenceSeconds(
  {
    tokenLifeSeconds,
    leewaySeconds,
    ...shown
  }: Pick<Timing, 'tokenLifeSeconds' | 'leewaySeconds' | 'visibilitySeconds' | 'orderVisibilitySeconds'>,
  visibilitySeconds = Math.max(shown.visibilitySeconds, shown.orderVisibilitySeconds),
): number {
  return tokenLifeSeconds + leewaySeconds + LISTENING_SECONDS + visibilitySeconds
}

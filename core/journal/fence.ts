// The fence of an attempt: a moment in service time. Past it the last copy of the signed request can no longer be
// accepted, and one that was accepted would be visible. Before it, absence proves nothing. Pure.
import { LISTENING_SECONDS, type Timing } from '../contract/timing.ts'
import type { SendFacts } from '../service/ports.ts'

/** What a fence is made of. */
export interface FenceTiming {
  /** How long after `exp` a token might still be accepted. */
  readonly leewaySeconds: number
  /** How long what was accepted might be worked on, and stay out of sight. */
  readonly visibilitySeconds: number
}

/** What the fence of any attempt goes by. */
export interface FencedAttempt extends Pick<SendFacts, 'exp'> {
  /** ISO-8601, service time: when an answer came. Absent where none did, or nobody wrote it down. */
  readonly listenedUntil?: string
  /** As configured when it was armed; absent as long as it is not. */
  readonly fenceTiming?: FenceTiming
}

export type FencedOrder = FencedAttempt & { readonly quoteExpiresAt: string | null }

/** What an order armed now is to be written down with. */
export function orderFenceTiming(timing: Pick<Timing, 'leewaySeconds' | 'orderVisibilitySeconds'>): FenceTiming {
  return { leewaySeconds: timing.leewaySeconds, visibilitySeconds: timing.orderVisibilitySeconds }
}

/** What a withdrawal armed now is to be written down with. */
export function withdrawalFenceTiming(timing: Pick<Timing, 'leewaySeconds' | 'visibilitySeconds'>): FenceTiming {
  return { leewaySeconds: timing.leewaySeconds, visibilitySeconds: timing.visibilitySeconds }
}

/** Epoch ms, service time. */
export function orderFenceMs(
  attempt: FencedOrder,
  timing: Pick<Timing, 'leewaySeconds' | 'orderVisibilitySeconds'>,
): number {
  const longest = longestTiming(attempt, orderFenceTiming(timing))
  return lastWorkMs(attempt, orderDeadMs(attempt, longest)) + longest.visibilitySeconds * 1000
}

/**
 * A copy of an order can be accepted only while its token and its quote are both alive; an
 * unknown quote life counts as endless. Epoch ms, service time.
 */
export function orderDeadMs(
  attempt: Pick<FencedOrder, 'exp' | 'quoteExpiresAt'>,
  timing: Pick<Timing, 'leewaySeconds'>,
): number {
  const tokenDeadMs = (attempt.exp + timing.leewaySeconds) * 1000
  const quoteDeadMs = attempt.quoteExpiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(attempt.quoteExpiresAt)
  return Math.min(tokenDeadMs, quoteDeadMs)
}

/** A withdrawal has no quote to die with: a copy lives as long as its token. Epoch ms, service time. */
export function withdrawalFenceMs(
  attempt: FencedAttempt,
  timing: Pick<Timing, 'leewaySeconds' | 'visibilitySeconds'>,
): number {
  const longest = longestTiming(attempt, withdrawalFenceTiming(timing))
  return lastWorkMs(attempt, withdrawalDeadMs(attempt, longest)) + longest.visibilitySeconds * 1000
}

/** From when on no copy of a withdrawal is accepted. Epoch ms, service time. */
export function withdrawalDeadMs(attempt: Pick<SendFacts, 'exp'>, timing: Pick<Timing, 'leewaySeconds'>): number {
  return (attempt.exp + timing.leewaySeconds) * 1000
}

/** The same of what would be signed by `nowMs`: the latest that it could be. */
export function nextDeadMs(nowMs: number, timing: Pick<Timing, 'leewaySeconds' | 'tokenLifeSeconds'>): number {
  return nowMs + (timing.tokenLifeSeconds + timing.leewaySeconds) * 1000
}

/** Takes the longer of both settings: those of when it was armed, and those of now. */
export function longestTiming({ fenceTiming: then }: FencedAttempt, now: FenceTiming): FenceTiming {
  return {
    leewaySeconds: Math.max(now.leewaySeconds, then?.leewaySeconds ?? 0),
    visibilitySeconds: Math.max(now.visibilitySeconds, then?.visibilitySeconds ?? 0),
  }
}

/**
 * From when on the service can only be working on what it has accepted: no copy is alive, and the sender has
 * stopped listening. Where no answer came, it may have sent as late as a copy is accepted, and listened from then on.
 */
function lastWorkMs({ listenedUntil }: FencedAttempt, deadMs: number): number {
  return listenedUntil === undefined ? deadMs + LISTENING_SECONDS * 1000 : Math.max(deadMs, Date.parse(listenedUntil))
}

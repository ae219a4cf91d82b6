// The fence of an attempt is a moment in service time. After the fence, no copy of the signed request can be accepted
// any more, and an accepted copy would be visible. Before the fence, a missing row proves nothing. Pure.
import { LISTENING_SECONDS, type Timing } from '../contract/timing.ts'
import type { SendFacts } from '../service/ports.ts'

export interface FenceTiming {
  /** Seconds after `exp` in which a token might still be accepted. */
  readonly leewaySeconds: number
  /** Seconds in which an accepted request might still be invisible. */
  readonly visibilitySeconds: number
}

interface FencedAttempt extends Pick<SendFacts, 'exp'> {
  /** ISO-8601, service time: when the answer came. Absent: there was no answer, or nobody recorded its time. */
  readonly listenedUntil?: string
  /** Settings when the attempt was armed. Absent before that. */
  readonly fenceTiming?: FenceTiming
}

type FencedOrder = FencedAttempt & { readonly quoteExpiresAt: string | null }

/** The settings that an order records when it is armed. */
export function orderFenceTiming(timing: Pick<Timing, 'leewaySeconds' | 'orderVisibilitySeconds'>): FenceTiming {
  return { leewaySeconds: timing.leewaySeconds, visibilitySeconds: timing.orderVisibilitySeconds }
}

/** The settings that a withdrawal records when it is armed. */
export function withdrawalFenceTiming(timing: Pick<Timing, 'leewaySeconds' | 'visibilitySeconds'>): FenceTiming {
  return { leewaySeconds: timing.leewaySeconds, visibilitySeconds: timing.visibilitySeconds }
}

/** Fence of an order: epoch ms, service time. */
export function orderFenceMs(
  attempt: FencedOrder,
  timing: Pick<Timing, 'leewaySeconds' | 'orderVisibilitySeconds'>,
): number {
  const longest = longestTiming(attempt, orderFenceTiming(timing))
  return lastWorkMs(attempt, orderDeadMs(attempt, longest)) + longest.visibilitySeconds * 1000
}

/**
 * Epoch ms, service time, after which no copy of an order is accepted. A copy needs a live token and a live quote. An
 * unknown life of the quote counts as endless.
 */
export function orderDeadMs(
  attempt: Pick<FencedOrder, 'exp' | 'quoteExpiresAt'>,
  timing: Pick<Timing, 'leewaySeconds'>,
): number {
  const tokenDeadMs = (attempt.exp + timing.leewaySeconds) * 1000
  const quoteDeadMs = attempt.quoteExpiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(attempt.quoteExpiresAt)
  return Math.min(tokenDeadMs, quoteDeadMs)
}

/** Fence of a withdrawal: epoch ms, service time. Without a quote, a copy lives as long as its token. */
export function withdrawalFenceMs(
  attempt: FencedAttempt,
  timing: Pick<Timing, 'leewaySeconds' | 'visibilitySeconds'>,
): number {
  const longest = longestTiming(attempt, withdrawalFenceTiming(timing))
  return lastWorkMs(attempt, withdrawalDeadMs(attempt, longest)) + longest.visibilitySeconds * 1000
}

/** Epoch ms, service time, after which no copy of a withdrawal is accepted. */
export function withdrawalDeadMs(attempt: Pick<SendFacts, 'exp'>, timing: Pick<Timing, 'leewaySeconds'>): number {
  return (attempt.exp + timing.leewaySeconds) * 1000
}

/** Returns the same moment for a request signed at `nowMs` with the longest token life. */
export function nextDeadMs(nowMs: number, timing: Timing): number {
  return nowMs + (timing.tokenLifeSeconds + timing.leewaySeconds) * 1000
}

/** Takes the longer of both settings: when the attempt was armed, and now. */
export function longestTiming({ fenceTiming: then }: FencedAttempt, now: FenceTiming): FenceTiming {
  return {
    leewaySeconds: Math.max(now.leewaySeconds, then?.leewaySeconds ?? 0),
    visibilitySeconds: Math.max(now.visibilitySeconds, then?.visibilitySeconds ?? 0),
  }
}

/**
 * Epoch ms after which the service can only work on what it has already accepted: no copy is alive, and the sender no
 * longer listens. Without an answer, the last copy may arrive just before it dies, and the sender then listens for
 * LISTENING_SECONDS more.
 */
function lastWorkMs({ listenedUntil }: FencedAttempt, deadMs: number): number {
  return listenedUntil === undefined ? deadMs + LISTENING_SECONDS * 1000 : Math.max(deadMs, Date.parse(listenedUntil))
}

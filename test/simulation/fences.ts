// The end of the doubt about a sent attempt as the protocol promises it, in service time: computed here by
// itself, so that the product's own reckoning is held against it.
import type { IntentKind } from '../../core/contract/records.ts'
import type { Timing } from '../../core/contract/timing.ts'
import { PATIENCE_MS } from './network.ts'

/** What is told of an attempt as it was armed, and of what was heard of it. */
export interface WitnessedAttempt {
  readonly nonce: string
  readonly kid: string
  readonly account?: string
  readonly iat: number
  readonly exp: number
  readonly quoteExpiresAt?: string | null
  readonly said?: { readonly code: string }
}

/** From when on no copy of what an attempt sent is accepted. */
export function deadMs({ exp, quoteExpiresAt }: WitnessedAttempt, timing: Timing): number {
  const tokenDeadMs = (exp + timing.leewaySeconds) * 1000
  const quoteDeadMs = quoteExpiresAt ? Date.parse(quoteExpiresAt) : Number.POSITIVE_INFINITY
  return Math.min(tokenDeadMs, quoteDeadMs)
}

/** Of a send, as it was. Service times. */
export interface Listening {
  readonly sentMs: number
  /** When its answer came, or nobody listened any more. Absent of a process that died, or is at it still. */
  readonly heardMs?: number
}

export function fenceMs(
  kind: IntentKind,
  attempt: WitnessedAttempt,
  timing: Timing,
  listening: Listening | undefined,
): number {
  const visibilitySeconds = kind === 'convert' ? timing.orderVisibilitySeconds : timing.visibilitySeconds
  return Math.max(deadMs(attempt, timing), listenedMs(attempt, timing, listening)) + visibilitySeconds * 1000
}

/** By when nobody listens any more: as it was, and not as was written down of it. */
function listenedMs(attempt: WitnessedAttempt, timing: Timing, listening: Listening | undefined): number {
  if (listening === undefined) return attempt.iat * 1000
  // What is sent after its end is not accepted, so nobody works on it.
  const { sentMs, heardMs = sentMs + PATIENCE_MS } = listening
  return sentMs < deadMs(attempt, timing) ? Math.min(heardMs, sentMs + PATIENCE_MS) : attempt.iat * 1000
}

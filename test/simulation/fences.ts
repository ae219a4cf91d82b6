// Computes in service time when the protocol promises the end of the doubt about a sent attempt. The computation is
// independent of the product's, which is compared with it.
import type { IntentKind } from '../../core/contract/records.ts'
import type { Timing } from '../../core/contract/timing.ts'
import { ANSWER_TIMEOUT_MS } from './network.ts'

/** The record of an armed attempt, and what was heard about it. */
export interface WitnessedAttempt {
  readonly nonce: string
  readonly kid: string
  readonly account?: string
  readonly iat: number
  readonly exp: number
  readonly quoteExpiresAt?: string | null
  readonly said?: { readonly code: string }
}

/** The time from which the service accepts no copy of an attempt. */
export function deadMs({ exp, quoteExpiresAt }: WitnessedAttempt, timing: Timing): number {
  const tokenDeadMs = (exp + timing.leewaySeconds) * 1000
  const quoteDeadMs = quoteExpiresAt ? Date.parse(quoteExpiresAt) : Number.POSITIVE_INFINITY
  return Math.min(tokenDeadMs, quoteDeadMs)
}

/** The times of a real send, in service time. */
export interface Listening {
  readonly sentMs: number
  /** When its answer arrived, or its sender stopped listening. Absent if the process died or is still listening. */
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

/** When the sender stops listening: by the real times, and not by what the record says. */
function listenedMs(attempt: WitnessedAttempt, timing: Timing, listening: Listening | undefined): number {
  if (listening === undefined) return attempt.iat * 1000
  // The service does not accept a send after its end, so nothing works on it.
  const { sentMs, heardMs = sentMs + ANSWER_TIMEOUT_MS } = listening
  return sentMs < deadMs(attempt, timing) ? Math.min(heardMs, sentMs + ANSWER_TIMEOUT_MS) : attempt.iat * 1000
}

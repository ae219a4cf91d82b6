// The end of the doubt about a sent attempt as the protocol promises it, in service time: computed here by
// itself, so that the product's own reckoning is held against it.
import type { IntentKind } from '../../functions/contract/records.ts'
import type { Timing } from '../../functions/contract/timing.ts'
import { PATIENCE_MS } from './network.ts'

/** What is told of an attempt as it was armed, and of what was heard of it. */
export interface WitnessedAttempt {
  readonly nonce: string
  readonly kid: string
  readonly account?: string
  readonly iat: number
  readonly exp: number
  readonly quoteExpiresAt?: string | null
  readonly listenedUntil?: string
  readonly said?: { readonly code: string }
}

/** From when on no copy of what an attempt sent is accepted. */
export function deadMs({ exp, quoteExpiresAt }: WitnessedAttempt, timing: Timing): number {
  const tokenDeadMs = (exp + timing.leewaySeconds) * 1000
  const quoteDeadMs = quoteExpiresAt ? Date.parse(quoteExpiresAt) : Number.POSITIVE_INFINITY
  return Math.min(tokenDeadMs, quoteDeadMs)
}

export function fenceMs(kind: IntentKind, attempt: WitnessedAttempt, timing: Timing): number {
  const visibilitySeconds = kind === 'convert' ? timing.orderVisibilitySeconds : timing.visibilitySeconds
  const { iat, listenedUntil } = attempt
  // Whoever said nothing of when it stopped listening had stopped by the end of its patience.
  const listenedMs = listenedUntil === undefined ? iat * 1000 + PATIENCE_MS : Date.parse(listenedUntil)
  return Math.max(deadMs(attempt, timing), listenedMs) + visibilitySeconds * 1000
}

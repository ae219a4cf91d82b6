// The fence: the service time past which the last copy of a signed request can no longer be
// accepted and an accepted one would be visible. Before it, absence proves nothing.
import type { Timing } from '../../contract/timing.ts'
import type { SendFacts } from '../service/ports.ts'

/** Epoch ms, service time. */
export function orderFenceMs(
  attempt: Pick<SendFacts, 'exp'> & { readonly quoteExpiresAt: string | null },
  timing: Pick<Timing, 'leewaySeconds' | 'orderVisibilitySeconds'>,
): number {
  return orderDeadMs(attempt, timing) + timing.orderVisibilitySeconds * 1000
}

/**
 * A copy of an order can be accepted only while its token and its quote are both alive; an
 * unknown quote life counts as endless (design, section 3). Epoch ms, service time.
 */
export function orderDeadMs(
  attempt: Pick<SendFacts, 'exp'> & { readonly quoteExpiresAt: string | null },
  timing: Pick<Timing, 'leewaySeconds'>,
): number {
  const tokenDeadMs = (attempt.exp + timing.leewaySeconds) * 1000
  const quoteDeadMs = attempt.quoteExpiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(attempt.quoteExpiresAt)
  return Math.min(tokenDeadMs, quoteDeadMs)
}

/** A withdrawal has no quote to die with: a copy lives as long as its token. Epoch ms, service time. */
export function withdrawalFenceMs(
  attempt: Pick<SendFacts, 'exp'>,
  timing: Pick<Timing, 'leewaySeconds' | 'visibilitySeconds'>,
): number {
  return (attempt.exp + timing.leewaySeconds + timing.visibilitySeconds) * 1000
}

/** From when on no copy of a withdrawal is accepted. Epoch ms, service time. */
export function withdrawalDeadMs(attempt: Pick<SendFacts, 'exp'>, timing: Pick<Timing, 'leewaySeconds'>): number {
  return (attempt.exp + timing.leewaySeconds) * 1000
}

/** The same of what would be signed by `nowMs`: the latest that it could be. */
export function nextDeadMs(nowMs: number, timing: Pick<Timing, 'leewaySeconds' | 'tokenLifeSeconds'>): number {
  return nowMs + (timing.tokenLifeSeconds + timing.leewaySeconds) * 1000
}

// Makes the facts of the attempt that an intent's record keeps: what was signed, what the service answered, and how its
// fence is computed. Pure.
import type { Timing } from '../../core/contract/timing.ts'
import {
  longestTiming,
  orderDeadMs,
  orderFenceMs,
  orderFenceTiming,
  withdrawalDeadMs,
  withdrawalFenceMs,
  withdrawalFenceTiming,
} from '../../core/journal/fence.ts'
import type { Intent, OrderAttempt, WithdrawalAttempt } from '../../core/journal/intent.ts'
import type { AnsweredFact, DoubtFact, FenceFacts, QuotedFact, SentFact } from './facts.ts'

export type Tried = OrderAttempt | WithdrawalAttempt

export function movementOf(intent: Pick<Intent, 'kind'>): 'order' | 'withdrawal' {
  return intent.kind === 'convert' ? 'order' : 'withdrawal'
}

export function isOrder(attempt: Tried): attempt is OrderAttempt {
  return 'orderId' in attempt
}

export function quotedOf({ orderId, terms, quoteExpiresAt }: OrderAttempt, attempt?: number): QuotedFact {
  return { fact: 'quoted', ...numbered(attempt), orderId, terms, expiresAt: quoteExpiresAt }
}

export function sentOf(intent: Pick<Intent, 'kind' | 'ref'>, tried: Tried, attempt?: number): SentFact {
  const { iat, exp, nonce, kid: key } = tried
  return {
    fact: 'sent',
    at: iso(iat * 1000),
    ...numbered(attempt),
    ...(isOrder(tried) ? { orderId: tried.orderId } : { knownRows: tried.known.length }),
    nonce,
    key,
    tokenEndsAt: iso(exp * 1000),
    movement: movementOf(intent),
    isCertain: tried.said !== undefined || intent.ref !== undefined,
  }
}

/**
 * Undefined where a proven movement has no recorded answer. The service then accepted the request, or no answer came,
 * as the proof says.
 */
export function answeredOf({ ref }: Pick<Intent, 'ref'>, tried: Tried): AnsweredFact | undefined {
  const { said, listenedUntil } = tried
  if (said === undefined) return ref === undefined ? { fact: 'answered', answer: 'not recorded' } : undefined
  const { code, status, text } = said
  return {
    fact: 'answered',
    ...(listenedUntil !== undefined && { at: listenedUntil }),
    answer: answerOf(tried),
    code,
    ...(status !== undefined && { status }),
    text,
  }
}

function answerOf(tried: Tried): AnsweredFact['answer'] {
  if (!isOrder(tried) && tried.accepted === true) return 'accepted unread'
  const { said } = tried
  if (said?.status === undefined) return 'none'
  if (said.keyAtFault === true) return 'key refused'
  return said.business ? 'refused' : 'failed'
}

/** Uses the longer of the timing now and the timing at ARM, as the steps do. */
export function doubtOf(intent: Pick<Intent, 'kind'>, tried: Tried, timing: Timing): DoubtFact {
  const untilMs = isOrder(tried) ? orderFenceMs(tried, timing) : withdrawalFenceMs(tried, timing)
  return { fact: 'doubt', until: iso(untilMs), movement: movementOf(intent), fence: fenceFactsOf(tried, timing) }
}

function fenceFactsOf(tried: Tried, timing: Timing): FenceFacts {
  const { listenedUntil } = tried
  const now = isOrder(tried) ? orderFenceTiming(timing) : withdrawalFenceTiming(timing)
  const longest = longestTiming(tried, now)
  const deadMs = isOrder(tried) ? orderDeadMs(tried, longest) : withdrawalDeadMs(tried, longest)
  return {
    lastCopyDeadAt: iso(deadMs),
    ...(listenedUntil !== undefined && { listenedUntil }),
    visibilitySeconds: longest.visibilitySeconds,
  }
}

/** The number of the attempt in the record, where the state says which it is. */
export function numberOf(intent: Pick<Intent, 'state' | 'attemptNumber'>): number | undefined {
  return ['ARMED', 'DONE', 'ESCALATED'].includes(intent.state) ? intent.attemptNumber : undefined
}

export function numbered(attempt: number | undefined): { readonly attempt?: number } {
  return attempt === undefined ? {} : { attempt }
}

export function iso(ms: number): string {
  return new Date(ms).toISOString()
}

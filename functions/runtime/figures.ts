// Measures one call about a movement, from its answer and from the journal's records that it used. Here and in
// run-wiring.ts an amount becomes a number, for people to look at. Decides nothing. Pure.
import { secondsSince } from '../../core/clock.ts'
import { ConvertEnd, ConvertStep, GuardCode, WithdrawEnd } from '../../core/contract/outcomes.ts'
import { INLINE } from '../../core/contract/policies.ts'
import { IntentKind, IntentState } from '../../core/contract/records.ts'
import { type Intent, isConversion } from '../../core/journal/intent.ts'
import { AmountError, type Decimal, formatDecimal } from '../../core/money/decimal.ts'
import { slippageOf } from '../../core/movements/conversion/slippage.ts'
import type { Measured } from './log.ts'
import { type Answer, type Observation, ownerOf } from './observation.ts'

export const MOVED: ReadonlySet<string> = new Set([ConvertEnd.Filled, WithdrawEnd.Completed])
const MOVEMENT_ENDS: ReadonlySet<string> = new Set([...Object.values(ConvertEnd), ...Object.values(WithdrawEnd)])

export function measuredOf(verb: string, answer: Answer, seen: Observation, nowMs: number): Measured {
  if (seen.measureRun !== undefined) return seen.measureRun(verb, answer, nowMs)
  return seen.intent === undefined ? { values: {} } : ofMovement(answer, seen.intent, seen.first, nowMs)
}

function ofMovement(answer: Answer, intent: Intent, first: Intent | undefined, nowMs: number): Measured {
  const { outcome, guardedBy } = answer
  const isEnd = MOVEMENT_ENDS.has(outcome)
  const slippage = isEnd ? measuredSlippage(answer, intent) : undefined
  const doubtMs =
    first?.state === IntentState.Armed && intent.state !== IntentState.Armed ? doubtSince(first) : undefined
  return {
    dimensions: {
      Kind: isConversion(intent) ? IntentKind.Convert : IntentKind.Withdraw,
      Outcome: outcome,
      ...namedPolicy(intent),
    },
    values: {
      ...(isEnd && { Ends: 1, SettleTime: secondsSince(Date.parse(intent.createdAt), nowMs) }),
      ...(MOVED.has(outcome) && { Movements: 1 }),
      ...(slippage !== undefined && { Slippage: slippage }),
      ...(doubtMs !== undefined && { DoubtTime: secondsSince(doubtMs, nowMs) }),
      ...(outcome === ConvertStep.Uncertain && { FenceWaits: 1 }),
      ...(isEnd && guardedBy === GuardCode.Budget && { BudgetsSpent: 1 }),
    },
  }
}

/**
 * The metric's dimension for a policy. Policies inside requests are named by a hash, and each hash would become a
 * metric for good, so they share one value.
 */
export function policyDimension(policy: string): string {
  return policy.startsWith(INLINE) ? 'inline' : policy
}

/**
 * The policy of a leg only. A movement outside a run may name any policy, and each name would become a metric for good.
 */
function namedPolicy(intent: Intent): Measured['dimensions'] {
  const { policy, run } = ownerOf(intent)
  return run === undefined || policy === undefined ? {} : { Policy: policyDimension(policy) }
}

/** Slippage against the indicative price, in basis points; `undefined` where the order had no indicative price. */
function measuredSlippage({ rate }: Answer, intent: Intent): number | undefined {
  if (typeof rate !== 'string' || !isConversion(intent)) return undefined
  return measured(() => slippageOf(intent, rate))
}

/** An exact figure as a number of a metric. A figure that cannot be counted must not fail the step. */
export function measured(count: () => Decimal | undefined): number | undefined {
  try {
    const exact = count()
    return exact === undefined ? undefined : round(Number(formatDecimal(exact)))
  } catch (error) {
    if (!(error instanceof AmountError)) throw error
    return undefined
  }
}

function doubtSince({ attempt }: Intent): number | undefined {
  return attempt === undefined ? undefined : attempt.iat * 1000
}

export function figure(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}

/** Rounds to thousandths, because a metric is for people to look at. */
export function round(value: number): number {
  return Math.round(value * 1000) / 1000
}

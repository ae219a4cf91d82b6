// What a schedule holds: who enters which intent when, how many faults may happen, and the service's
// true behaviour. Drawn by schedules.ts, or written out where a scope or a test wants one of its own.
import type { ConvertRequest } from '../../core/contract/convert.ts'
import type { IntentKind, IntentState } from '../../core/contract/records.ts'
import type { Verb } from '../../core/contract/states.ts'
import type { Timing } from '../../core/contract/timing.ts'
import type { WithdrawRequest } from '../../core/contract/withdraw.ts'
import type { Asking } from './approving.ts'
import type { FaultClass } from './choices.ts'
import type { MISQUOTES } from './deals.ts'
import type { DrawnGuards } from './drawn-guards.ts'
import type { Forgery } from './insider.ts'
import type { OrderTruth } from './order-model.ts'
import type { SteadyClock } from './scheduler.ts'
import type { ServiceTruth } from './signed-service.ts'
import type { Halted, PolicyHalt } from './switches.ts'
import type { WithdrawalTruth } from './withdrawal-model.ts'

/** An execution that starts, or starts again. */
export interface Entry {
  readonly intentId: string
  readonly delayMs: number
}

export interface Truth extends ServiceTruth {
  readonly orders: OrderTruth
  readonly withdrawals: WithdrawalTruth
}

export interface Past {
  /** Withdrawals just like those of the schedule. */
  readonly rows: readonly PastRow[]
  /** How many conversions of this journal there are, each with its claim. */
  readonly orders: number
  /** Of the intent that left the lane behind; none where nobody ever took it. */
  readonly lane?: typeof IntentState.Done | typeof IntentState.Rejected | typeof IntentState.Exhausted
}

export interface PastRow {
  readonly agoMs: number
  /** Who made it, and what the journal has of it: a claim of one of its intents, a person's word, nothing. */
  readonly whose: 'ours' | 'declared foreign' | 'nobody knows'
}

/** A permission that one step lacks for a while: it may not read the journal, or not write into it. */
export interface Denial {
  readonly verb: Verb
  readonly what: 'reads' | 'writes'
  readonly fromMs: number
  readonly forMs: number
}

export interface Schedule {
  readonly seed: number
  /** Faults of all classes that may happen. */
  readonly faults: number
  /** Classes of which none happens, so that the others come to more. */
  readonly without: readonly FaultClass[]
  readonly entries: readonly Entry[]
  /** What each intent is, by its number. */
  readonly kinds: readonly IntentKind[]
  /** When a person halts everything, and when sending goes on. */
  readonly halt?: Halted
  /** The same of the first policy that one of its intents has, and of that policy's breaker. */
  readonly policyHalt?: PolicyHalt
  /** Where guards are drawn, a rule that asks people about every movement, and what they say. */
  readonly asking?: Asking
  readonly truth: Truth
  /** Of all its withdrawals, each of the same amount to the same contact. */
  readonly feeMode: 'deduct' | 'add'
  /** What the configuration says of others who write to the account. */
  readonly shared: boolean | undefined
  /** When a person says of each withdrawal in doubt that nothing moved, after the start. */
  readonly saysNoneMs?: readonly number[]
  /** What was there before the start. */
  readonly past: Past
  /** Within which an intent may send, from the start on. */
  readonly hurryMs?: number
  /** How long the journal takes to answer an ARM that it has written; absent: no time. */
  readonly armTakesMs?: number
  /** Whether the power may be cut, and whether the journal then loses what it has confirmed last. */
  readonly power?: { readonly losesUnsynced: boolean }
  /** Whether what a step returns may be lost on its way, so that it is called again with the same input. */
  readonly losesOutputs?: boolean
  /** Of each machine, the clock that nobody can set. Absent: it always runs. */
  readonly steadyClock?: SteadyClock
  readonly denial?: Denial
  /** What somebody who may write the journal changes in a record, and when. */
  readonly forgery?: Forgery
  /** What each quote is of that somebody puts in the place of another, between Quote and Order. */
  readonly swapsQuotes?: keyof typeof MISQUOTES
  readonly guards?: DrawnGuards
  /** What a plan froze, as each request of a conversion and of a withdrawal asks for it. */
  readonly planned?: {
    readonly convert?: Pick<ConvertRequest, 'plannedRate' | 'maxSlippageBps' | 'worstRate' | 'keep'>
    readonly withdraw?: Pick<WithdrawRequest, 'keep' | 'most'>
  }
  readonly timing?: Partial<Timing>
}

/** Intents are called `intent-1` and on. */
export function numberOf(intentId: string): number {
  return Number(intentId.split('-')[1])
}

export function kindOf({ kinds }: Pick<Schedule, 'kinds'>, intentId: string): IntentKind {
  return kinds[numberOf(intentId) - 1] ?? 'convert'
}

export function intentsOf({ entries }: Pick<Schedule, 'entries'>): ReadonlySet<string> {
  return new Set(entries.map(({ intentId }) => intentId))
}

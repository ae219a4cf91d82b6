// A schedule: the intents and their times, the number of faults, and the service's true behaviour.
// schedules.ts draws it; a scope or a test may write its own.
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

/** A person settles what is in doubt. */
export interface PersonsWord {
  /** After the start. */
  readonly atMs: number
  /** Whether the person names the movement, where there is one. */
  readonly knows: boolean
}

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
  /** Number of earlier conversions of this journal, each with its claim. */
  readonly orders: number
  /** State of the intent that left the lane behind. Absent: nobody ever took the lane. */
  readonly lane?: typeof IntentState.Done | typeof IntentState.Rejected | typeof IntentState.Exhausted
}

export interface PastRow {
  readonly agoMs: number
  /** Who made the row, and what the journal has: a claim of its own intent, a person's declaration, or nothing. */
  readonly whose: 'ours' | 'declared foreign' | 'nobody knows'
}

/** A permission that one step lacks for a while: to read the journal, or to write it. */
export interface Denial {
  readonly verb: Verb
  readonly what: 'reads' | 'writes'
  readonly fromMs: number
  readonly forMs: number
}

export interface Schedule {
  /** Name of the naive variant that runs in place of the product. */
  readonly naive?: string | undefined
  readonly seed: number
  readonly faults: number
  /** Classes that are left out, so that the others get a larger share. */
  readonly without: readonly FaultClass[]
  readonly entries: readonly Entry[]
  /** The kind of each intent, by its number. */
  readonly kinds: readonly IntentKind[]
  /** When a person halts everything, and when sending resumes. */
  readonly halt?: Halted
  /** The same for the first policy of its intents, and for that policy's breaker. */
  readonly policyHalt?: PolicyHalt
  /** With drawn guards: a rule that asks people about every movement, and their decisions. */
  readonly asking?: Asking
  readonly truth: Truth
  /** All its withdrawals have the same contact, and this fee mode and an amount of 100, unless `asks` differs. */
  readonly feeMode: 'deduct' | 'add'
  /** The request of each withdrawal, by its number. */
  readonly asks?: readonly Pick<WithdrawRequest, 'amount' | 'feeMode'>[]
  /** The configuration's statement about other writers to the account. */
  readonly shared: boolean | undefined
  /** People who settle what is in doubt. */
  readonly words?: readonly PersonsWord[]
  /** When the next run of its policy plans beside each withdrawal, ms after the start. */
  readonly nextRunMs?: readonly number[]
  /** How long a machine waits right before an ARM, ms, while its clock is set back by as much. Absent: not at all. */
  readonly lostBeforeArmMs?: number
  /** Rows, orders and the lane from before the start. */
  readonly past: Past
  /** The time in which an intent may send, ms from the start. */
  readonly hurryMs?: number
  /** How long the journal takes to answer a written ARM, ms. Absent: no time. */
  readonly armTakesMs?: number
  /** The power may be cut. `losesUnsynced`: the journal then loses the writes that it confirmed last. */
  readonly power?: { readonly losesUnsynced: boolean }
  /** Whether a step's output may be lost, so that the step is called again with the same input. */
  readonly losesOutputs?: boolean
  /** The clock that nobody can set, on each machine. Absent: it always runs. */
  readonly steadyClock?: SteadyClock
  readonly denial?: Denial
  /** The change that an insider makes in a record of the journal, and when. */
  readonly forgery?: Forgery
  /** How a quote differs that an insider swaps in between Quote and Order. */
  readonly swapsQuotes?: keyof typeof MISQUOTES
  readonly guards?: DrawnGuards
  /** A deployment that multiplies what may move in a day, and when it comes. */
  readonly rebounds?: { readonly factor: number; readonly afterMs: number }
  /** Until when a movement of the day before fills the total of any 24 hours, ms after the start. Absent: nothing fills it. */
  readonly filledUntilMs?: number
  /** The frozen terms of a plan, as each request of a conversion and of a withdrawal carries them. */
  readonly planned?: {
    readonly convert?: Pick<ConvertRequest, 'plannedRate' | 'maxSlippageBps' | 'worstRate' | 'keep'>
    readonly withdraw?: Pick<WithdrawRequest, 'keep' | 'most'>
  }
  readonly timing?: Partial<Timing>
  /** Steps after which it makes no progress. Absent: enough for a few intents. */
  readonly stepLimit?: number
}

/** Intents are named `intent-1`, `intent-2` and so on. */
export function numberOf(intentId: string): number {
  return Number(intentId.split('-')[1])
}

export function kindOf({ kinds }: Pick<Schedule, 'kinds'>, intentId: string): IntentKind {
  return kinds[numberOf(intentId) - 1] ?? 'convert'
}

export function intentsOf({ entries }: Pick<Schedule, 'entries'>): ReadonlySet<string> {
  return new Set(entries.map(({ intentId }) => intentId))
}

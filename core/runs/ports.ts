// What the steps of a run read and write: interfaces only. Amounts are settled decimal strings; reads throw
// Transient, Refused or Defect, as those of core/service/ports.ts do.
import type { ConvertFill } from '../contract/convert.ts'
import type { Treasury } from '../contract/treasury.ts'
import type { Budgets } from '../journal/budgets.ts'
import type { Halts } from '../journal/halts.ts'
import type { IntentIndex } from '../journal/intent-index.ts'
import type { Journal } from '../journal/journal.ts'
import type { ShownContact } from '../movements/withdrawal/payee.ts'
import type { AssetTerms, WithdrawalReads } from '../movements/withdrawal/ports.ts'
import type { OrderState, ServiceClock, WithdrawalState } from '../service/ports.ts'
import type { Decisions } from './approval/decisions.ts'
import type { Requesters } from './approval/requesters.ts'
import type { PolicyRecords } from './record/policy-record.ts'
import type { Runs } from './record/runs.ts'

export interface AssetReading extends AssetTerms {
  readonly assetClass: string
  /** Zero: the service names no cap. */
  readonly maxIndicativeQuoteAmount: string
}

export interface MarketReading {
  readonly id: string
  readonly baseAsset: string
  readonly quoteAsset: string
  readonly minBaseAmount: string
  readonly minQuoteAmount: string
}

/** The ledger may allow less than zero. */
export interface BalanceReading {
  readonly assetSymbol: string
  readonly balance: string
  readonly balanceFrozen: string
  readonly balancePending: string
}

export interface OpenOrder extends OrderState {
  /** Null where the service resolves it to no settled code. */
  readonly baseAsset: string | null
  readonly quoteAsset: string | null
}

/** Reads only: a run's own steps send nothing. */
export interface RunService {
  readonly clock: ServiceClock
  /** Answered during maintenance too. */
  health(): Promise<{ readonly status: string }>
  assets(): Promise<readonly AssetReading[]>
  markets(): Promise<readonly MarketReading[]>
  /** Indicative, at the market's minimum or at an amount. */
  price(
    marketId: string,
    request: { readonly side: 'BUY' | 'SELL'; readonly amount?: string; readonly amountAsset?: string },
  ): Promise<{ readonly baseAmount: string; readonly rate: string }>
  balances(): Promise<readonly BalanceReading[]>
  /** All of a status, at most `limit` (Defect beyond it). */
  listOrders(filter: { readonly status: string }, limit: number): Promise<readonly OpenOrder[]>
  /** `undefined` only on a problem document with code `not_found`. */
  findContact(contactId: string): Promise<ShownContact | undefined>
  /** All of them: a read for each hundred. */
  contacts(): Promise<readonly ShownContact[]>
  findOrder(orderId: string): Promise<OrderState | undefined>
  fillsOf(orderId: string, limit: number): Promise<readonly ConvertFill[]>
  findWithdrawal(withdrawalId: string): Promise<WithdrawalState | undefined>
  ledgerOf: WithdrawalReads['ledgerOf']
  walkLedger: WithdrawalReads['walkLedger']
  findCompletedLike: WithdrawalReads['findCompletedLike']
}

/** A breaker that opened: for the log, where the alarm finds it. */
export interface Trip {
  readonly policy: string
  readonly runId: string
  readonly because: string
}

/** What is left of the day's budgets, as planning asks for it. */
export interface RunBudgets {
  /** With every reservation taken for a movement: never more than there is. */
  readonly counted: Pick<Budgets, 'left'>
  /** Without those of certified zeros: a read for each reservation of the day. */
  readonly settled: Pick<Budgets, 'left'>
}

export interface RunPorts {
  readonly journal: Journal
  readonly runs: Runs
  readonly policies: PolicyRecords
  /** What people said of plans that wait. */
  readonly decisions: Pick<Decisions, 'find'>
  readonly requesters: Pick<Requesters, 'find'>
  readonly halts: Pick<Halts, 'find' | 'trip'>
  readonly index: IntentIndex
  readonly budgets: RunBudgets
  readonly service: RunService
  readonly treasury: Treasury
  readonly logTrip: (trip: Trip) => void
}

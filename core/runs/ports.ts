// Defines the interfaces through which the steps of a run read and write. Amounts are settled decimal strings. Reads throw
// Transient, Refused or Defect, like those of core/service/ports.ts.
import type { ConvertFill } from '../contract/convert.ts'
import type { Treasury } from '../contract/treasury.ts'
import type { Budgets } from '../journal/budgets.ts'
import type { Halts } from '../journal/halts.ts'
import type { IntentIndex } from '../journal/intent-index.ts'
import type { Journal } from '../journal/journal.ts'
import type { Pages } from '../journal/pages.ts'
import type { PolicyNames } from '../journal/policy-names.ts'
import type { ShownContact } from '../movements/withdrawal/payee.ts'
import type { AssetTerms, WithdrawalReads } from '../movements/withdrawal/ports.ts'
import type { OrderState, ServiceClock, WithdrawalState } from '../service/ports.ts'
import type { Decisions } from './approval/decisions.ts'
import type { Requesters } from './approval/requesters.ts'
import type { PolicyRecords } from './record/policy-record.ts'
import type { Runs } from './record/runs.ts'

export interface AssetReading extends AssetTerms {
  readonly assetClass: string
  /** Zero: the service names no maximum. */
  readonly maxIndicativeQuoteAmount: string
}

export interface MarketReading {
  readonly id: string
  readonly baseAsset: string
  readonly quoteAsset: string
  readonly minBaseAmount: string
  readonly minQuoteAmount: string
}

/** Amounts may be negative: the ledger may allow it. */
export interface BalanceReading {
  readonly assetSymbol: string
  readonly balance: string
  readonly balanceFrozen: string
  readonly balancePending: string
}

export interface OpenOrder extends OrderState {
  /** Null where the service names no settled code. */
  readonly baseAsset: string | null
  readonly quoteAsset: string | null
}

/** Reads only: the steps of a run send nothing themselves. */
export interface RunService {
  readonly clock: ServiceClock
  /** The service answers this during maintenance too. */
  health(): Promise<{ readonly status: string }>
  assets(): Promise<readonly AssetReading[]>
  markets(): Promise<readonly MarketReading[]>
  /** An indicative price, at the market's minimum or at an amount. */
  price(
    marketId: string,
    request: { readonly side: 'BUY' | 'SELL'; readonly amount?: string; readonly amountAsset?: string },
  ): Promise<{ readonly baseAmount: string; readonly rate: string }>
  balances(): Promise<readonly BalanceReading[]>
  /** All orders with a status. More than `limit` are a Defect. */
  listOrders(filter: { readonly status: string }, limit: number): Promise<readonly OpenOrder[]>
  /** `undefined` only for a problem document with the code `not_found`. */
  findContact(contactId: string): Promise<ShownContact | undefined>
  /** All contacts: one read for each hundred. */
  contacts(): Promise<readonly ShownContact[]>
  findOrder(orderId: string): Promise<OrderState | undefined>
  fillsOf(orderId: string, limit: number): Promise<readonly ConvertFill[]>
  findWithdrawal(withdrawalId: string): Promise<WithdrawalState | undefined>
  listWithdrawals: WithdrawalReads['listWithdrawals']
  ledgerOf: WithdrawalReads['ledgerOf']
  walkLedger: WithdrawalReads['walkLedger']
  balanceBefore: WithdrawalReads['balanceBefore']
  findCompletedLike: WithdrawalReads['findCompletedLike']
}

/** A breaker that opened, as it is logged for the alarm. */
export interface Trip {
  readonly policy: string
  readonly runId: string
  readonly because: string
}

/** The remaining part of the day's budgets, as planning reads it. */
export interface RunBudgets {
  /** Counts every reservation as moved: never more than what is left. */
  readonly counted: Pick<Budgets, 'left'>
  /** Without reservations of certified zeros: one read for each reservation of the day. */
  readonly settled: Pick<Budgets, 'left'>
}

export interface RunPorts {
  /** Whether this call has time for more reads about a long run. */
  hasTime(): boolean
  readonly journal: Journal
  /** The rows of long files. */
  readonly pages: Pick<Pages, 'read'>
  readonly runs: Runs
  readonly policies: PolicyRecords
  readonly decisions: Pick<Decisions, 'find'>
  readonly requesters: Pick<Requesters, 'find'>
  readonly namesOf: PolicyNames
  readonly halts: Pick<Halts, 'find' | 'trip'>
  readonly index: IntentIndex
  readonly budgets: RunBudgets
  readonly service: RunService
  readonly treasury: Treasury
  readonly logTrip: (trip: Trip) => void
}

// Defines the reads of the service that the withdrawal steps may use: interfaces only. Amounts are settled decimal strings.
// Reads throw Transient, Refused, KeyFault or Defect, like those of core/service/ports.ts.
import type { PayeeFacts } from '../../contract/payee.ts'
import type {
  FloorReads,
  KeyReads,
  PriceReads,
  ServiceClock,
  Spellings,
  WithdrawalService,
  WithdrawalState,
} from '../../service/ports.ts'
import type { BookedEntry } from './booking.ts'

interface NetworkTerms {
  readonly networkId: string | null
  readonly withdrawalFee: string
  /** Minimum of the quantity sent: without the fee. */
  readonly minimumWithdrawal: string
}

export interface AssetTerms extends Spellings {
  readonly amountIncrement: string
  readonly minimumWithdrawal: string
  readonly minimumInternalWithdrawal: string
  readonly networks: readonly NetworkTerms[]
}

/** An entry of the ledger. A field is null, or absent, where the entry does not show it. */
export interface LedgerSight {
  readonly type?: string | null
  readonly assetSymbol?: string | null
  /** Settled and positive. */
  readonly amount?: string | null
  /** Text in the place of an amount that cannot be read. */
  readonly amountShown?: string
  readonly source: { readonly type: string; readonly id: string } | null
  readonly createdAt: string | null
}

export interface WithdrawalTerms extends Pick<PriceReads, 'findPrice'>, KeyReads {
  readonly clock: ServiceClock
  asset(assetSymbol: string): Promise<AssetTerms>
  contact(contactId: string): Promise<PayeeFacts>
  /** The only contact with this reference or alias; `undefined` where there is no such contact. @throws Refused for several */
  findContact(reference: string): Promise<PayeeFacts | undefined>
  /** Settled balance; '0' where the account holds none. */
  balance(assetSymbol: string): Promise<string>
}

/** The reads of Withdraw and PollWithdrawal. */
export interface WithdrawalReads extends WithdrawalService, FloorReads, Pick<PriceReads, 'findPrice'> {
  /** Present fees, minimums and increment. */
  asset(assetSymbol: string): Promise<AssetTerms>
  /** The contact as it is now. @throws Refused where it no longer exists */
  contact(contactId: string): Promise<PayeeFacts>
  ledgerOf(row: Pick<WithdrawalState, 'id'>): Promise<readonly BookedEntry[]>
  /** The whole ledger, in the service's order. */
  walkLedger(): AsyncIterable<LedgerSight>
  /** Settled balance at the end of the last day before `beforeMs` (epoch ms), by the balance history; '0' before the first. */
  balanceBefore(assetSymbol: string, beforeMs: number): Promise<string>
  /**
   * An older COMPLETED withdrawal of the same sub-type, with a fee where `row` has one; `undefined` where the latest rows hold
   * none.
   */
  findCompletedLike(row: WithdrawalState, assetSymbol: string): Promise<WithdrawalState | undefined>
}

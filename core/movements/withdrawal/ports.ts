// What the withdrawal steps may ask of the service: interfaces only. Amounts are settled decimal
// strings; reads throw Transient, Refused or Defect, as those of core/service/ports.ts do.
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

export interface NetworkTerms {
  readonly networkId: string | null
  readonly withdrawalFee: string
  /** Applies to the quantity sent, that is without the fee. */
  readonly minimumWithdrawal: string
}

export interface AssetTerms extends Spellings {
  readonly amountIncrement: string
  readonly minimumWithdrawal: string
  readonly minimumInternalWithdrawal: string
  readonly networks: readonly NetworkTerms[]
}

/** What an entry of the ledger says of where it is from, and when it was booked; null where it does not say. */
export interface LedgerSight {
  readonly source: { readonly type: string; readonly id: string } | null
  readonly createdAt: string | null
}

/** What CheckWithdrawal reads. */
export interface WithdrawalTerms extends Pick<PriceReads, 'findPrice'>, KeyReads {
  readonly clock: ServiceClock
  asset(assetSymbol: string): Promise<AssetTerms>
  contact(contactId: string): Promise<PayeeFacts>
  /** The one contact with this reference or alias; `undefined` for none. @throws Refused for several */
  findContact(reference: string): Promise<PayeeFacts | undefined>
  /** Settled balance; '0' where the account holds none. */
  balance(assetSymbol: string): Promise<string>
}

/** What Withdraw and PollWithdrawal read. */
export interface WithdrawalReads extends WithdrawalService, FloorReads {
  /** Its fees, minimums and increment as they are now. */
  asset(assetSymbol: string): Promise<AssetTerms>
  /** As it is now. @throws Refused where there is none any more */
  contact(contactId: string): Promise<PayeeFacts>
  /** The ledger's entries of a withdrawal, as it shows them now. */
  ledgerOf(row: Pick<WithdrawalState, 'id'>): Promise<readonly BookedEntry[]>
  /** The whole ledger, in the service's order. */
  walkLedger(): AsyncIterable<LedgerSight>
  /** One that is COMPLETED and older, of the same sub-type, with a fee where `row` has one; `undefined` where the latest have none. */
  findCompletedLike(row: WithdrawalState, assetSymbol: string): Promise<WithdrawalState | undefined>
}

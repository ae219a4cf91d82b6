// The records of the world: what a quote, an order, a fill or a deposit is, in settled
// terms. Rebased figures are made when a record is shown, from its own multiplier.
import type { Amount } from './amount.ts'
import type { Side } from './fields.ts'

/** The request that asked for a movement. */
export interface Asked {
  /** Prefix of the key. */
  readonly kid: string
  readonly nonce: string
  /** When it was accepted, and when it is done, where the service works on it in between. */
  readonly acceptedAtMs?: number
  readonly doneAtMs?: number
}

/** What a conversion is to cost: settled figures, and the multiplier that shows them rebased. */
export interface Terms {
  readonly marketId: string
  readonly side: Side
  /** Quote units per settled base unit. */
  readonly rate: Amount
  readonly baseAmount: Amount
  readonly quoteAmount: Amount
  readonly multiplier: Amount
}

export interface Quote extends Terms {
  /** Also the id of the order that executes it. */
  readonly id: string
  readonly quotedAtMs: number
  readonly expiresAtMs: number
}

/** What is going to happen to an order that did not fill at once. */
export type Step =
  | { readonly do: 'fill'; readonly atMs: number; readonly baseAmount: Amount; readonly quoteAmount: Amount }
  | { readonly do: 'fail'; readonly atMs: number }

export interface PlacedOrder extends Terms {
  readonly id: string
  readonly onCredit: boolean
  /** Nothing is frozen for it: it pays when it fills, and fails where the balance does not suffice by then. */
  readonly isUnreserved?: boolean
  readonly createdAtMs: number
  /** Reads do not show the order before this. */
  readonly visibleAtMs: number
  readonly asked: Asked
  readonly steps: readonly Step[]
}

export interface Fill {
  readonly id: string
  readonly orderId: string
  /** 1-based within the order. */
  readonly sequence: number
  readonly baseAmount: Amount
  readonly quoteAmount: Amount
  readonly multiplier: Amount
  readonly onCredit: boolean
  readonly executedAtMs: number
}

export type OrderStatus = 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'FAILED'

export interface Order extends PlacedOrder {
  status: OrderStatus
  filledBaseAmount: Amount
  filledQuoteAmount: Amount
  /** Steps that have happened. */
  stepsDone: number
  readonly fills: Fill[]
}

export interface Deposit {
  readonly id: string
  readonly assetSymbol: string
  readonly amount: Amount
  readonly multiplier: Amount
  readonly createdAtMs: number
}

export type WithdrawalSubType = 'INTERNAL' | 'EXTERNAL_CRYPTO' | 'EXTERNAL_FIAT_BANK' | 'EXTERNAL_FIAT_REDPAY'
/** PENDING and COMPLETED are the description's; the others are what this service adds, the last two if it is untidy. */
export type WithdrawalStatus = 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'AWAITING_REVIEW' | 'REVIEWED'

/** A status that a withdrawal reaches, with what becomes known then. */
export interface WithdrawalStep {
  readonly atMs: number
  readonly status: WithdrawalStatus
  /** With FAILED: what was booked does not come back. */
  readonly keepsTotal?: true
  readonly transactionHash?: string
  readonly bankReference?: string
}

export interface AcceptedWithdrawal {
  readonly id: string
  readonly subType: WithdrawalSubType
  readonly assetSymbol: string
  /** What arrives; `amount + fee` is what was debited. */
  readonly amount: Amount
  readonly fee: Amount
  readonly multiplier: Amount
  readonly contactId: string
  readonly networkId: string | null
  readonly createdAtMs: number
  readonly visibleAtMs: number
  readonly asked: Asked
  readonly steps: readonly WithdrawalStep[]
  /** The status with which it is booked; held as frozen until then. Absent: at acceptance. */
  readonly booksAt?: 'PENDING' | 'COMPLETED'
}

export interface Withdrawal extends AcceptedWithdrawal {
  status: WithdrawalStatus
  transactionHash: string | null
  bankReference: string | null
  /** Whether its total has left the balance. */
  isBooked: boolean
  stepsDone: number
}

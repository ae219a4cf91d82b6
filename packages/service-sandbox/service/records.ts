// Defines the records of the world: quotes, orders, fills, deposits and withdrawals, in settled units. Rebased figures
// are computed when a record is shown, from its own multiplier.
import type { Amount } from './amount.ts'
import type { Side } from './fields.ts'

export interface MovementRequest {
  /** Prefix of the key. */
  readonly kid: string
  readonly nonce: string
  /** When the request was accepted, and when the work on it ends. Absent where both are the same moment. */
  readonly acceptedAtMs?: number
  readonly doneAtMs?: number
}

/** The price of a conversion: settled figures, and the multiplier that shows them rebased. */
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
  /** This id is also the id of the order that executes the quote. */
  readonly id: string
  readonly quotedAtMs: number
  readonly expiresAtMs: number
}

/** A future event of an order that did not fill at once. */
export type Step =
  | { readonly do: 'fill'; readonly atMs: number; readonly baseAmount: Amount; readonly quoteAmount: Amount }
  | { readonly do: 'fail'; readonly atMs: number }

export interface PlacedOrder extends Terms {
  readonly id: string
  readonly onCredit: boolean
  /** Nothing is frozen for the order: it pays when it fills, and fails if the balance does not suffice then. */
  readonly isUnreserved?: boolean
  readonly createdAtMs: number
  /** Reads do not show the order before this time. */
  readonly visibleAtMs: number
  readonly asked: MovementRequest
  readonly steps: readonly Step[]
}

export interface Fill {
  readonly id: string
  readonly orderId: string
  /** Counts from 1 within the order. */
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
  /** Number of steps that have happened. */
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
/** The description names PENDING and COMPLETED. This service adds the others, and the last two only if it is untidy. */
export type WithdrawalStatus = 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'AWAITING_REVIEW' | 'REVIEWED'

/** A status that a withdrawal reaches, with the facts that become known then. */
export interface WithdrawalStep {
  readonly atMs: number
  readonly status: WithdrawalStatus
  /** With FAILED: the booked total does not come back. */
  readonly keepsTotal?: true
  readonly transactionHash?: string
  readonly bankReference?: string
}

export interface AcceptedWithdrawal {
  readonly id: string
  readonly subType: WithdrawalSubType
  readonly assetSymbol: string
  /** The recipient's amount; `amount + fee` was debited. */
  readonly amount: Amount
  readonly fee: Amount
  readonly multiplier: Amount
  readonly contactId: string
  readonly networkId: string | null
  readonly createdAtMs: number
  readonly visibleAtMs: number
  readonly asked: MovementRequest
  readonly steps: readonly WithdrawalStep[]
  /** The status at which it is booked; its total is frozen until then. Absent: booked at acceptance. */
  readonly booksAt?: 'PENDING' | 'COMPLETED'
}

export interface Withdrawal extends AcceptedWithdrawal {
  status: WithdrawalStatus
  transactionHash: string | null
  bankReference: string | null
  /** Whether the total has left the balance. */
  isBooked: boolean
  stepsDone: number
}

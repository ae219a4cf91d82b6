// Types of the witness: the facts that it keeps about intents and movements, and the reads that its world gives it.
import type { ConvertRequest } from '../../core/contract/convert.ts'
import type { IntentKind } from '../../core/contract/records.ts'
import type { WithdrawRequest } from '../../core/contract/withdraw.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'
import type { Deal } from './deals.ts'
import type { Listening, WitnessedAttempt } from './fences.ts'
import type { GuardJudge } from './guard-judge.ts'
import type { ContactTimes, Paid } from './plan-judge.ts'

/** A movement of the service, with facts that only the oracle sees. */
export interface WitnessedMovement extends Paid {
  readonly kind: IntentKind
  /** Unique within its kind: an order and a withdrawal may have the same id. */
  readonly id: string
  readonly account: string
  /** `undefined` for a movement that no intent made. */
  readonly nonce: string | undefined
  /** Present for an order. */
  readonly deal?: Deal
  /** The rest of its asset, in settled units, as far as its sender could know. Absent in another account. */
  readonly left?: number
}

export interface WitnessPorts extends ContactTimes {
  readonly serviceMs: () => number
  /** Service time at which the protocol promises that the doubt about an attempt ends. `sending`: absent if no ARM was seen. */
  readonly fenceMs: (kind: IntentKind, attempt: WitnessedAttempt, sending: Sending | undefined) => number
  /** The time from which no copy of an attempt is accepted, in service time. */
  readonly deadMs: (attempt: WitnessedAttempt) => number
  /** Maximum attempts of an intent, as configured. */
  readonly attempts: number
  /**
   * Whether the product must refuse to send with a key of another account. It cannot where the key may not read which
   * account it belongs to, as a key that may only trade.
   */
  readonly tellsAccounts: Readonly<Record<IntentKind, boolean>>
  /** The request of an intent. All executions of the intent have the same request. */
  readonly asked: (intentId: string) => ConvertRequest | WithdrawRequest
  /** Whether orders sell the asset that withdrawals send. */
  readonly isOneAsset: boolean
  readonly records: () => ReadonlyMap<string, StoredRecord>
  readonly guards: GuardJudge
}

/** The frozen fields of an intent that the witness reads. */
export interface Frozen {
  readonly account?: string
  /** With a withdrawal. */
  readonly amount?: string
  readonly fee?: string
  readonly total?: string
  readonly feeMode?: string
}

export interface Witnessed {
  record: StoredRecord
  readonly movements: WitnessedMovement[]
  readonly openedMs: number
  firstSentMs?: number
}

export interface Quoted {
  readonly intentId: string
  readonly account: string
  readonly attemptNumber: unknown
}

/** The known times of an attempt's send. */
export interface Sending {
  /** Milliseconds on the world's clock. A machine's clock may be wrong. */
  readonly armedMs: number
  /** Present after the send. */
  readonly listening?: Listening
}

export interface Armed extends Sending {
  readonly intentId: string
  readonly attempt: WitnessedAttempt
  listening?: Listening
}

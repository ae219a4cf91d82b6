// The facts that the witness keeps, and those that it reads from its world. Types only.
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
  /** `undefined` for a movement that others made. */
  readonly nonce: string | undefined
  /** Present for an order. */
  readonly deal?: Deal
}

export interface WitnessPorts extends ContactTimes {
  readonly serviceMs: () => number
  /** The promised end of the doubt about a sent attempt, in service time. */
  readonly fenceMs: (kind: IntentKind, attempt: WitnessedAttempt, sending: Sending | undefined) => number
  /** The time from which no copy of an attempt is accepted, in service time. */
  readonly deadMs: (attempt: WitnessedAttempt) => number
  readonly attempts: number
  /**
   * Whether a key of another account is recognised before it sends. A key that only trades need not name its account.
   */
  readonly tellsAccounts: Readonly<Record<IntentKind, boolean>>
  /** The request of the executions of an intent. */
  readonly asked: (intentId: string) => ConvertRequest | WithdrawRequest
  readonly records: () => ReadonlyMap<string, StoredRecord>
  readonly guards: GuardJudge
}

/** The frozen fields of an intent that the witness reads. */
export interface Frozen {
  readonly account?: string
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
  /** The world's own clock, because a machine's clock may be set. */
  readonly armedMs: number
  /** Present once it is sent. */
  readonly listening?: Listening
}

export interface Armed extends Sending {
  readonly intentId: string
  readonly attempt: WitnessedAttempt
  listening?: Listening
}

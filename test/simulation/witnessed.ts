// What the witness keeps of what it saw, and what it asks of the world around it. Types only.
import type { ConvertRequest } from '../../core/contract/convert.ts'
import type { IntentKind } from '../../core/contract/records.ts'
import type { WithdrawRequest } from '../../core/contract/withdraw.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'
import type { Deal } from './deals.ts'
import type { Listening, WitnessedAttempt } from './fences.ts'
import type { GuardJudge } from './guard-judge.ts'
import type { ContactTimes, Paid } from './plan-judge.ts'

/** What the service moved, with what only the oracle sees of it. */
export interface WitnessedMovement extends Paid {
  readonly kind: IntentKind
  /** Of its kind: an order and a withdrawal may have the same. */
  readonly id: string
  readonly account: string
  /** `undefined` for one that others made. */
  readonly nonce: string | undefined
  /** Of an order. */
  readonly deal?: Deal
}

export interface WitnessPorts extends ContactTimes {
  readonly serviceMs: () => number
  /** The end of the doubt about a sent attempt, in service time, as the protocol promises it. */
  readonly fenceMs: (kind: IntentKind, attempt: WitnessedAttempt, sending: Sending | undefined) => number
  /** From when on no copy of what an attempt sent is accepted, in service time. */
  readonly deadMs: (attempt: WitnessedAttempt) => number
  /** How many of an intent may be spent. */
  readonly attempts: number
  /** Whether a key of another account is known for one before it sends: a key that only trades need not say whose it is. */
  readonly tellsAccounts: Readonly<Record<IntentKind, boolean>>
  /** What the executions of an intent ask for. */
  readonly asked: (intentId: string) => ConvertRequest | WithdrawRequest
  /** All that is written. */
  readonly records: () => ReadonlyMap<string, StoredRecord>
  readonly guards: GuardJudge
}

/** Of what is frozen in an intent. */
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

/** What is known of the send of an attempt. */
export interface Sending {
  /** By the world's own clock: the machine's may be set. */
  readonly armedMs: number
  /** Once it is sent. */
  readonly listening?: Listening
}

export interface Armed extends Sending {
  readonly intentId: string
  readonly attempt: WitnessedAttempt
  listening?: Listening
}

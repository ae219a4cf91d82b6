// The record of one intent and the moves between its states: pure, no store, no clock.
// READY -> ARMED -> DONE | READY (next attempt) | REJECTED | EXHAUSTED | ESCALATED. Out of ESCALATED
// only a person leads: see resolution.ts.
import type { GuardCode } from '../contract/outcomes.ts'
import { type IntentKind, IntentState, LISTED_KEY, listing } from '../contract/records.ts'
import type { Said, SendFacts } from '../service/ports.ts'
import type { FenceTiming } from './fence.ts'
import type { RecordFields, StoredRecord } from './record-store.ts'

/** One armed attempt: written before its only send. `Tried` is what only its kind knows. */
export type Attempt<Tried = unknown> = SendFacts & {
  /** The process that won the ARM write, and so the only one that may send. */
  readonly owner: string
  /** What the service said to the send, when it was not a yes: a hint, not a proof. */
  readonly said?: Said
  /** With `said` of an answer: ISO-8601, the latest service time at which it may have been heard. */
  readonly listenedUntil?: string
  /** As configured when it was armed: its fence never goes by less. */
  readonly fenceTiming?: FenceTiming
} & Tried

export interface Intent<Params = unknown, Frozen = unknown, Tried = unknown> {
  readonly intentId: string
  readonly kind: IntentKind
  /** As asked for, frozen; `paramsHash` guards them. */
  readonly params: Params
  readonly paramsHash: string
  /** Settled at the start and frozen with the params. */
  readonly frozen: Frozen
  /** ISO-8601. */
  readonly createdAt: string
  /** ISO-8601: nothing is armed from this moment on. */
  readonly notAfter: string
  readonly state: IntentState
  readonly version: number
  /** Counts from 1; raised when an attempt is certified to have moved nothing. */
  readonly attemptNumber: number
  /** The attempt that was armed last. */
  readonly attempt?: Attempt<Tried>
  /** With DONE: the movement's id. */
  readonly ref?: string
  /** With REJECTED, EXHAUSTED, ESCALATED: the outcome and one sentence. */
  readonly outcome?: string
  readonly why?: string
  /** With REJECTED: the guard that refused it. */
  readonly guardedBy?: GuardCode
  /** With ESCALATED: what a person needs to decide. */
  readonly evidence?: unknown
  /** Where a person decided. */
  readonly resolution?: Resolution
}

export interface Resolution {
  readonly by: string
  readonly because: string
  /** ISO-8601. */
  readonly at: string
  /** The movement that is this intent's; absent: nothing moved. */
  readonly movementId?: string
  /** Prefix of the key that looked, where the person said that it is of the account of the key that signed. */
  readonly sameAccount?: string
}

/** Changes of one move; the journal adds version and stamp. */
export type Move = Partial<
  Pick<
    Intent,
    'state' | 'attemptNumber' | 'attempt' | 'ref' | 'outcome' | 'why' | 'guardedBy' | 'evidence' | 'resolution'
  >
>

/** States from which nothing moves any more. DONE has its movement; what became of it is the service's to say. */
export function isTerminal(state: IntentState): boolean {
  return state !== IntentState.Ready && state !== IntentState.Armed
}

/** What it moved, or that it moved nothing, is certain and never changes. Not so while a person is to decide. */
export function isSettled(state: IntentState): boolean {
  return isTerminal(state) && state !== IntentState.Escalated
}

export function armMove<Tried>(intent: Intent<unknown, unknown, Tried>, attempt: Attempt<Tried>): Move {
  assertState(intent, IntentState.Ready)
  return { state: IntentState.Armed, attempt }
}

/** `heardMs`: a service time that has not been passed. `more`: what else the answer says of the attempt, for its kind alone. */
export function heardMove<Tried>(
  intent: Intent<unknown, unknown, Tried>,
  said: Said,
  heardMs: number,
  more?: Partial<Tried>,
): Move {
  assertState(intent, IntentState.Armed)
  // Where no answer came, this machine's clock would be all that says for how long it was waited for.
  const listened = said.status !== undefined && { listenedUntil: new Date(heardMs).toISOString() }
  return { attempt: { ...attemptOf(intent), ...more, said, ...listened } }
}

/** The movement is proven. */
export function doneMove(intent: Intent, ref: string): Move {
  assertState(intent, IntentState.Armed)
  return { state: IntentState.Done, ref }
}

/** The attempt is certified to have moved nothing (or nothing was sent): on to the next. */
export function nextAttemptMove(intent: Intent): Move {
  assertNotTerminal(intent)
  return { state: IntentState.Ready, attemptNumber: intent.attemptNumber + 1 }
}

/** Ends the intent with zero, certified: from READY, or from ARMED past its fence. */
export function zeroMove(
  intent: Intent,
  state: typeof IntentState.Rejected | typeof IntentState.Exhausted,
  outcome: string,
  why: string,
): Move {
  assertNotTerminal(intent)
  return { state, outcome, why }
}

/** A guard's no, and which guard it was. */
export interface Refusal {
  /** One sentence. */
  readonly why: string
  readonly guardedBy: GuardCode
}

/** Ends a READY intent, of which nothing was sent: a guard refused it. */
export function guardedMove(intent: Intent, outcome: string, { why, guardedBy }: Refusal): Move {
  assertState(intent, IntentState.Ready)
  return { state: IntentState.Rejected, outcome, why, guardedBy }
}

/** `more`: what the last answer says of the attempt, for its kind alone. */
export function escalateMove<Tried>(
  intent: Intent<unknown, unknown, Tried>,
  outcome: string,
  why: string,
  evidence?: unknown,
  more?: Partial<Tried>,
): Move {
  assertState(intent, IntentState.Armed)
  const escalated = { state: IntentState.Escalated, outcome, why, evidence }
  return more === undefined ? escalated : { ...escalated, attempt: { ...attemptOf(intent), ...more } }
}

/** What is frozen in an intent whose record the journal has lost. */
export interface LostFrozen {
  /** Absent: its first execution found it lost, so that nothing was sent before that one began. */
  readonly isEnteredAgain?: boolean
  /** As configured when it was closed: how long after that a request of before may be accepted, and stay out of sight. */
  readonly fenceSeconds?: number
}

/**
 * Whether the journal has lost what it knew of it: closed for a person, without an attempt. What it may have sent
 * is known by what was asked for alone.
 */
export function isLost({ state, attempt }: Pick<Intent, 'state' | 'attempt'>): boolean {
  return state === IntentState.Escalated && attempt === undefined
}

/** @throws TypeError when no attempt was armed: a programming error. */
export function attemptOf<Tried>(intent: Intent<unknown, unknown, Tried>): Attempt<Tried> {
  if (intent.attempt === undefined) throw new TypeError(`intent ${intent.intentId} has no armed attempt`)
  return intent.attempt
}

function assertState(intent: Intent, state: IntentState): void {
  if (intent.state !== state) throw new TypeError(`intent ${intent.intentId} is ${intent.state}, not ${state}`)
}

function assertNotTerminal(intent: Intent): void {
  if (isTerminal(intent.state)) throw new TypeError(`intent ${intent.intentId} has ended ${intent.state}`)
}

/** What its record holds. */
export function fieldsOfIntent(intent: Intent): RecordFields {
  return { [LISTED_KEY]: listingOf(intent), ...intent }
}

/** In which of the audit's lists an intent is. Part of its own record, so that no second write can be lost. */
function listingOf({ state, attempt }: Intent): string | undefined {
  // One that a person is to decide may have moved: plans count with it as with one that is armed.
  if (!isSettled(state)) return listing.open
  if (state !== IntentState.Done || attempt === undefined) return undefined
  return listing.doneInHour(Math.floor(attempt.iat / 3600))
}

export function intentOfRecord<Kind extends Intent>(record: StoredRecord): Kind {
  const { pk: _pk, stamp: _stamp, [LISTED_KEY]: _listed, ...intent } = record
  // Its key says which kind of record it is; the journal alone wrote it.
  return intent as unknown as Kind
}

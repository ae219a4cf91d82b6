// Makes the moves of an intent between its states. Pure: no store, no clock. READY -> ARMED -> DONE | READY (next
// attempt) | REJECTED | EXHAUSTED | ESCALATED. Only a person moves an intent out of ESCALATED: see resolution.ts.
import type { GuardCode } from '../contract/outcomes.ts'
import { IntentState } from '../contract/records.ts'
import type { ServiceError } from '../service/ports.ts'
import {
  attemptOf,
  type Intent,
  isTerminal,
  type KnownRow,
  type OpenWithdrawal,
  type WithdrawalAttempt,
} from './intent.ts'

/** Changes of one move. The journal adds version and stamp. */
export type Move = Partial<
  Pick<
    Intent,
    | 'state'
    | 'frozen'
    | 'notAfter'
    | 'attemptNumber'
    | 'attempt'
    | 'ref'
    | 'outcome'
    | 'why'
    | 'guardedBy'
    | 'evidence'
    | 'resolution'
  >
>

/** Settles the terms again before anything is sent, because a step trusts only terms that it settled itself. */
export function settleMove(intent: Intent, { frozen, notAfter }: Pick<Intent, 'frozen' | 'notAfter'>): Move {
  assertState(intent, IntentState.Ready)
  return { frozen, notAfter }
}

export function armMove<Kept extends Intent>(intent: Kept, attempt: NonNullable<Kept['attempt']>): Move {
  assertState(intent, IntentState.Ready)
  return { state: IntentState.Armed, attempt }
}

/** A further fact from the answer to a withdrawal: that it was accepted. */
export type AcceptedFact = Pick<WithdrawalAttempt, 'accepted'>

/** `heardMs`: a service time at or after the answer. Undefined where this machine does not know the service's time. */
export function answeredMove(
  intent: Intent,
  answer: ServiceError,
  heardMs: number | undefined,
  more?: AcceptedFact,
): Move {
  assertState(intent, IntentState.Armed)
  // Without an answer, only this machine's clock would say how long it waited.
  const isKnown = answer.status !== undefined && heardMs !== undefined
  const listened = isKnown && { listenedUntil: new Date(heardMs).toISOString() }
  return { attempt: { ...attemptOf(intent), ...more, said: answer, ...listened } }
}

/** Records rows that may be the attempt's own. A later list that lacks a recorded row then proves nothing. */
export function seenMove(intent: OpenWithdrawal, seen: readonly KnownRow[]): Move {
  assertState(intent, IntentState.Armed)
  return { attempt: { ...attemptOf(intent), seen } }
}

export function doneMove(intent: Intent, ref: string): Move {
  assertState(intent, IntentState.Armed)
  return { state: IntentState.Done, ref }
}

/** Moves on to the next attempt, because this one is certified to have moved nothing, or nothing was sent. */
export function nextAttemptMove(intent: Intent): Move {
  assertNotTerminal(intent)
  return { state: IntentState.Ready, attemptNumber: intent.attemptNumber + 1 }
}

/** Ends the intent with a certified zero: from READY, or from ARMED after its fence. */
export function zeroMove(
  intent: Intent,
  state: typeof IntentState.Rejected | typeof IntentState.Exhausted,
  outcome: string,
  why: string,
): Move {
  assertNotTerminal(intent)
  return { state, outcome, why }
}

export interface Refusal {
  /** One sentence. */
  readonly why: string
  readonly guardedBy: GuardCode
}

/** Ends a READY intent that a guard refused. Nothing was sent. */
export function guardedMove(intent: Intent, outcome: string, { why, guardedBy }: Refusal): Move {
  assertState(intent, IntentState.Ready)
  return { state: IntentState.Rejected, outcome, why, guardedBy }
}

export function escalateMove(
  intent: Intent,
  outcome: string,
  why: string,
  evidence?: unknown,
  more?: AcceptedFact,
): Move {
  assertState(intent, IntentState.Armed)
  const escalated = { state: IntentState.Escalated, outcome, why, evidence }
  return more === undefined ? escalated : { ...escalated, attempt: { ...attemptOf(intent), ...more } }
}

function assertState(intent: Intent, state: IntentState): void {
  if (intent.state !== state) throw new TypeError(`intent ${intent.intentId} is ${intent.state}, not ${state}`)
}

function assertNotTerminal(intent: Intent): void {
  if (isTerminal(intent.state)) throw new TypeError(`intent ${intent.intentId} has ended ${intent.state}`)
}

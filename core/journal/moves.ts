// The moves of an intent between its states: pure, no store, no clock.
// READY -> ARMED -> DONE | READY (next attempt) | REJECTED | EXHAUSTED | ESCALATED. Out of ESCALATED
// only a person leads: see resolution.ts.
import type { GuardCode } from '../contract/outcomes.ts'
import { IntentState } from '../contract/records.ts'
import type { Said } from '../service/ports.ts'
import {
  attemptOf,
  type Intent,
  isTerminal,
  type KnownRow,
  type OpenWithdrawal,
  type WithdrawalAttempt,
} from './intent.ts'

/** Changes of one move; the journal adds version and stamp. */
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

/** Terms settled anew before anything is sent: no step believes those of a record that it did not settle itself. */
export function settleMove(intent: Intent, { frozen, notAfter }: Pick<Intent, 'frozen' | 'notAfter'>): Move {
  assertState(intent, IntentState.Ready)
  return { frozen, notAfter }
}

export function armMove<Kept extends Intent>(intent: Kept, attempt: NonNullable<Kept['attempt']>): Move {
  assertState(intent, IntentState.Ready)
  return { state: IntentState.Armed, attempt }
}

/** What an answer says of the attempt besides: of a withdrawal, that it was accepted. */
export type Heard = Pick<WithdrawalAttempt, 'accepted'>

/** `heardMs`: a service time that has not been passed; absent where this machine cannot tell one. */
export function heardMove(intent: Intent, said: Said, heardMs: number | undefined, more?: Heard): Move {
  assertState(intent, IntentState.Armed)
  // Where no answer came, this machine's clock would be all that says for how long it was waited for.
  const isKnown = said.status !== undefined && heardMs !== undefined
  const listened = isKnown && { listenedUntil: new Date(heardMs).toISOString() }
  return { attempt: { ...attemptOf(intent), ...more, said, ...listened } }
}

/** Rows were found that may be the attempt's own: a list that lacks one of them later proves nothing. */
export function seenMove(intent: OpenWithdrawal, seen: readonly KnownRow[]): Move {
  assertState(intent, IntentState.Armed)
  return { attempt: { ...attemptOf(intent), seen } }
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

export function escalateMove(intent: Intent, outcome: string, why: string, evidence?: unknown, more?: Heard): Move {
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

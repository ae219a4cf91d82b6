// What the executions of an intent prove: which movement is its own, that it is a certified zero, or neither. Their names
// are its entries, their inputs what was asked for, and their histories what its steps answered. Pure.
import { entryOf } from '../../core/contract/fields.ts'
import { ConvertEnd, ConvertStep, WithdrawEnd, WithdrawStep } from '../../core/contract/outcomes.ts'
import { IntentKind, IntentState } from '../../core/contract/records.ts'
import { ConvertState, WithdrawState } from '../../core/contract/states.ts'
import type { Intent } from '../../core/journal/intent.ts'
import { hashParams } from '../../core/params-hash.ts'
import type { EnteredExecution } from '../connection/journal/execution-source.ts'

/** Certified by the journal, as a step has read it. */
export interface ProvenZero {
  readonly state: typeof IntentState.Rejected | typeof IntentState.Exhausted
  readonly outcome: string
  readonly why: string
}

/** The most that an answer of a step has shown of the record. */
export interface SeenRecord {
  readonly version: number
  readonly execution: string
  readonly at: string
}

export interface Evidence {
  readonly intentId: string
  readonly kind: IntentKind
  /** `undefined` where its executions ask for different things. */
  readonly request: unknown
  /** ISO-8601: when the first of them began. */
  readonly startedAt: string
  /** Names of its executions, the first entry first. */
  readonly entries: readonly string[]
  /** Movements that a step has told as its own: more than one is a contradiction. */
  readonly movements: readonly string[]
  /** Orders that it asked quotes for: each is placed by no other intent. */
  readonly quoted: readonly string[]
  readonly zero?: ProvenZero
  /** Whether a state was entered that sends. */
  readonly maySend: boolean
  /** Whether a step has read or opened its record. */
  readonly wasRecorded: boolean
  /** Attempts begun. */
  readonly attempts: number
  readonly seen?: SeenRecord
}

const SENDING: ReadonlySet<string> = new Set([ConvertState.Order, WithdrawState.Withdraw])

/** Outcomes with which a step tells of a movement that is claimed. */
const MOVED: Readonly<Record<IntentKind, ReadonlySet<string>>> = {
  [IntentKind.Convert]: new Set([ConvertEnd.Filled, ConvertEnd.Failed, ConvertEnd.Stuck, ConvertStep.Processing]),
  [IntentKind.Withdraw]: new Set([
    WithdrawEnd.Completed,
    WithdrawEnd.FailedRefunded,
    WithdrawEnd.Stuck,
    WithdrawStep.Processing,
  ]),
}

/** Outcomes of intents that moved nothing, where no movement is told with them, and they do not go on. */
const ZEROS: Readonly<Record<IntentKind, Readonly<Record<string, ProvenZero['state']>>>> = {
  [IntentKind.Convert]: {
    [ConvertEnd.PriceRefused]: IntentState.Rejected,
    [ConvertEnd.Rejected]: IntentState.Rejected,
    [ConvertEnd.ExpiredOut]: IntentState.Exhausted,
    [ConvertEnd.Failed]: IntentState.Exhausted,
    [ConvertEnd.OwnFault]: IntentState.Exhausted,
  },
  [IntentKind.Withdraw]: {
    [WithdrawEnd.Rejected]: IntentState.Rejected,
    [WithdrawEnd.Exhausted]: IntentState.Exhausted,
    [WithdrawEnd.OwnFault]: IntentState.Exhausted,
  },
}

/** One answer of a step. */
interface Answer {
  readonly execution: string
  readonly at: string
  readonly outcome: string
  readonly attempts: number
  /** With OWN_FAULT: the intent was not closed, and its next entry may have sent. */
  readonly goesOn: boolean
  readonly movementId?: string
  readonly quotedId?: string
  readonly version?: number
  readonly why?: string
}

/** Of the executions of one intent. `isWhole`: none is missing that could say otherwise. @throws TypeError for none */
export function evidenceOf(
  intentId: string,
  kind: IntentKind,
  executions: readonly EnteredExecution[],
  isWhole = true,
): Evidence {
  const entered = executions.toSorted((left, right) => entryOf(left.name) - entryOf(right.name))
  const [first] = entered
  if (first === undefined) throw new TypeError(`intent ${intentId} has no execution`)
  const answers = entered.map((execution) => answersOf(execution, kind))
  const all = answers.flat()
  const movements = [
    ...new Set(all.flatMap(({ outcome, movementId }) => (isMoved(kind, outcome) && movementId ? movementId : []))),
  ]
  const zero = movements.length === 0 && isWhole ? zeroOf(kind, answers) : undefined
  const seen = all
    .filter(({ version }) => version !== undefined)
    .reduce<SeenRecord | undefined>(
      (most, { version = 0, execution, at }) =>
        most === undefined || version > most.version ? { version, execution, at } : most,
      undefined,
    )
  const hashes = new Set(entered.map(({ input }) => hashParams(input)))
  return {
    intentId,
    kind,
    request: hashes.size === 1 ? first.input : undefined,
    startedAt: entered.map(({ startedAt = '' }) => startedAt).toSorted()[0] ?? '',
    entries: entered.map(({ name }) => name),
    movements,
    quoted: [...new Set(all.flatMap(({ quotedId }) => quotedId ?? []))],
    ...(zero !== undefined && { zero }),
    maySend: !isWhole || entered.some(({ steps }) => steps.some(({ state }) => SENDING.has(state))),
    wasRecorded: all.some(({ attempts }) => attempts > 0),
    attempts: Math.max(0, ...all.map(({ attempts }) => attempts)),
    ...(seen !== undefined && { seen }),
  }
}

/**
 * Of an open intent whose executions are not known: they may have gone on since in any way. The order that it was armed with
 * is no other intent's.
 */
export function evidenceOfRecord({ attempt, attemptNumber, createdAt, intentId, kind, params }: Intent): Evidence {
  return {
    intentId,
    kind,
    request: params,
    startedAt: createdAt,
    entries: [],
    movements: [],
    quoted: attempt !== undefined && 'orderId' in attempt ? [attempt.orderId] : [],
    maySend: true,
    wasRecorded: true,
    attempts: attemptNumber,
  }
}

function isMoved(kind: IntentKind, outcome: string): boolean {
  return MOVED[kind].has(outcome)
}

/**
 * Only the last word counts, and only where no later entry says otherwise. An answer without an attempt is of a request that
 * was refused before it was an intent: the id may be another request's.
 */
function zeroOf(kind: IntentKind, entries: readonly (readonly Answer[])[]): ProvenZero | undefined {
  let zero: ProvenZero | undefined
  for (const answers of entries) {
    const last = answers.at(-1)
    const state = last === undefined || last.attempts === 0 || last.goesOn ? undefined : ZEROS[kind][last.outcome]
    // A later entry that knows of no zero contradicts it.
    zero = state && last && { state, outcome: last.outcome, why: last.why ?? `ended ${last.outcome}` }
  }
  return zero
}

function answersOf({ name, steps }: EnteredExecution, kind: IntentKind): Answer[] {
  return steps.flatMap((step) => {
    if (step.did !== 'left' || typeof step.output.outcome !== 'string') return []
    const { outcome, attempts, attempt, goesOn, version, why, orderId, withdrawalId, quote } = step.output
    const movementId = kind === IntentKind.Convert ? orderId : withdrawalId
    const quotedId = quotedIn(quote) ?? (kind === IntentKind.Convert ? textOf(orderId) : undefined)
    const known = {
      execution: name,
      at: step.at,
      outcome,
      attempts: numberOf(attempts) ?? numberOf(attempt) ?? 0,
      goesOn: goesOn === true,
      ...(typeof movementId === 'string' && { movementId }),
      ...(quotedId !== undefined && { quotedId }),
      ...(typeof version === 'number' && { version }),
      ...(typeof why === 'string' && { why }),
    }
    return [known]
  })
}

function quotedIn(quote: unknown): string | undefined {
  return quote !== null && typeof quote === 'object' && 'orderId' in quote ? textOf(quote.orderId) : undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

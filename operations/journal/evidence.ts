// Finds what the executions of an intent prove: its movement, a certified zero, or neither. Their names are its
// entries, their inputs the request, and their histories the answers of its steps. Pure.
import { entryOf } from '../../core/contract/fields.ts'
import { ConvertEnd, ConvertStep, WithdrawEnd, WithdrawStep } from '../../core/contract/outcomes.ts'
import { IntentKind, IntentState } from '../../core/contract/records.ts'
import { ConvertState, WithdrawState } from '../../core/contract/states.ts'
import type { Intent } from '../../core/journal/intent.ts'
import { hashParams } from '../../core/params-hash.ts'
import type { EnteredExecution } from '../../place/executions/executions.ts'

/** A zero that the journal has certified, as a step has read it. */
export interface ProvenZero {
  readonly state: typeof IntentState.Rejected | typeof IntentState.Exhausted
  readonly outcome: string
  readonly why: string
}

/** The newest version of the record that an answer of a step shows. */
export interface SeenRecord {
  readonly version: number
  readonly execution: string
  readonly at: string
}

export interface Evidence {
  readonly intentId: string
  readonly kind: IntentKind
  /** Undefined where its executions have different requests. */
  readonly request: unknown
  /** ISO-8601: when the first execution began. */
  readonly startedAt: string
  /** Names of its executions, the first entry first. */
  readonly entries: readonly string[]
  /** Movements that a step has reported as its own. More than one is a contradiction. */
  readonly movements: readonly string[]
  /** Orders of its quotes. No other intent places them. */
  readonly quoted: readonly string[]
  readonly zero?: ProvenZero
  /** Whether it entered a state that sends. */
  readonly maySend: boolean
  /** Whether a step has read or opened its record. */
  readonly wasRecorded: boolean
  readonly attempts: number
  readonly seen?: SeenRecord
}

const SENDING: ReadonlySet<string> = new Set([ConvertState.Order, WithdrawState.Withdraw])

/** Outcomes with which a step reports a claimed movement. */
const MOVED: Readonly<Record<IntentKind, ReadonlySet<string>>> = {
  [IntentKind.Convert]: new Set([ConvertEnd.Filled, ConvertEnd.Failed, ConvertEnd.Stuck, ConvertStep.Processing]),
  [IntentKind.Withdraw]: new Set([
    WithdrawEnd.Completed,
    WithdrawEnd.FailedRefunded,
    WithdrawEnd.Stuck,
    WithdrawStep.Processing,
  ]),
}

/**
 * Final outcomes without a movement. The intent moved nothing if no movement is reported with them and it does not
 * continue.
 */
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

/**
 * The evidence of one intent's executions. `isWhole`: whether all executions are known that could contradict it.
 * @throws TypeError without an execution
 */
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
 * The evidence of an open intent whose executions are unknown: they may have continued in any way. No other intent has
 * the order that it was armed with.
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
 * Only the last answer counts, and only where no later entry contradicts it. An answer without an attempt belongs to a
 * request that was refused before it was an intent. The id may be another request's.
 */
function zeroOf(kind: IntentKind, entries: readonly (readonly Answer[])[]): ProvenZero | undefined {
  let zero: ProvenZero | undefined
  for (const answers of entries) {
    const last = answers.at(-1)
    const state = last === undefined || last.attempts === 0 || last.goesOn ? undefined : ZEROS[kind][last.outcome]
    // A later entry without a zero contradicts it.
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

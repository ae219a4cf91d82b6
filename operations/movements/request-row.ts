// Makes one row of `sluice movements list` from an intent or a run, and says whether a filter keeps it. Texts are
// compared as a person searches: without the case, and without the marks that group digits. Pure.

import { NO_RECORD, NOT_BEGUN, REFUND_DUE } from '../../core/contract/outcome-names.ts'
import { ConvertEnd, WithdrawEnd } from '../../core/contract/outcomes.ts'
import { IntentState } from '../../core/contract/records.ts'
import { RunEnd } from '../../core/contract/runs.ts'
import { endOf, type Intent } from '../../core/journal/intent.ts'
import { isShadow, RUNNING, type RunRecord } from '../../core/runs/record/run-record.ts'
import { nearestHint } from '../../core/treasury/nearest-name.ts'
import { unfit } from '../../place/operation-error.ts'
import { requestName, requestText } from '../words/request-words.ts'
import { RequestKind } from './record-kind.ts'

export interface RequestRow {
  readonly kind: RequestKind
  readonly id: string
  /** When it was asked for, ISO-8601. */
  readonly at: string
  /** The request in words. */
  readonly asked: string
  /** The same in a few words. Absent for a run, which people call by its policy and time. */
  readonly name?: string
  /** The state of an intent, or the outcome of a run. */
  readonly state: string
  /**
   * Present where the record has it, or the execution of an accepted movement (read-rows.ts).
   */
  readonly outcome?: string
  readonly policy?: string
  /** The run that it is a leg of. */
  readonly run?: string
  readonly requestId?: string
  readonly movementId?: string
  /** The id that a person gave to `sluice run`. */
  readonly ownId?: string
  /** Present for a run that plans and reports, and moves nothing. */
  readonly isShadow?: true
}

export function rowOfIntent(intent: Intent): RequestRow {
  const { kind, intentId: id, createdAt: at, state, params, ref } = intent
  const { outcome } = endOf(intent)
  return {
    kind,
    id,
    at,
    asked: requestText(intent),
    name: requestName(intent),
    state,
    ...(outcome !== undefined && { outcome }),
    ...(typeof params.policy === 'string' && { policy: params.policy }),
    ...(typeof params.run === 'string' && { run: params.run }),
    ...(typeof params.requestId === 'string' && { requestId: params.requestId }),
    ...(ref !== undefined && { movementId: ref }),
  }
}

export function rowOfRun(run: RunRecord): RequestRow {
  const { runId: id, startedAt: at, policy, kind, outcome: state } = run
  const common = { kind: RequestKind.Run, id, at, state, policy }
  if (isShadow(run)) return { ...common, asked: `plan policy ${policy} (${kind}), moving nothing`, isShadow: true }
  return { ...common, asked: `policy ${policy} (${kind})` }
}

export interface RowFilter {
  readonly kind: RequestKind | undefined
  readonly outcome: string | undefined
  /** Epoch ms. */
  readonly sinceMs: number | undefined
  readonly beforeMs: number | undefined
  /** A part of its ids or of the request in words. */
  readonly text?: string | undefined
  /** Whether runs in shadow mode are among the rows. */
  readonly withShadow?: boolean
}

export function passesFilter(
  row: RequestRow,
  { kind, outcome, sinceMs, beforeMs, text = '', withShadow = false }: RowFilter,
): boolean {
  const atMs = Date.parse(row.at)
  return (
    (withShadow || row.isShadow !== true) &&
    (kind === undefined || row.kind === kind) &&
    (outcome === undefined || row.state === outcome || row.outcome === outcome) &&
    (sinceMs === undefined || atMs >= sinceMs) &&
    (beforeMs === undefined || atMs < beforeMs) &&
    isFoundIn(
      [row.id, row.asked, row.policy, row.run, row.requestId, row.movementId, row.ownId].flatMap((each) => each ?? []),
      text,
    )
  )
}

/** Whether every record with this state is open. The journal has an index of open records. */
export function isOpenState(outcome: string | undefined): boolean {
  return outcome !== undefined && OPEN_STATES.includes(outcome)
}

const OPEN_STATES: readonly string[] = [
  ...[IntentState.Ready, IntentState.Armed, IntentState.Escalated],
  ...[RUNNING, RunEnd.AwaitingApproval],
]

export function newestFirst(left: RequestRow, right: RequestRow): number {
  return Date.parse(right.at) - Date.parse(left.at) || (left.id < right.id ? -1 : 1)
}

/** The state of the row, in one word. */
export function stateTextOf({ state, outcome }: RequestRow): string {
  return outcome ?? state
}

/** Every outcome and state that a row may have. */
export const ROW_OUTCOMES: readonly string[] = [
  ...new Set<string>([
    ...Object.values(IntentState),
    ...Object.values(ConvertEnd),
    ...Object.values(WithdrawEnd),
    ...Object.values(RunEnd),
    ...[RUNNING, NOT_BEGUN, NO_RECORD, REFUND_DUE],
  ]),
]

/** @throws OperationError (exit 2) for a word that is no outcome and no state */
export function readOutcome(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const word = text.toUpperCase().replaceAll(/[ -]/g, '_')
  if (ROW_OUTCOMES.includes(word)) return word
  const problem = `expected one of ${ROW_OUTCOMES.join(', ')}; got something else${nearestHint(word, ROW_OUTCOMES)}`
  throw unfit('outcome', problem)
}

/** Whether one of the texts contains what a person typed. Nothing typed is found everywhere. */
export function isFoundIn(texts: readonly string[], typed: string): boolean {
  const wanted = plain(typed)
  return wanted === '' || plain(texts.join('\n')).includes(wanted)
}

function plain(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/(?<=\d)[ ,'\u202f\u00a0](?=\d{3}(?!\d))/g, '')
}

// One row of `sluice movements list`: what of an intent or a run stands in the list, and whether it is asked for. Pure.

import { ConvertEnd, WithdrawEnd } from '../../core/contract/outcomes.ts'
import { IntentState } from '../../core/contract/records.ts'
import { RunEnd } from '../../core/contract/runs.ts'
import type { Intent } from '../../core/journal/intent.ts'
import { RUNNING, type RunRecord } from '../../core/runs/record/run-record.ts'
import { nearestHint } from '../../core/treasury/nearest-name.ts'
import { usageError } from '../operation-error.ts'
import { askedText } from '../words/asked-words.ts'
import { AskedKind } from './asked-kind.ts'

export interface AskedRow {
  readonly kind: AskedKind
  /** Of the intent, or of the run. */
  readonly id: string
  /** ISO-8601: when it was asked for. */
  readonly at: string
  /** What was asked for, in words. */
  readonly asked: string
  /** Of an intent its state, of a run its outcome. */
  readonly state: string
  /** Where one is written down. What became of a movement that was made by itself, its execution and the service know. */
  readonly outcome?: string
  readonly policy?: string
  /** The run that it is a leg of. */
  readonly run?: string
  /** The id of the event that asked. */
  readonly requestId?: string
  /** The order or the withdrawal. */
  readonly movementId?: string
}

export function rowOfIntent(intent: Intent): AskedRow {
  const { kind, intentId: id, createdAt: at, state, outcome, params, ref } = intent
  return {
    kind,
    id,
    at,
    asked: askedText(intent),
    state,
    ...(outcome !== undefined && { outcome }),
    ...(typeof params.policy === 'string' && { policy: params.policy }),
    ...(typeof params.run === 'string' && { run: params.run }),
    ...(typeof params.requestId === 'string' && { requestId: params.requestId }),
    ...(ref !== undefined && { movementId: ref }),
  }
}

export function rowOfRun({ runId: id, startedAt: at, policy, kind, outcome: state }: RunRecord): AskedRow {
  return { kind: AskedKind.Run, id, at, asked: `policy ${policy} (${kind})`, state, policy }
}

export interface RowFilter {
  readonly kind: AskedKind | undefined
  readonly outcome: string | undefined
  /** Epoch ms. */
  readonly sinceMs: number | undefined
  readonly beforeMs: number | undefined
}

export function isAskedFor(row: AskedRow, { kind, outcome, sinceMs, beforeMs }: RowFilter): boolean {
  const atMs = Date.parse(row.at)
  return (
    (kind === undefined || row.kind === kind) &&
    (outcome === undefined || row.state === outcome || row.outcome === outcome) &&
    (sinceMs === undefined || atMs >= sinceMs) &&
    (beforeMs === undefined || atMs < beforeMs)
  )
}

/** Whether only what is not at its end has this state: the journal lists that by itself. */
export function isOpenState(outcome: string | undefined): boolean {
  return outcome !== undefined && OPEN_STATES.includes(outcome)
}

const OPEN_STATES: readonly string[] = [
  ...[IntentState.Ready, IntentState.Armed, IntentState.Escalated],
  ...[RUNNING, RunEnd.AwaitingApproval],
]

/** Newest first. */
export function newestFirst(left: AskedRow, right: AskedRow): number {
  return Date.parse(right.at) - Date.parse(left.at) || (left.id < right.id ? -1 : 1)
}

/** How the row stands, in one word. */
export function standingOf({ state, outcome }: AskedRow): string {
  return outcome ?? state
}

const WORDS: readonly string[] = [
  ...new Set<string>([
    ...Object.values(IntentState),
    ...Object.values(ConvertEnd),
    ...Object.values(WithdrawEnd),
    ...Object.values(RunEnd),
    RUNNING,
  ]),
]

/** @throws OperationError (exit 2) for a word that is no outcome and no state */
export function readOutcome(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const word = text.toUpperCase().replaceAll('-', '_')
  if (WORDS.includes(word)) return word
  const message = `--outcome: expected one of ${WORDS.join(', ')}; got another${nearestHint(word, WORDS)}`
  throw usageError('usage', message, 'correct --outcome')
}

// Reads all that is known of one intent: its record, its executions, its claim, and the run of which it is a leg. It
// asks the service nothing.

import { ConvertStep } from '../../core/contract/outcomes.ts'
import { IntentKind, IntentState } from '../../core/contract/records.ts'
import { MACHINE_OF_INTENTS } from '../../core/contract/states.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { errorName } from '../../core/error-name.ts'
import { runOf } from '../../core/journal/entering.ts'
import { endOf, type Intent } from '../../core/journal/intent.ts'
import type { Journal } from '../../core/journal/journal.ts'
import type { Runs } from '../../core/runs/record/runs.ts'
import { findLastEntry } from '../../core/triggers/entries.ts'
import type { ExecutionHistory } from '../../place/executions/execution-history.ts'
import type { Executions } from '../../place/executions/executions.ts'
import { convertExitCode, ExitCode, withdrawExitCode } from '../../place/exit-code.ts'
import { type Attention, asksExecution, findAttention } from './attention.ts'
import type { Fact, FactOf } from './facts.ts'
import { type ServiceWait, serviceWaitOf } from './service-wait.ts'
import { type KnownOfIntent, timelineOf } from './timeline.ts'

export interface LoadedIntent {
  readonly intent: Intent
  readonly histories: readonly ExecutionHistory[]
  readonly claimedBy?: string | undefined
  readonly facts: readonly Fact[]
  /** The facts that a person needs to decide; undefined where the intent needs nobody. */
  readonly attention: Attention | undefined
  /** Says which of the executions could not be read, and why. */
  readonly unread?: string | undefined
  /** The id that a person gave to `sluice run`, where the caller has read it. */
  readonly ownId?: string | undefined
  /** Present while it waits for its end at the service. */
  readonly waits?: ServiceWait | undefined
}

/** Maximum executions that are read for one intent. An intent has at most 99. */
const MOST_HISTORIES = 20

export interface IntentSources extends Pick<Executions, 'findHistory'> {
  readonly journal: Pick<Journal, 'findClaim'>
  readonly runJournal: { readonly runs: Pick<Runs, 'find'> }
  readonly treasury: Pick<Treasury, 'timing'>
}

/** @throws Transient, Defect */
export async function loadIntent(intent: Intent, connection: IntentSources): Promise<LoadedIntent> {
  const { journal, runJournal, treasury } = connection
  const { histories, unread } = await historiesOf(intent, connection)
  const claimedBy = intent.ref === undefined ? undefined : await journal.findClaim(intent.kind, intent.ref)
  const { run: runId } = intent.params
  const run = typeof runId === 'string' ? await runJournal.runs.find(runId) : undefined
  const leg = run?.results[intent.intentId]
  const areHistoriesRead = unread === undefined
  const known: KnownOfIntent = { intent, histories, areHistoriesRead, timing: treasury.timing, claimedBy, leg }
  // Without its history nobody knows whether an execution is under way.
  const attention =
    !areHistoriesRead && asksExecution(intent)
      ? undefined
      : findAttention(intent, histories.at(-1), treasury.timing, leg)
  const waits = serviceWaitOf(intent, histories)
  return { intent, histories, claimedBy, facts: timelineOf(known), attention, unread, waits }
}

export function settledOf({ facts }: Pick<LoadedIntent, 'facts'>): FactOf<'settled'> | undefined {
  return facts.find((fact) => fact.fact === 'settled')
}

/** The exit code of the command that asked for it. An intent under way is no failure. */
export function intentExitCode(loaded: LoadedIntent): ExitCode {
  const { intent, histories, attention } = loaded
  if (attention !== undefined) return ExitCode.NeedsPerson
  const isUnderWay = histories.at(-1)?.status === 'RUNNING'
  // A READY intent has moved nothing. Without a running execution nobody continues it.
  if (intent.state === IntentState.Ready) return isUnderWay ? ExitCode.Done : ExitCode.Failed
  if (intent.state === IntentState.Armed) return isUnderWay ? ExitCode.Done : ExitCode.NeedsPerson
  const settled = settledOf(loaded)
  const outcome = endOf(intent).outcome ?? settled?.outcome
  // The movement exists. Only the service knows whether it is complete.
  if (outcome === undefined || outcome === ConvertStep.Processing) return ExitCode.Done
  return intent.kind === IntentKind.Convert ? convertExitCode(outcome) : withdrawExitCode(outcome, settled?.isByBalance)
}

/**
 * Reads the executions in their order. A leg has none for an entry of its run that did not reach it, such as the first
 * entry of a run that waited for approval.
 */
export async function historiesOf(
  { kind, intentId, params }: Pick<Intent, 'kind' | 'intentId' | 'params'>,
  { findHistory }: Pick<Executions, 'findHistory'>,
): Promise<{ readonly histories: readonly ExecutionHistory[]; readonly unread?: string }> {
  const histories: ExecutionHistory[] = []
  const find = async (name: string) => {
    if (histories.length === MOST_HISTORIES) return undefined
    const history = await findHistory(MACHINE_OF_INTENTS[kind], name)
    if (history !== undefined) histories.push(history)
    return history
  }
  try {
    await findLastEntry(intentId, find, { isLeg: runOf({ params }) !== undefined })
    if (histories.length < MOST_HISTORIES) return { histories }
    return { histories, unread: `only the first ${MOST_HISTORIES} executions of it were read` }
  } catch (error) {
    // The record is enough without the executions.
    const name = errorName(error)
    if (name !== 'AccessDeniedException') throw error
    return { histories, unread: `its executions could not be read (${name}): allow states:GetExecutionHistory` }
  }
}

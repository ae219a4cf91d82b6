// Enters an intent or a run again, or everything in doubt, and waits for the ends. Entering again is safe in every
// state, because each step reads the journal before it acts. An intent in doubt sends nothing until it is certain that
// its last attempt moved nothing.

import { mapBounded } from '../../core/bounded.ts'
import { entryName, MOST_ENTRIES } from '../../core/contract/fields.ts'
import { isOfIntents } from '../../core/contract/states.ts'
import { isRequestedBy } from '../../core/journal/entering.ts'
import { isRunRequestedBy } from '../../core/runs/record/runs.ts'
import { findLastEntry } from '../../core/triggers/entries.ts'
import type { Progress } from '../../place/context.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { operationErrorOf, usageError } from '../../place/operation-error.ts'
import type { Executions, KeptExecution } from '../runs/follow-execution.ts'
import type { RunConnection } from '../runs/run-connection.ts'
import { findArmed, findInNeed, findWaiting, type Named, type Waiting } from './waiting.ts'

/** Maximum intents that one command enters. */
const MOST = 1_000
/** Executions entered at once. It is low because their reads of the service share one rate limit. */
const AT_ONCE = 5

export interface Entered {
  readonly id: string
  readonly kind: string
  readonly was: string
  readonly outcome: string
  readonly why: string | null
  readonly exitCode: ExitCode
}

export interface Done {
  readonly entered: readonly Entered[]
  /** Intents that are left for the same command to enter later. */
  readonly more: number
  /** Whether more intents are open than were examined. */
  readonly isCutOff: boolean
  readonly unreadable: readonly string[]
}

/** `beside`: whether another execution is started beside one that is under way, which only waits to read. */
export async function enterOne(
  { beside = false, ...named }: Named & { readonly beside?: boolean },
  connection: RunConnection,
  progress: Progress,
): Promise<Done> {
  const { executions } = connection
  const waiting = await findWaiting(named, connection.journal, async (stateMachine, intentId) => {
    const { kept } = await findLastEntry(intentId, (name) => executions.findExecution(stateMachine, name))
    return kept
  })
  const entered = [await enter(waiting, connection, progress, beside)]
  // A run that ended because of this leg is in no list of what is in doubt, not even where the leg was only stuck.
  const runs = waiting.run === undefined ? [] : await findInNeed([waiting.run], connection.journal)
  for (const run of runs) entered.push(await enterOrReport(run, connection, progress))
  return { entered, more: 0, isCutOff: false, unreadable: [] }
}

/** Enters the intents first, because a run whose legs are settled then ends with them. */
export async function enterArmed(connection: RunConnection, progress: Progress): Promise<Done> {
  const { armed, left, isCutOff, unreadable } = await findArmed(MOST, connection.journal)
  const entered = await mapBounded(armed, AT_ONCE, (waiting) => enterOrReport(waiting, connection, progress))
  const runIds = [...new Set(armed.flatMap(({ run }) => run ?? []))]
  const runs = await findInNeed(runIds, connection.journal)
  const ended = await mapBounded(runs, AT_ONCE, (waiting) => enterOrReport(waiting, connection, progress))
  return { entered: [...entered, ...ended], more: left, isCutOff, unreadable }
}

/** Reports an error in the result, so that the others are still entered. */
async function enterOrReport(waiting: Waiting, connection: RunConnection, progress: Progress): Promise<Entered> {
  try {
    return await enter(waiting, connection, progress)
  } catch (error) {
    const { message } = operationErrorOf(error)
    progress.line({ label: 'again', text: `${waiting.id}: ${message}`, tone: 'bad' })
    const { id, operation, was } = waiting
    return { id, kind: operation.noun, was, outcome: was, why: message, exitCode: ExitCode.NeedsPerson }
  }
}

async function enter(
  { id, operation, was, request, run }: Waiting,
  connection: RunConnection,
  progress: Progress,
  beside = false,
): Promise<Entered> {
  const { noun } = operation
  const execution = await untilEnded({ id, operation, request, run, beside }, connection.executions, (text) =>
    progress.line({ label: 'again', text: `${id}  ${noun}, ${was}: ${text}`, tone: 'plain' }),
  )
  const result = await operation.resultOf(execution, connection.journal)
  const exitCode = operation.exitCode(result)
  const tone = exitCode === ExitCode.NeedsPerson ? 'bad' : 'good'
  progress.line({ label: 'again', text: `${id}  ${result.outcome}`, tone })
  return { id, kind: noun, was, outcome: result.outcome, why: result.why ?? null, exitCode }
}

/** Follows an execution that is under way, or starts the next one. */
async function untilEnded(
  {
    id,
    operation: { stateMachine, noun },
    request,
    run,
    beside,
  }: Pick<Waiting, 'id' | 'operation' | 'request' | 'run'> & { readonly beside: boolean },
  executions: Executions,
  report: (text: string) => void,
): Promise<KeptExecution> {
  const find = (name: string) => executions.findExecution(stateMachine, name)
  const { first, kept, entry } = await findLastEntry(id, find, { isLeg: run !== undefined })
  if (kept?.status === 'RUNNING' && !beside) {
    report('is under way: following it')
    return executions.untilFinished(kept.executionArn)
  }
  // Anybody may have started an entry with another input, so the request in the record takes precedence.
  const input = request === undefined ? kept?.input : JSON.stringify(request)
  if (input === undefined) {
    const message = 'its request is no longer known, because its execution is not kept'
    throw usageError('usage', message, `run the same ${noun} again, with the input and the id that it had`)
  }
  const isOwn = isOfIntents(stateMachine) ? isRequestedBy : isRunRequestedBy
  if (!isOwn(first, JSON.parse(input))) {
    const message = 'its record does not match what its first execution asked for: somebody has changed it'
    throw usageError('usage', message, 'docs/runbook.md, "A record that was changed"')
  }
  if (entry === MOST_ENTRIES) {
    throw usageError(
      'usage',
      `it was entered ${MOST_ENTRIES} times, which is the maximum`,
      'docs/runbook.md, "People decide"',
    )
  }
  const name = entryName(id, entry + 1)
  report(`entered as ${name}`)
  const { executionArn } = await executions.startExecution({ stateMachine, name, input })
  return executions.untilFinished(executionArn)
}

// What the page of a run shows: its report as it stands, its state machine as it is deployed with the path that the run has
// taken, and what happened to each leg. And the same of one intent. Reads only, and asks the service nothing.
import { mapBounded, READS_AT_ONCE } from '../../../core/bounded.ts'
import { entryName } from '../../../core/contract/fields.ts'
import type { RunReport } from '../../../core/contract/runs.ts'
import { MACHINE_OF_INTENTS, type StateMachine } from '../../../core/contract/states.ts'
import { awsErrorName } from '../../../core/keys/aws-limits.ts'
import { type RunRecord, reportOfRun } from '../../../core/runs/record/run-record.ts'
import { findLastEntry } from '../../../core/triggers/entries.ts'
import type { Attention } from '../../attention/attention.ts'
import type { Fact } from '../../show/facts.ts'
import { loadIntent } from '../../show/load-intent.ts'
import { assertId, findOneAsked } from '../../show/one-asked.ts'
import { askedText } from '../../show/timeline.ts'
import type { ExecutionHistory } from '../../target/journal/execution-history.ts'
import type { JournalTarget } from '../../target/journal/journal-target.ts'
import { machineOf, verbOf } from '../../target/named-policy.ts'
import { findRun } from '../../target/named-run.ts'
import { CommandError } from '../../terminal/command-error.ts'
import { commandIn } from '../../terminal/command-line.ts'
import { ExitCode } from '../../terminal/exit-code.ts'
import { printable } from '../../terminal/printable.ts'
import { atJournal, type Everywhere, type Reader } from './reader.ts'

/** What happened to one intent. */
export interface IntentCourse {
  readonly intentId: string
  readonly kind: 'convert' | 'withdraw'
  readonly state: string
  readonly outcome?: string
  readonly asked: string
  readonly createdAt: string
  readonly run?: string
  readonly movementId?: string
  readonly facts: readonly Fact[]
  readonly attention?: Attention
  /** What of its executions could not be read. */
  readonly unread?: string
}

/** One execution of a state machine, to be drawn. */
export interface MachineCourse {
  readonly name: StateMachine
  /** In the Amazon States Language; absent where nobody answers who has it. */
  readonly definition?: string
  /** Of the last execution; absent where it is not kept any more. */
  readonly history?: ExecutionHistory
}

export interface RunCourse extends Everywhere {
  readonly report: RunReport
  readonly waitsUntil?: string
  readonly machine: MachineCourse
  readonly legs: readonly IntentCourse[]
}

export interface IntentPage extends Everywhere {
  readonly intent: IntentCourse
  readonly machine: MachineCourse
}

/** Legs whose courses are read: the report has all of them. */
export const MOST_LEGS_READ = 40

export function readRun(reader: Reader, runId: string): Promise<RunCourse> {
  return atJournal(reader, async (target) => {
    const run = await findRun(runId, reader.flags, target)
    const report = reportOfRun(run)
    const ids = report.legs.slice(0, MOST_LEGS_READ).map(({ intentId }) => intentId)
    const [machine, legs] = await Promise.all([
      readMachine(machineOf[verbOf(run.asPlanned)], run.runId, target, { from: run.entry }),
      mapBounded(ids, READS_AT_ONCE, (intentId) => readCourse(intentId, target)),
    ])
    return { report, ...waitOf(run), machine, legs: legs.filter((leg) => leg !== undefined) }
  })
}

/** @throws CommandError where no intent goes by this id */
export function readIntent(reader: Reader, intentId: string): Promise<IntentPage> {
  return atJournal(reader, async (target) => {
    const intent = await readCourse(intentId, target)
    if (intent === undefined) throw noIntent(intentId, target, reader.flags)
    return {
      intent,
      machine: await readMachine(MACHINE_OF_INTENTS[intent.kind], intentId, target, {
        isLeg: intent.run !== undefined,
      }),
    }
  })
}

/** What goes by an id of any kind, as `sluice show` finds it. @throws CommandError where nothing does, or several */
export function findById(reader: Reader, id: string): Promise<{ readonly kind: string; readonly id: string }> {
  assertId(id, reader.flags)
  return atJournal(reader, async (target) => {
    const one = await findOneAsked(id, {}, reader.flags, target)
    if (one.kind === 'foreign') return { kind: one.kind, id: one.foreign.id }
    return one.kind === 'run' ? { kind: one.kind, id: one.run.runId } : { kind: one.kind, id: one.intent.intentId }
  })
}

function noIntent(intentId: string, { name }: JournalTarget, flags: Reader['flags']): CommandError {
  return new CommandError({
    exitCode: ExitCode.Failed,
    code: 'refused',
    message: `the journal in ${name} has no intent ${printable(intentId)}`,
    next: commandIn('list', flags),
  })
}

function waitOf({ waiting }: RunRecord): { readonly waitsUntil?: string } {
  return waiting === undefined ? {} : { waitsUntil: waiting.until }
}

/** `undefined` as long as the leg has not been opened. */
async function readCourse(intentId: string, target: JournalTarget): Promise<IntentCourse | undefined> {
  const intent = await target.journal.find(intentId)
  if (intent === undefined) return undefined
  const { kind, state, outcome, createdAt, ref, params } = intent
  const { facts, attention, unread } = await loadIntent(intent, target)
  return {
    ...{ intentId, kind, state, createdAt, facts, asked: askedText(intent) },
    ...(outcome !== undefined && { outcome }),
    ...(typeof params.run === 'string' && { run: params.run }),
    ...(ref !== undefined && { movementId: ref }),
    ...(attention !== undefined && { attention }),
    ...(unread !== undefined && { unread }),
  }
}

/**
 * `from`: an entry that is known to be there. The last one is drawn: each entry goes the whole way again. Who may not read
 * one of these sees the rest.
 */
async function readMachine(
  name: StateMachine,
  id: string,
  target: JournalTarget,
  { from = 1, isLeg = false } = {},
): Promise<MachineCourse> {
  const [definition, history] = await Promise.all([
    unlessDenied(async () => target.findDefinition?.(name)),
    unlessDenied(async () => {
      const { entry } = await findLastEntry(id, (execution) => target.findExecution(name, execution), { from, isLeg })
      return entry < from ? undefined : target.findHistory(name, entryName(id, entry))
    }),
  ])
  return { name, ...(definition !== undefined && { definition }), ...(history !== undefined && { history }) }
}

async function unlessDenied<Data>(read: () => Promise<Data | undefined>): Promise<Data | undefined> {
  try {
    return await read()
  } catch (error) {
    if (awsErrorName(error) === 'AccessDeniedException') return undefined
    throw error
  }
}

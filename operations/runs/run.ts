// Reads the page of a run: its current report, the path that it took through its deployed state machine, and the facts
// of each leg. It also reads the page of an intent. Reads only, and asks the service nothing.

import { entryName } from '../../core/contract/fields.ts'
import { outcomeText } from '../../core/contract/outcome-names.ts'
import type { RunReport } from '../../core/contract/runs.ts'
import { MACHINE_OF_INTENTS, type StateMachine } from '../../core/contract/states.ts'
import { errorName } from '../../core/error-name.ts'
import { printable } from '../../core/printable.ts'
import { type EndOfWait, endOfWait } from '../../core/runs/approval/end-of-wait.ts'
import { type RunRecord, reportOfRun } from '../../core/runs/record/run-record.ts'
import { findLastEntry } from '../../core/triggers/entries.ts'
import type { ExecutionHistory } from '../../place/executions/execution-history.ts'
import type { Executions } from '../../place/executions/executions.ts'
import type { NamedJournal } from '../../place/journal/journal-parts.ts'
import { findRun, machineOf, verbOf } from '../../place/named-policy.ts'
import { failedWith, type OperationError } from '../../place/operation-error.ts'
import { atJournal, type Everywhere, type Reader } from '../../place/reader.ts'
import type { ForeignMovement } from '../movements/find-records.ts'
import { type IntentCourse, readCourse, readLegs } from '../movements/intent-course.ts'
import { assertId, findOneRecord } from '../movements/one-record.ts'
import { findOneIntent, RequestKind } from '../movements/record-kind.ts'
import { findUnrecorded, type Unrecorded } from '../movements/unrecorded.ts'
import { findStandsAgainst, type StandsAgainst } from './stands-against.ts'
import {
  type DecidedMovement,
  findMovementDecision,
  findWaitingMovements,
  type WaitingMovement,
} from './waiting-movements.ts'

/** One execution of a state machine, to be drawn. */
export interface MachineCourse {
  readonly name: StateMachine
  /** In the Amazon States Language; absent where no process that has it answers. */
  readonly definition?: string
  /** The history of the last execution; absent where it is no longer kept. */
  readonly history?: ExecutionHistory
}

export interface RunCourse extends Everywhere {
  readonly report: RunReport
  readonly waitsUntil?: string
  /** Present for a run whose wait for people is over, and that has not been entered since. */
  readonly waitEnded?: EndOfWait
  /** Present where it is approved, and something is known to stand against it. */
  readonly against?: StandsAgainst
  readonly machine: MachineCourse
  readonly legs: readonly IntentCourse[]
}

/** A run whose execution started, and that has no record in the journal. */
export interface UnrecordedRun extends Everywhere {
  readonly unrecorded: Unrecorded
}

export interface IntentPage extends Everywhere {
  readonly intent: IntentCourse
  readonly machine: MachineCourse
  /** Present while it waits for people to approve its terms. */
  readonly movement?: WaitingMovement
  /** Present from people's decision until the movement acts on it. */
  readonly decided?: DecidedMovement
}

export function readRun(reader: Reader, runId: string): Promise<RunCourse | UnrecordedRun> {
  return atJournal<Omit<RunCourse, keyof Everywhere> | Omit<UnrecordedRun, keyof Everywhere>>(
    reader,
    async (connection) => {
      const run = await findRun(runId, connection).catch(async (error: unknown) => {
        const unrecorded = await findUnrecorded(runId, RequestKind.Run, connection)
        if (unrecorded === undefined) throw error
        return { unrecorded }
      })
      if ('unrecorded' in run) return run
      const nowMs = reader.context.clock.nowMs()
      const waitEnded = endOfWait(run, nowMs)
      const against =
        waitEnded === 'approved'
          ? await findStandsAgainst(run, connection, { halts: await connection.haltsInForce(), nowMs })
          : undefined
      return {
        ...(await readRunCourse(run, connection)),
        ...(waitEnded !== undefined && { waitEnded }),
        ...(against !== undefined && { against }),
      }
    },
  )
}

/** @throws OperationError for a run without a record: it has no report, and nothing to decide */
export function assertRecorded(run: RunCourse | UnrecordedRun): RunCourse {
  if ('unrecorded' in run) throw notRecorded(run.unrecorded)
  return run
}

/** The same without the journal's halts and place, for a page that is saved. */
export async function readRunCourse(
  run: RunRecord,
  connection: MachineSource & Parameters<typeof readLegs>[1],
): Promise<Omit<RunCourse, keyof Everywhere>> {
  const report = reportOfRun(run)
  const [machine, legs] = await Promise.all([
    readMachine(machineOf[verbOf(run.asPlanned)], run.runId, connection, { from: run.entry }),
    readLegs(report, connection),
  ])
  return { report, ...waitOf(run), machine, legs }
}

type MachineSource = Pick<Executions, 'findDefinition' | 'findExecution' | 'findHistory'>

/** @throws OperationError where no intent has this id, or one of each kind has it */
export function readIntent(reader: Reader, intentId: string): Promise<IntentPage> {
  return atJournal(reader, async (connection) => {
    const known = await findOneIntent(intentId, undefined, connection.journal)
    const intent =
      known === undefined
        ? courseOf(await findUnrecorded(intentId, undefined, connection))
        : await readCourse(intentId, known.kind, connection)
    if (intent === undefined) throw noIntent(intentId, connection)
    const waiting = known === undefined ? [] : [known]
    const [movement] = await findWaitingMovements(waiting, connection, reader.context.clock.nowMs())
    const decided = known && (await findMovementDecision(known, connection))
    return {
      intent,
      ...(movement !== undefined && { movement }),
      ...(decided !== undefined && { decided }),
      machine: await readMachine(MACHINE_OF_INTENTS[intent.kind], intentId, connection, {
        isLeg: intent.run !== undefined,
      }),
    }
  })
}

interface FoundById {
  readonly kind: string
  readonly id: string
  /** Present where a foreign movement has the id. */
  readonly foreign?: ForeignMovement
}

/**
 * Finds the record with an id of any kind, as `sluice movements show` does.
 * @throws OperationError for an unknown or ambiguous id
 */
export function findById(reader: Reader, id: string): Promise<FoundById> {
  assertId(id)
  return atJournal(reader, async (connection) => {
    const found = await findOneRecord(id, {}, connection)
    if (found.kind === 'unrecorded') return { kind: found.unrecorded.kind, id: found.unrecorded.id }
    if (found.kind === 'foreign') return { kind: found.kind, id: found.foreign.id, foreign: found.foreign }
    return found.kind === 'run'
      ? { kind: found.kind, id: found.run.runId }
      : { kind: found.kind, id: found.intent.intentId }
  })
}

/** The facts of an execution without a record, for the page of its intent. */
function courseOf(unrecorded: Unrecorded | undefined): IntentCourse | undefined {
  if (unrecorded === undefined || unrecorded.kind === RequestKind.Run) return undefined
  const { id: intentId, kind, state, asked, startedAt: createdAt, why, facts } = unrecorded
  return { intentId, kind, state, asked, name: asked, createdAt, facts, ...(why !== undefined && { why }) }
}

function notRecorded({ id, asked, startedAt, state, why }: Unrecorded): OperationError {
  const is = `${id} (${asked}) started at ${startedAt} and has no record: ${outcomeText(state)}`
  return failedWith('refused', printable(why === undefined ? is : `${is}: ${why}`), { do: 'list-cases' })
}

function noIntent(intentId: string, { name }: NamedJournal): OperationError {
  return failedWith('refused', `the journal in ${name} has no intent ${printable(intentId)}`, { do: 'list-movements' })
}

function waitOf({ waiting }: RunRecord): { readonly waitsUntil?: string } {
  return waiting === undefined ? {} : { waitsUntil: waiting.until }
}

/**
 * `from`: an entry that is known to exist. The last entry is drawn, because each entry runs the whole machine. A caller
 * without the permission for one part sees the other parts.
 */
async function readMachine(
  name: StateMachine,
  id: string,
  connection: MachineSource,
  { from = 1, isLeg = false } = {},
): Promise<MachineCourse> {
  const [definition, history] = await Promise.all([
    unlessDenied(async () => connection.findDefinition?.(name)),
    unlessDenied(async () => {
      const { entry } = await findLastEntry(id, (execution) => connection.findExecution(name, execution), {
        from,
        isLeg,
      })
      return entry < from ? undefined : connection.findHistory(name, entryName(id, entry))
    }),
  ])
  return { name, ...(definition !== undefined && { definition }), ...(history !== undefined && { history }) }
}

async function unlessDenied<Data>(read: () => Promise<Data | undefined>): Promise<Data | undefined> {
  try {
    return await read()
  } catch (error) {
    if (errorName(error) === 'AccessDeniedException') return undefined
    throw error
  }
}

// Brings the execution of one operation to its end, on the embedded AWS or on AWS, wherever an earlier command left it.
// Returns its result. It prints nothing except progress.

import { DamagedLog, type EmbeddedAws } from '@sluice/embedded-aws'
import type { Clock } from '../../core/clock.ts'
import { intentIdOf } from '../../core/contract/fields.ts'
import type { PayoutRow } from '../../core/contract/payouts.ts'
import { StateMachine } from '../../core/contract/states.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { findLastEntry } from '../../core/triggers/entries.ts'
import type { AwsAddress } from '../../place/aws/aws-address.ts'
import type { NamedService } from '../../place/configuration.ts'
import type { Progress } from '../../place/context.ts'
import { isConnectionFailure } from '../../place/desk/join-desk.ts'
import { damagedExecution } from '../../place/desk/left-unfinished.ts'
import { withWhatMoved } from '../../place/desk/what-moved.ts'
import type { WatchedEvent } from '../../place/executions/execution-history.ts'
import { journalFailure } from '../../place/journal/journal-failure.ts'
import type { Step } from '../../place/next-step.ts'
import { type OperationError, operationErrorOf } from '../../place/operation-error.ts'
import type { Place } from '../../place/place.ts'
import { atRunningPlace, type RunningPlace } from '../../place/running-place.ts'
import { keepingRows, recordingRequester } from './ask-run.ts'
import { failureOfBegun } from './begun-run.ts'
import { type InputOf, nameOf, type Watch } from './execution-events.ts'
import type { WantedFaults } from './faults/wanted-faults.ts'
import { type MetFault, withFaults } from './faults/with-faults.ts'
import { type Executions, type Found, followExecution } from './follow-execution.ts'
import { createKeyFaultWatch, keyAtFault } from './key-fault.ts'
import { assertNotMoved } from './new-directory/assert-not-moved.ts'
import type { FinishedExecution, Operation, RunResult } from './operation.ts'
import { type RunConnection, withRemoteConnection } from './run-connection.ts'

/** A run whose input, configuration and keys are all known to be well formed. */
export interface CheckedRun<Request extends object, Result extends RunResult> {
  readonly operation: Operation<Request, Result>
  readonly watch: Watch<Request>
  readonly place: Place
  readonly request: Request
  readonly treasury: Treasury
  readonly service: NamedService | undefined
  readonly intentId: string
  /** The id that the person gave, of which `intentId` was made. Lists show it. */
  readonly ownId?: string
  /** The person who asks for it, where a state directory records that. Undefined also where the run was asked for before. */
  readonly requester: string | undefined
  /** The rows that the request names by pages: they are written before the start. */
  readonly rows?: readonly PayoutRow[]
  /** On AWS: starts it by Step Functions itself, where nobody is recorded as the requester. */
  readonly isDirect?: boolean
  /** Continues this run. */
  readonly again: Step
  /** Present where the run moves nothing. It then leaves unfinished executions to the command that is named here. */
  readonly leavesUnfinishedTo?: Step
  /** Present where a sandbox is to produce faults. `onMet` gets the faults that happened. */
  readonly faults?: WantedFaults
  readonly onMet?: (met: readonly MetFault[]) => void
}

/** @throws OperationError when there is no result. */
export function runToEnd<Request extends object, Result extends RunResult>(
  run: CheckedRun<Request, Result>,
  progress: Progress,
): Promise<Result> {
  const { operation, place, treasury, service, request, again, leavesUnfinishedTo } = run
  const atFault = Promise.withResolvers<never>()
  // It may reject before anybody waits for it.
  atFault.promise.catch(() => undefined)
  let booted: RunningPlace['here']
  const begunMs = place.context.clock.nowMs()
  const watch = watcherOf(run, progress, (executionArn) => booted?.describeExecution(executionArn).input, begunMs)
  const needs = {
    ...{ service, progress, again, leavesUnfinishedTo, command: 'run' },
    roles: leavesUnfinishedTo === undefined && !place.isAws ? operation.keyRoles(request, treasury) : [],
    onEvent: (executionArn: string, event: WatchedEvent) => {
      const fault = watch(executionArn, event)
      if (fault === undefined) return
      // The embedded AWS stops at once, so that an execution that waits for the right key neither counts a try nor
      // begins a wait.
      booted?.halt()
      atFault.reject(fault)
    },
  }
  const followHere = (here: EmbeddedAws, { newSince, clock }: RunningPlace) => {
    booted = here
    if (leavesUnfinishedTo === undefined) reportOthers(here, run.intentId, progress)
    const followed = follow(run, { executions: here, journal: here, newSince }, progress, clock)
    return Promise.race([
      atFault.promise,
      followed.catch((error: unknown) => {
        throw error instanceof DamagedLog ? damagedExecution(error, again) : error
      }),
    ])
  }
  return explaining(run, (onBegin) =>
    atRunningPlace(place, needs, (running) =>
      underFaults(run, running.controlUrl, () =>
        running.here === undefined
          ? followRemotely(run, running, { onBegin, progress, begunMs })
          : followHere(running.here, running),
      ),
    ),
  )
}

/** The same, where an error says what moved, and the progress is begun and ended here. */
export function runReporting<Request extends object, Result extends RunResult>(
  run: CheckedRun<Request, Result>,
  beginProgress: () => Progress,
): Promise<Result> {
  const { again, intentId, place } = run
  const progress = beginProgress()
  return runToEnd(run, progress)
    .catch(async (error: unknown) => {
      throw await withWhatMoved(error, { intentId, flags: place.flags, again }, place.context)
    })
    .finally(() => progress.end())
}

type OnBegin = (journal: AwsAddress) => void

/** An error of a run that was begun at a desk or on AWS says what the journal there shows. */
async function explaining<Request extends object, Result extends RunResult>(
  run: CheckedRun<Request, Result>,
  work: (onBegin: OnBegin) => Promise<Result>,
): Promise<Result> {
  let begunAt: AwsAddress | undefined
  try {
    return await work((journal) => {
      begunAt = journal
    })
  } catch (error) {
    // A run that only plans moves nothing, so its failure leaves nothing in doubt.
    if (begunAt === undefined || run.leavesUnfinishedTo !== undefined) throw error
    throw await failureOfBegun(error, { ...run, journal: begunAt, isElsewhere: true })
  }
}

/** `builtInUrl`: the control API of the built-in sandbox, where that is the service. */
function underFaults<Request extends object, Result extends RunResult>(
  { faults, onMet = () => undefined }: CheckedRun<Request, Result>,
  builtInUrl: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  if (faults === undefined) return work()
  const controlUrl = faults.controlUrl ?? builtInUrl
  if (controlUrl === undefined) throw new TypeError('only a sandbox is asked for faults')
  return withFaults(controlUrl, faults.faults, onMet, work)
}

interface RemoteRun {
  readonly onBegin: OnBegin
  readonly progress: Progress
  /** When the command began. */
  readonly begunMs: number
}

/** Follows the run at a desk of another process, or on AWS. */
function followRemotely<Request extends object, Result extends RunResult>(
  run: CheckedRun<Request, Result>,
  { address, clock, newSince }: RunningPlace,
  { onBegin, progress, begunMs }: RemoteRun,
): Promise<Result> {
  const inputs = new Map<string, string>()
  const watch = watcherOf(run, progress, (executionArn) => inputs.get(executionArn), begunMs)
  const onEvent = (executionArn: string, event: WatchedEvent) => {
    const input = event.executionStartedEventDetails?.input
    if (input !== undefined) inputs.set(executionArn, input)
    const fault = watch(executionArn, event)
    if (fault !== undefined) throw fault
  }
  const note = (text: string) => progress.line({ label: 'found', text, tone: 'wait' })
  const isAsked = run.place.isAws && run.isDirect !== true
  const asking = isAsked ? { ownId: run.ownId, note, rows: run.rows } : undefined
  return withRemoteConnection({ address, asking, clock, onEvent, onBegin: () => onBegin(address) }, (connection) =>
    follow(isAsked ? withoutRows(run) : run, { ...connection, newSince }, progress, clock),
  )
}

/**
 * Reports each event. `sinceMs`: when the command began, because earlier events are reported too.
 * @returns the error with which the command ends, where the key of this id's movements is at fault
 */
function watcherOf<Request extends object, Result extends RunResult>(
  { watch: report, intentId, request, again }: CheckedRun<Request, Result>,
  progress: Progress,
  inputOf: InputOf,
  sinceMs: number,
): (executionArn: string, event: WatchedEvent) => OperationError | undefined {
  const watch = report(intentId, request, progress, inputOf)
  const findFault = createKeyFaultWatch(sinceMs)
  return (executionArn, event) => {
    watch(executionArn, event)
    const fault = findFault(executionArn, event)
    if (fault === undefined || !isOf(intentId, nameOf(executionArn), inputOf(executionArn) ?? '{}')) return undefined
    return keyAtFault(fault, again)
  }
}

async function follow<Request extends object, Result extends RunResult>(
  run: CheckedRun<Request, Result>,
  connection: RunConnection,
  progress: Progress,
  clock: Clock,
): Promise<Result> {
  const { operation, intentId, request } = run
  let isBegun = false
  const begun = reportingBegin(connection.executions, () => {
    isBegun = true
  })
  await assertNotElsewhere(run, connection, progress, clock)
  const onFound = (found: Found) => reportFound(found, connection.isRemote === true, progress)
  const { stateMachine, noun, mayChange } = operation
  const { journal } = connection
  const recorded = { journal, clock, ownId: run.ownId }
  const keeping = run.rows === undefined ? begun : keepingRows(begun, run.rows, journal)
  const executions = run.requester === undefined ? keeping : recordingRequester(keeping, run.requester, recorded)
  const mayItChange = mayChange && ((kept: FinishedExecution) => mayChange(kept, journal))
  try {
    const options = { stateMachine, intentId, request, noun, onFound, mayChange: mayItChange }
    return await operation.resultOf(await followExecution(executions, options), journal)
  } catch (error) {
    // If nothing was begun, this command has moved nothing. At a desk, its end may explain a broken connection. Here
    // the embedded AWS runs in this process, and without the answer nobody knows what it has moved.
    const isForDesk = connection.isRemote === true && isConnectionFailure(error)
    if (error instanceof DamagedLog || isForDesk) throw error
    if (!isBegun) throw journalFailure(error)
    const isDefect = operationErrorOf(error).code === 'defect'
    throw isDefect ? await failureOfBegun(error, { ...run, journal, isElsewhere: false }) : error
  }
}

/** The function that starts the run writes its rows. */
function withoutRows<Request extends object, Result extends RunResult>({
  rows: _rows,
  ...run
}: CheckedRun<Request, Result>): CheckedRun<Request, Result> {
  return run
}

/** `onBegin`: called before an execution is started, or followed that was started before. */
function reportingBegin(executions: Executions, onBegin: () => void): Executions {
  return {
    findExecution: (stateMachine, name) => executions.findExecution(stateMachine, name),
    startExecution(asked) {
      onBegin()
      return executions.startExecution(asked)
    },
    untilFinished(executionArn) {
      onBegin()
      return executions.untilFinished(executionArn)
    },
  }
}

/** Checks an id only the first time that it is used here. After that the journal knows it. */
async function assertNotElsewhere<Request extends object, Result extends RunResult>(
  { operation, intentId, request, treasury, service, place: { settings } }: CheckedRun<Request, Result>,
  { executions, journal, newSince }: RunConnection,
  progress: Progress,
  clock: Clock,
): Promise<void> {
  if (service === undefined || newSince === undefined) return
  const test = operation.movesOf(request, treasury)
  const { kept } = await findLastEntry(intentId, (name) => executions.findExecution(operation.stateMachine, name))
  if (test === undefined || kept !== undefined) return
  const { stateDir, configFile } = settings
  const where = { state: stateDir, config: configFile, service: service.url, keys: settings.service?.keysFile ?? '-' }
  await assertNotMoved(intentId, test, {
    stateDir,
    newSince,
    url: service.url,
    readKey: service.readKey,
    journal,
    timing: treasury.timing,
    clock,
    progress,
    foreign: { do: 'declare-foreign', at: where },
    attention: { do: 'list-cases', at: where },
  })
}

function reportFound(found: Found, isRemote: boolean, progress: Progress): void {
  const texts: Readonly<Record<Found, string | undefined>> = {
    new: undefined,
    finished: 'this id has already run: its result, nothing is started',
    'under way': isRemote
      ? 'this id is under way already: following it'
      : 'an earlier run was cut off: continuing where it stopped',
    failed: 'an earlier run did not end: entering the failed state again',
    unsettled: 'it began earlier, and has not ended: entering it again',
  }
  const text = texts[found]
  if (text !== undefined) progress.line({ label: 'found', text, tone: 'plain' })
}

/** Unfinished executions of other ids continued when the embedded AWS booted. */
function reportOthers(aws: EmbeddedAws, intentId: string, progress: Progress): void {
  const others = Object.values(StateMachine)
    .flatMap((stateMachine) => aws.listExecutions(stateMachine, true))
    .filter(({ name, input }) => !isOf(intentId, name, input))
  if (others.length === 0) return
  const text = `unfinished runs that continue meanwhile, and are not waited for: ${others.length}`
  progress.line({ label: 'found', text, tone: 'plain' })
}

/** Whether an execution belongs to the id itself, or to one of its legs. */
function isOf(intentId: string, name: string, input: string): boolean {
  if (intentIdOf(name) === intentId) return true
  const { run }: { readonly run?: unknown } = JSON.parse(input)
  return run === intentId
}

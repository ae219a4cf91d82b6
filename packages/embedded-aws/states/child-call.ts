// Performs a Task that starts another state machine. The Task continues at once, or waits for the child's end
// (`.sync:2`). When the Task is stopped, it stops the child. Its attempt finds the child again after a restart, and a
// child is lost once nobody waits for it.
// Source: AWS Step Functions, "Start workflow executions from a task state" and "Run a Job (.sync)".
import { createHash } from 'node:crypto'
import { AwsError } from '../aws-error.ts'
import type { StartedChild } from './child-access.ts'
import { describe, type ExecutionDescription, redriveStatus } from './execution-description.ts'
import type { LoggedExecution, StartedBy } from './execution-log.ts'
import type { Integration } from './history.ts'
import {
  integrationEvents,
  submitted,
  type TaskAttempt,
  type TaskCall,
  type TaskOutcome,
} from './integration-events.ts'
import { isJsonObject, type Json, type JsonObject, parseJson, payloadText, StateFailure, StatesError } from './json.ts'
import { livePositions, positionOf } from './position.ts'
import { Halt, type Run, record } from './run.ts'

const INTEGRATIONS: Readonly<Record<'start' | 'start-and-wait', Integration>> = {
  start: { resourceType: 'states', resource: 'startExecution' },
  'start-and-wait': { resourceType: 'states', resource: 'startExecution.sync:2' },
}

/** Throws StateFailure when the parameters describe no execution. */
export function childCall(
  run: Run,
  kind: 'start' | 'start-and-wait',
  parameters: Json,
  attempt: TaskAttempt,
): TaskCall {
  const startedBy = {
    executionArn: run.execution.arn,
    enteredId: attempt.enteredId,
    attempt: attemptName(run.execution.redriveCount, attempt.retryCount),
    waits: kind === 'start-and-wait',
  }
  const request = { ...readParameters(parameters, startedBy), startedBy }
  const integration = INTEGRATIONS[kind]
  return {
    ...integrationEvents(integration, run, parameters),
    async perform(timeoutMs): Promise<TaskOutcome> {
      try {
        const started = run.children.start(request)
        if (kind === 'start') return { kind: 'answered', result: startedResult(started) }
        if (attempt.submittedMs === undefined) {
          record(run, [submitted(integration, JSON.stringify(startedResult(started)))])
        }
        const ended = await endInTime(run, started.executionArn, timeoutMs)
        return ended === undefined ? { kind: 'timed-out' } : outcomeOf(ended)
      } catch (error) {
        if (error instanceof AwsError) return refused(error)
        throw error
      }
    },
  }
}

function readParameters(parameters: Json, startedBy: StartedBy) {
  const { StateMachineArn, Name, Input } = isJsonObject(parameters) ? parameters : {}
  if (typeof StateMachineArn !== 'string') throw wrongType('StateMachineArn', 'string')
  if (Name !== undefined && typeof Name !== 'string') throw wrongType('Name', 'string')
  return {
    stateMachineArn: StateMachineArn,
    name: Name ?? nameFor(startedBy),
    // A string counts as JSON already, as on AWS.
    input: typeof Input === 'string' ? Input : payloadText(Input ?? {}, 'states'),
  }
}

/**
 * Returns a name for the execution. AWS uses a random one; here an attempt needs the same name after a restart of the
 * process.
 */
function nameFor(startedBy: StartedBy): string {
  const hash = createHash('sha256').update(JSON.stringify(startedBy)).digest('hex')
  return hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Returns undefined when the time-out came first, after stopping the child. */
async function endInTime(
  run: Run,
  executionArn: string,
  timeoutMs: number | undefined,
): Promise<ExecutionDescription | undefined> {
  const over = new AbortController()
  const signal = AbortSignal.any([run.signal, over.signal])
  const cause = `The Task state in AWS Step Functions execution [${run.execution.arn}] which was managing this resource was aborted`
  const onStop = () => {
    if (!(run.signal.reason instanceof Halt)) run.children.stop(executionArn, cause)
  }
  run.signal.addEventListener('abort', onStop, { once: true })
  try {
    const ended = run.children.untilEnded(executionArn, signal)
    if (timeoutMs === undefined) return await ended
    const late = run.clock.sleep(timeoutMs, signal).then(() => undefined)
    const first = await Promise.race([ended, late])
    if (first === undefined) run.children.stop(executionArn, cause)
    return first
  } finally {
    run.signal.removeEventListener('abort', onStop)
    over.abort(new Error('nobody waits for it any more'))
  }
}

function outcomeOf(ended: ExecutionDescription): TaskOutcome {
  const result = describedResult(ended)
  if (ended.status === 'SUCCEEDED') return { kind: 'answered', result }
  // In a cause the input stays text, even with `.sync:2`.
  return { kind: 'failed', error: StatesError.TaskFailed, cause: JSON.stringify({ ...result, Input: ended.input }) }
}

function startedResult({ executionArn, requestId, startDate }: StartedChild): Json {
  return {
    ExecutionArn: executionArn,
    SdkHttpMetadata: { HttpStatusCode: 200 },
    SdkResponseMetadata: { RequestId: requestId },
    StartDate: startDate.getTime(),
  }
}

/** Returns DescribeExecution's answer in the form of `.sync:2`: names in Pascal case, input and output as JSON. */
function describedResult(ended: ExecutionDescription): JsonObject {
  const redrive = redriveStatus(ended.status)
  return {
    ...(ended.cause !== undefined && { Cause: ended.cause }),
    ...(ended.error !== undefined && { Error: ended.error }),
    ExecutionArn: ended.executionArn,
    Input: parseJson(ended.input),
    InputDetails: { Included: true },
    Name: ended.name,
    ...(ended.output !== undefined && {
      Output: parseJson(ended.output),
      OutputDetails: { Included: true },
    }),
    RedriveCount: ended.redriveCount,
    RedriveStatus: redrive.status,
    ...(redrive.reason !== undefined && { RedriveStatusReason: redrive.reason }),
    StartDate: ended.startDate.getTime(),
    StateMachineArn: ended.stateMachineArn,
    Status: ended.status,
    ...(ended.stopDate !== undefined && { StopDate: ended.stopDate.getTime() }),
  }
}

/**
 * Returns the integration's error for an error of the API. Its name is the SDK's class; for a denial by IAM it is the
 * service's own class.
 */
function refused({ message, name, status }: AwsError): TaskOutcome {
  const named = name === 'AccessDeniedException' ? 'AWSStepFunctionsException' : name
  return {
    kind: 'failed',
    error: `StepFunctions.${named.replace(/(Exception)?$/, 'Exception')}`,
    cause: `${message} (Service: AWSStepFunctions; Status Code: ${status}; Error Code: ${name}; Proxy: null)`,
  }
}

function wrongType(field: string, type: string): StateFailure {
  return new StateFailure(StatesError.Runtime, `${field} is not a ${type}`)
}

/** Names an attempt at a state. The same name returns only after a restart of the process. */
export function attemptName(redriveCount: number, retryCount: number): string {
  return `${redriveCount}.${retryCount}`
}

export function isSameAttempt(startedBy: StartedBy | undefined, other: StartedBy | undefined): boolean {
  return startedBy !== undefined && JSON.stringify(startedBy) === JSON.stringify(other)
}

/**
 * Whether the Task that waited for this execution is gone, with its execution or its branch. `isUnknown`: whether the
 * state of an execution is unknown.
 */
export function isOrphan(
  { header }: LoggedExecution,
  unfinished: ReadonlyMap<string, LoggedExecution>,
  isUnknown: (executionArn: string) => boolean,
): boolean {
  const { startedBy } = header
  if (startedBy?.waits !== true) return false
  if (isUnknown(startedBy.executionArn)) return false
  const parent = unfinished.get(startedBy.executionArn)
  if (parent === undefined || isOrphan(parent, unfinished, isUnknown)) return true
  const { redriveCount } = describe(parent)
  return !livePositions(positionOf(parent)).some(({ enteredId, retries }) => {
    const retryCount = (retries?.counts ?? []).reduce((sum, count) => sum + count, 0)
    return enteredId === startedBy.enteredId && attemptName(redriveCount, retryCount) === startedBy.attempt
  })
}

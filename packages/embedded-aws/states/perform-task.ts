// A Task state: makes its call, within its time, with the events of its kind in the history: a function, the Lambda
// integration, or another state machine (child-call.ts).
import { type Exit, effectiveInput, performAttempts, type Result, type ScopeOf } from './attempts.ts'
import { attemptName, childCall } from './child-call.ts'
import type { TaskState } from './definition.ts'
import { failureDetails } from './history.ts'
import { integrationEvents, type TaskAttempt, type TaskCall, type TaskOutcome, within } from './integration-events.ts'
import { isJsonObject, type Json, parseJson, payloadText, StateFailure, StatesError } from './json.ts'
import { readAt, type Scope } from './path.ts'
import type { Position } from './position.ts'
import { ExecutionTimeout, type Invocation, type Run, record } from './run.ts'
import { tokenCall } from './token-call.ts'

/** Throws a StateFailure that no catcher handles. */
export async function performTask(run: Run, state: TaskState, position: Position, scopeOf: ScopeOf): Promise<Exit> {
  return performAttempts(run, state, position, scopeOf, {
    attempt: (scope, retryCount, resumed) => {
      const place = { enteredId: position.enteredId, retryCount, submittedMs: resumed?.submittedMs }
      if (state.call !== 'invoke-and-wait') return attempt(run, state, scope, place)
      const token = run.tokens.tokenOf(place.enteredId, attemptName(run.execution.redriveCount, retryCount))
      const context = { ...(isJsonObject(scope.context) && scope.context), Task: { Token: token } }
      return attempt(run, state, { ...scope, context }, { ...place, token, answered: resumed?.answered })
    },
  })
}

async function attempt(run: Run, state: TaskState, scope: Scope, place: TaskAttempt): Promise<Result> {
  const input = effectiveInput(state, scope)
  const timeoutSeconds = secondsOf(state.timeoutSeconds, scope, 'TimeoutSecondsPath')
  const heartbeatSeconds = secondsOf(state.heartbeatSeconds, scope, 'HeartbeatSecondsPath')
  const call = taskCall(run, state, input.data, { ...place, heartbeatSeconds })
  if (place.submittedMs === undefined && place.answered === undefined) record(run, call.scheduled(timeoutSeconds))
  await run.journal.sync()
  run.signal.throwIfAborted()
  const outcome = await callInTime(run, call, timeoutSeconds, place.submittedMs ?? run.clock.nowMs())
  if (outcome.kind === 'timed-out') {
    record(run, [call.timedOut()])
    throw new StateFailure(StatesError.Timeout)
  }
  return { result: resultOf(run, call, outcome) }
}

function secondsOf(given: TaskState['timeoutSeconds'], scope: Scope, field: string): number | undefined {
  if (given === undefined || typeof given === 'number') return given
  const seconds = readAt(given, scope, field)
  if (typeof seconds === 'number' && Number.isInteger(seconds) && seconds > 0) return seconds
  throw new StateFailure(StatesError.Runtime, `${field} does not lead to a positive whole number`)
}

/** Makes the call. The execution's deadline counts too, and takes precedence. */
async function callInTime(
  run: Run,
  call: TaskCall,
  timeoutSeconds: number | undefined,
  sinceMs: number,
): Promise<TaskOutcome> {
  const nowMs = run.clock.nowMs()
  const executionLeftMs = run.deadlineMs - nowMs
  if (executionLeftMs <= 0) throw new ExecutionTimeout()
  const taskMs = timeoutSeconds === undefined ? Number.POSITIVE_INFINITY : sinceMs + timeoutSeconds * 1000 - nowMs
  const timeoutMs = Math.max(0, Math.min(executionLeftMs, taskMs))
  const outcome = await call.perform(Number.isFinite(timeoutMs) ? timeoutMs : undefined)
  run.signal.throwIfAborted()
  if (outcome.kind === 'timed-out' && outcome.isLateBeat !== true && executionLeftMs <= taskMs)
    throw new ExecutionTimeout()
  return outcome
}

function resultOf(run: Run, call: TaskCall, outcome: Exclude<TaskOutcome, { kind: 'timed-out' }>): Json {
  if (outcome.kind === 'failed') {
    if (outcome.isRecorded !== true) record(run, [call.failed(outcome.error, outcome.cause)])
    throw new StateFailure(outcome.error, outcome.cause)
  }
  if (outcome.isRecorded === true) return outcome.result
  try {
    record(run, [call.succeeded(payloadText(outcome.result, call.owner))])
  } catch (failure) {
    if (failure instanceof StateFailure) record(run, [call.failed(failure.error, failure.reason)])
    throw failure
  }
  return outcome.result
}

/** Throws StateFailure when the input cannot be sent. */
export function taskCall(run: Run, state: TaskState, input: Json, attempt: TaskAttempt): TaskCall {
  switch (state.call) {
    case 'function':
      return directCall(run, state.resource, input)
    case 'invoke':
      return integrationCall(run, input)
    case 'invoke-and-wait':
      return tokenCall(run, input, attempt, integrationCall(run, input).perform)
    case 'start':
    case 'start-and-wait':
      return childCall(run, state.call, input, attempt)
  }
}

function directCall(run: Run, functionArn: string, input: Json): TaskCall {
  const payload = payloadText(input, functionArn)
  return {
    owner: functionArn,
    perform: async (timeoutMs) =>
      outcomeOf(await run.invoke({ functionId: functionArn, payload, timeoutMs }), (answer) =>
        parseJson(answer.payload),
      ),
    scheduled: (timeoutSeconds) => [
      {
        type: 'LambdaFunctionScheduled',
        lambdaFunctionScheduledEventDetails: { resource: functionArn, input: payload, ...within(timeoutSeconds) },
      },
      { type: 'LambdaFunctionStarted' },
    ],
    succeeded: (text) => ({
      type: 'LambdaFunctionSucceeded',
      lambdaFunctionSucceededEventDetails: { output: text },
    }),
    failed: (error, cause) => ({
      type: 'LambdaFunctionFailed',
      lambdaFunctionFailedEventDetails: failureDetails(error, cause),
    }),
    timedOut: () => ({
      type: 'LambdaFunctionTimedOut',
      lambdaFunctionTimedOutEventDetails: { error: StatesError.Timeout },
    }),
  }
}

/** The integration `arn:aws:states:::lambda:invoke`: Parameters name the function, and the result wraps its answer. */
function integrationCall(run: Run, parameters: Json): TaskCall {
  const functionId = isJsonObject(parameters) ? parameters.FunctionName : undefined
  if (!isJsonObject(parameters) || typeof functionId !== 'string') {
    throw new StateFailure(StatesError.Runtime, 'FunctionName is not a string')
  }
  const payload = payloadText(parameters.Payload ?? {}, 'lambda')
  return {
    ...integrationEvents({ resourceType: 'lambda', resource: 'invoke' }, run, parameters),
    perform: async (timeoutMs) => outcomeOf(await run.invoke({ functionId, payload, timeoutMs }), invokeResult),
  }
}

function invokeResult(answer: Answer): Json {
  return {
    ExecutedVersion: '$LATEST',
    Payload: parseJson(answer.payload),
    SdkHttpMetadata: { HttpStatusCode: 200 },
    SdkResponseMetadata: { RequestId: answer.requestId },
    StatusCode: 200,
  }
}

type Answer = Extract<Invocation, { kind: 'answered' }>

function outcomeOf(invocation: Invocation, resultOf: (answer: Answer) => Json): TaskOutcome {
  return invocation.kind === 'answered' ? { kind: 'answered', result: resultOf(invocation) } : invocation
}

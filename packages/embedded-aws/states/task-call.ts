// Implements the ways in which a Task calls something, each with its events in the history: a function, the Lambda
// integration, or another state machine (child-call.ts).
// Source: AWS Step Functions, "Invoke a Lambda function with Step Functions".
import { childCall } from './child-call.ts'
import type { TaskState } from './definition.ts'
import { failureDetails } from './history.ts'
import { integrationEvents, type TaskAttempt, type TaskCall, type TaskOutcome, within } from './integration-events.ts'
import { isJsonObject, type Json, parseJson, payloadText, StateFailure, StatesError } from './json.ts'
import type { Invocation, Run } from './run.ts'
import { tokenCall } from './token-call.ts'

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

// The ways in which a Task calls a function, and how each shows in the history. Another service
// integration would be another TaskCall.
// Source: AWS Step Functions, "Invoke a Lambda function with Step Functions".
import type { TaskState } from './definition.ts'
import { type EventDraft, failureDetails, type LambdaIntegration } from './history.ts'
import { isJsonObject, type Json, payloadText, StateFailure, StatesError } from './json.ts'
import type { Invocation } from './run.ts'

/** One way of calling a function: what is sent, what comes back, and the events that tell of it. */
export interface TaskCall {
  readonly functionId: string
  readonly payload: string
  /** Names the call in the failure of a result that is too large. */
  readonly owner: string
  scheduled(timeoutSeconds: number | undefined): readonly EventDraft[]
  succeeded(output: string): EventDraft
  failed(error: string, cause: string | undefined): EventDraft
  timedOut(): EventDraft
  result(answer: Extract<Invocation, { kind: 'answered' }>): Json
}

/** Throws StateFailure where the input cannot be sent. */
export function taskCall(state: TaskState, input: Json, region: string): TaskCall {
  return state.call === 'function' ? directCall(state.resource, input) : integrationCall(region, input)
}

function directCall(functionArn: string, input: Json): TaskCall {
  const payload = payloadText(input, functionArn)
  return {
    functionId: functionArn,
    payload,
    owner: functionArn,
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
    result: (answer) => JSON.parse(answer.payload) as Json,
  }
}

const INVOKE: LambdaIntegration = { resourceType: 'lambda', resource: 'invoke' }

/** `arn:aws:states:::lambda:invoke`: Parameters name the function, the result wraps its answer. */
function integrationCall(region: string, parameters: Json): TaskCall {
  const functionId = isJsonObject(parameters) ? parameters.FunctionName : undefined
  if (!isJsonObject(parameters) || typeof functionId !== 'string') {
    throw new StateFailure(StatesError.Runtime, 'FunctionName is not a string')
  }
  return {
    functionId,
    payload: payloadText(parameters.Payload ?? {}, 'lambda'),
    owner: 'lambda',
    scheduled: (timeoutSeconds) => [
      {
        type: 'TaskScheduled',
        taskScheduledEventDetails: {
          ...INVOKE,
          region,
          parameters: JSON.stringify(parameters),
          ...within(timeoutSeconds),
        },
      },
      { type: 'TaskStarted', taskStartedEventDetails: INVOKE },
    ],
    succeeded: (text) => ({ type: 'TaskSucceeded', taskSucceededEventDetails: { ...INVOKE, output: text } }),
    failed: (error, cause) => ({
      type: 'TaskFailed',
      taskFailedEventDetails: { ...INVOKE, ...failureDetails(error, cause) },
    }),
    timedOut: () => ({ type: 'TaskTimedOut', taskTimedOutEventDetails: { ...INVOKE, error: StatesError.Timeout } }),
    result: (answer) => ({
      ExecutedVersion: '$LATEST',
      Payload: JSON.parse(answer.payload) as Json,
      SdkHttpMetadata: { HttpStatusCode: 200 },
      SdkResponseMetadata: { RequestId: answer.requestId },
      StatusCode: 200,
    }),
  }
}

function within(timeoutInSeconds: number | undefined): { readonly timeoutInSeconds?: number } {
  return timeoutInSeconds === undefined ? {} : { timeoutInSeconds }
}

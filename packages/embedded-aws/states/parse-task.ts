// Reads a Task state: its resource and its parameters.

import { Refusal } from '../aws-error.ts'
import type { Fields } from '../fields.ts'
import type { TaskKind, TaskState } from './definition.ts'
import { parseCatchers, parseRetriers } from './parse-attempts.ts'
import { findDataPath, findTemplate, parseInputAndOutput, parseNext, parseSelection } from './state-fields.ts'
import { passesToken } from './task-tokens.ts'

/** ARN of a function, or of a version of it. */
const FUNCTION_ARN = /^arn:[a-z-]+:lambda:[a-z0-9-]+:\d{12}:function:[A-Za-z0-9_-]{1,64}(:\d{1,10})?$/
const INTEGRATION = /^arn:[a-z-]+:states:::(.+)$/

/** Integrations, by the end of their ARN, with their parameters. The first parameter is required. */
const INTEGRATIONS: Readonly<Record<string, { readonly kind: TaskKind; readonly parameters: readonly string[] }>> = {
  'lambda:invoke': { kind: 'invoke', parameters: ['FunctionName', 'Payload'] },
  'lambda:invoke.waitForTaskToken': { kind: 'invoke-and-wait', parameters: ['FunctionName', 'Payload'] },
  'states:startExecution': { kind: 'start', parameters: ['StateMachineArn', 'Name', 'Input'] },
  'states:startExecution.sync:2': { kind: 'start-and-wait', parameters: ['StateMachineArn', 'Name', 'Input'] },
}

const MOST_SECONDS = 99_999_999

export function parseTask(name: string, fields: Fields): TaskState {
  const resource = fields.text('Resource')
  const call = FUNCTION_ARN.test(resource) ? 'function' : parseIntegration(resource, fields)
  const timeoutSeconds = parseSeconds(fields, 'TimeoutSeconds')
  return {
    type: 'Task',
    name,
    call,
    resource,
    ...parseInputAndOutput(fields),
    parameters: findTemplate(fields, 'Parameters'),
    resultSelector: findTemplate(fields, 'ResultSelector'),
    resultPath: parseSelection(fields, 'ResultPath'),
    timeoutSeconds,
    heartbeatSeconds: call === 'invoke-and-wait' ? parseHeartbeat(fields, timeoutSeconds) : undefined,
    retry: parseRetriers(fields),
    catch: parseCatchers(fields),
    next: parseNext(fields),
  }
}

function parseSeconds(fields: Fields, name: 'TimeoutSeconds' | 'HeartbeatSeconds'): TaskState['timeoutSeconds'] {
  return fields.findWhole(name, 1, MOST_SECONDS) ?? findDataPath(fields, `${name}Path`)
}

function parseHeartbeat(fields: Fields, timeoutSeconds: TaskState['timeoutSeconds']): TaskState['heartbeatSeconds'] {
  const heartbeatSeconds = parseSeconds(fields, 'HeartbeatSeconds')
  const isTooLong =
    typeof heartbeatSeconds === 'number' && typeof timeoutSeconds === 'number' && heartbeatSeconds >= timeoutSeconds
  if (isTooLong) throw fields.refuse('HeartbeatSeconds', 'must be less than TimeoutSeconds')
  return heartbeatSeconds
}

function parseIntegration(resource: string, fields: Fields): TaskKind {
  const name = INTEGRATION.exec(resource)?.[1] ?? ''
  const integration = Object.hasOwn(INTEGRATIONS, name) ? INTEGRATIONS[name] : undefined
  if (integration === undefined) {
    const known = Object.keys(INTEGRATIONS).join(', arn:aws:states:::')
    throw fields.refuse('Resource', `${resource} is neither a function's ARN nor one of arn:aws:states:::${known}`)
  }
  const parameters = fields.object('Parameters')
  const [required = ''] = integration.parameters
  if (!parameters.has(required) && !parameters.has(`${required}.$`)) throw parameters.refuse(required, 'is missing')
  if (integration.kind === 'invoke-and-wait' && !passesToken(fields.raw('Parameters'))) {
    throw new Refusal(parameters.where, 'must pass $$.Task.Token, which the Task waits for')
  }
  parameters.ignore(integration.parameters.flatMap((name) => [name, `${name}.$`])).close()
  return integration.kind
}

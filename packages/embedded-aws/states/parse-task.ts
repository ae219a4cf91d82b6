// Reads a Task state: its resource and its parameters.
import type { Fields } from '../fields.ts'
import type { TaskKind, TaskState } from './definition.ts'
import { parseCatchers, parseRetriers } from './parse-attempts.ts'
import { findDataPath, findTemplate, parseInputAndOutput, parseNext, parseSelection } from './state-fields.ts'

/** ARN of a function, or of a version of it. */
const FUNCTION_ARN = /^arn:[a-z-]+:lambda:[a-z0-9-]+:\d{12}:function:[A-Za-z0-9_-]{1,64}(:\d{1,10})?$/
const INTEGRATION = /^arn:[a-z-]+:states:::(.+)$/

/** Integrations, by the end of their ARN, with their parameters. The first parameter is required. */
const INTEGRATIONS: Readonly<Record<string, { readonly kind: TaskKind; readonly parameters: readonly string[] }>> = {
  'lambda:invoke': { kind: 'invoke', parameters: ['FunctionName', 'Payload'] },
  'states:startExecution': { kind: 'start', parameters: ['StateMachineArn', 'Name', 'Input'] },
  'states:startExecution.sync:2': { kind: 'start-and-wait', parameters: ['StateMachineArn', 'Name', 'Input'] },
}

const MOST_SECONDS = 99_999_999

export function parseTask(name: string, fields: Fields): TaskState {
  const resource = fields.text('Resource')
  const call = FUNCTION_ARN.test(resource) ? 'function' : parseIntegration(resource, fields)
  const timeout = fields.findWhole('TimeoutSeconds', 1, MOST_SECONDS)
  return {
    type: 'Task',
    name,
    call,
    resource,
    ...parseInputAndOutput(fields),
    parameters: findTemplate(fields, 'Parameters'),
    resultSelector: findTemplate(fields, 'ResultSelector'),
    resultPath: parseSelection(fields, 'ResultPath'),
    timeoutSeconds: timeout ?? findDataPath(fields, 'TimeoutSecondsPath'),
    retry: parseRetriers(fields),
    catch: parseCatchers(fields),
    next: parseNext(fields),
  }
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
  parameters.ignore(integration.parameters.flatMap((name) => [name, `${name}.$`])).close()
  return integration.kind
}

// Reads one state of a definition. Refuses by name every field that is not read, so that no state runs without a part
// of it.
import { Refusal } from '../aws-error.ts'
import { definitionFields, type Fields } from '../fields.ts'
import { parseTest } from './choice-rule.ts'
import type { ChoiceState, MapState, PassState, State, TaskKind, TaskState, WaitState } from './definition.ts'
import { findTimestamp, type Json } from './json.ts'
import { parseCatchers, parseRetriers } from './parse-attempts.ts'
import type { Path } from './path.ts'
import { type Computed, parseComputed } from './payload-template.ts'
import { findDataPath, findTemplate, parseInputAndOutput, parseNext, parseSelection } from './state-fields.ts'
import { passesToken } from './task-tokens.ts'

const MOST_WAIT_SECONDS = 99_999_999

/** `parseMap` reads a Map. The caller provides it, because it reads the Map's states too. Throws Refusal. */
export function parseState(name: string, value: unknown, where: string, parseMap: ParseMap): State {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are refused.
  if (!/^[^\u0000-\u001f\u007f-\u009f]{1,80}$/.test(name)) {
    throw new Refusal(where, 'a state name has 1 to 80 characters, and no control characters')
  }
  const fields = definitionFields(value, where)
  const type = fields.text('Type')
  const queryLanguage = fields.findText('QueryLanguage') ?? 'JSONPath'
  if (queryLanguage !== 'JSONPath') throw fields.refuse('QueryLanguage', 'only JSONPath is supported')
  const state = parseByType(type, name, fields, parseMap)
  fields.close()
  return state
}

type ParseMap = (fields: Fields) => MapState

function parseByType(type: string, name: string, fields: Fields, parseMap: ParseMap): State {
  switch (type) {
    case 'Task':
      return parseTask(name, fields)
    case 'Map':
      return parseMap(fields)
    case 'Pass':
      return parsePass(name, fields)
    case 'Choice':
      return parseChoice(name, fields)
    case 'Wait':
      return parseWait(name, fields)
    case 'Succeed':
      return { type, name, ...parseInputAndOutput(fields) }
    case 'Fail':
      return { type: 'Fail', name, error: parseReason(fields, 'Error'), cause: parseReason(fields, 'Cause') }
    default:
      throw fields.refuse('Type', `${type} is not supported`)
  }
}

function parsePass(name: string, fields: Fields): PassState {
  return {
    type: 'Pass',
    name,
    ...parseInputAndOutput(fields),
    parameters: findTemplate(fields, 'Parameters'),
    // A definition is JSON, so each value in it is JSON.
    result: fields.raw('Result') as Json | undefined,
    resultPath: parseSelection(fields, 'ResultPath'),
    next: parseNext(fields),
  }
}

function parseChoice(name: string, fields: Fields): ChoiceState {
  const rules = fields.list('Choices')
  if (rules.length === 0) throw fields.refuse('Choices', 'must hold at least one rule')
  return {
    type: 'Choice',
    name,
    ...parseInputAndOutput(fields),
    choices: rules.map((value, index) => {
      const rule = definitionFields(value, `${fields.where}.Choices[${index}]`)
      const choice = { next: rule.text('Next'), test: parseTest(rule) }
      rule.close()
      return choice
    }),
    otherwise: fields.findText('Default'),
  }
}

function parseWait(name: string, fields: Fields): WaitState {
  const given = ['Seconds', 'SecondsPath', 'Timestamp', 'TimestampPath'].filter((name) => fields.has(name))
  if (given.length !== 1)
    throw new Refusal(fields.where, 'exactly one of Seconds, SecondsPath, Timestamp, TimestampPath')
  return { type: 'Wait', name, ...parseInputAndOutput(fields), until: parseUntil(fields), next: parseNext(fields) }
}

function parseUntil(fields: Fields): WaitState['until'] {
  const seconds = fields.findWhole('Seconds', 0, MOST_WAIT_SECONDS) ?? findDataPath(fields, 'SecondsPath')
  if (seconds !== undefined) return { seconds }
  const timestamp = fields.findText('Timestamp')
  if (timestamp !== undefined && findTimestamp(timestamp) === undefined) {
    throw fields.refuse('Timestamp', 'must be an RFC 3339 timestamp')
  }
  // One of the four fields is present, and it is not one of the other three.
  return { timestamp: timestamp ?? (findDataPath(fields, 'TimestampPath') as Path) }
}

/** The functions that ErrorPath and CausePath may call. AWS: "Fail workflow state". */
const REASON_CALLS: readonly string[] = ['States.Format', 'States.JsonToString', 'States.ArrayGetItem']

function parseReason(fields: Fields, field: 'Error' | 'Cause'): string | Computed | undefined {
  const computed = fields.findText(`${field}Path`)
  if (computed === undefined) return fields.findText(field)
  if (fields.has(field)) throw fields.refuse(`${field}Path`, `cannot be given together with ${field}`)
  const parsed = parseComputed(computed, `${fields.where}.${field}Path`)
  const call = 'call' in parsed && parsed.call.kind === 'call' ? parsed.call.name : undefined
  if (call === undefined || REASON_CALLS.includes(call)) return parsed
  throw fields.refuse(`${field}Path`, `only ${REASON_CALLS.join(', ')} give a text here`)
}

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

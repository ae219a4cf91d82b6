// Reads one state of a definition. Refuses by name every field that is not read, so that no state runs without a part
// of it.

import { Refusal } from '../aws-error.ts'
import type { Fields } from '../fields.ts'
import { definitionFields } from '../fields.ts'
import { parseTest } from './choice-rule.ts'
import type { ChoiceState, FailState, MapState, PassState, State, WaitState } from './definition.ts'
import { findTimestamp, type Json } from './json.ts'
import { parseTask } from './parse-task.ts'
import type { Path } from './path.ts'
import { type Computed, parseComputed } from './payload-template.ts'
import { findDataPath, findTemplate, parseInputAndOutput, parseNext, parseSelection } from './state-fields.ts'

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
      return parseFail(name, fields)
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

function parseFail(name: string, fields: Fields): FailState {
  return { type: 'Fail', name, error: parseReason(fields, 'Error'), cause: parseReason(fields, 'Cause') }
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

// Reads a Task state: which function it calls and how, its retriers and its catchers.
import { Fields } from '../fields.ts'
import { Refusal } from '../refusal.ts'
import type { Catcher, Retrier, TaskState } from './definition.ts'
import { StatesError } from './json.ts'
import { findPath, findTemplate, parseInputAndOutput, parseNext, parseSelection } from './state-fields.ts'

const FUNCTION_ARN = /^arn:[a-z-]+:lambda:[a-z0-9-]+:\d{12}:function:[A-Za-z0-9_-]{1,64}$/
const INVOKE = /^arn:[a-z-]+:states:::lambda:invoke$/

const MOST_SECONDS = 99_999_999
/** AWS: MaxDelaySeconds is less than a year and a day. */
const MOST_DELAY_SECONDS = 31_622_399

export function parseTask(name: string, fields: Fields): TaskState {
  const resource = fields.text('Resource')
  const call = FUNCTION_ARN.test(resource) ? 'function' : INVOKE.test(resource) ? 'invoke' : undefined
  if (call === undefined) {
    throw fields.refuse('Resource', `${resource} is neither a function's ARN nor arn:aws:states:::lambda:invoke`)
  }
  if (call === 'invoke') checkInvokeParameters(fields)
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
    timeoutSeconds: timeout ?? findPath(fields, 'TimeoutSecondsPath'),
    retry: parseEach(fields, 'Retry', parseRetrier),
    catch: parseEach(fields, 'Catch', parseCatcher),
    next: parseNext(fields),
  }
}

function checkInvokeParameters(fields: Fields): void {
  const parameters = fields.object('Parameters')
  if (!parameters.has('FunctionName') && !parameters.has('FunctionName.$')) {
    throw parameters.refuse('FunctionName', 'is missing')
  }
  parameters.ignore(['FunctionName', 'FunctionName.$', 'Payload', 'Payload.$']).close()
}

/** Retriers or catchers, in order; States.ALL stands alone and last, as AWS demands. */
function parseEach<T extends { readonly errors: readonly string[] }>(
  fields: Fields,
  name: 'Retry' | 'Catch',
  parse: (entry: Fields) => T,
): readonly T[] {
  if (!fields.has(name)) return []
  const values = fields.list(name)
  return values.map((value, index) => {
    const entry = new Fields(value, `${fields.where}.${name}[${index}]`).ignore(['Comment'])
    const parsed = parse(entry)
    entry.close()
    const isAll = parsed.errors.includes(StatesError.All)
    if (isAll && (parsed.errors.length > 1 || index < values.length - 1)) {
      throw entry.refuse('ErrorEquals', `${StatesError.All} must stand alone and in the last entry`)
    }
    return parsed
  })
}

function parseErrors(entry: Fields): readonly string[] {
  const errors = entry.list('ErrorEquals')
  if (errors.length === 0) throw entry.refuse('ErrorEquals', 'must name at least one error')
  return errors.map((error) => {
    if (typeof error === 'string') return error
    throw entry.refuse('ErrorEquals', 'must hold names of errors')
  })
}

function parseRetrier(entry: Fields): Retrier {
  const intervalSeconds = entry.findWhole('IntervalSeconds', 1, MOST_SECONDS) ?? 1
  const maxDelaySeconds = entry.findWhole('MaxDelaySeconds', 1, MOST_DELAY_SECONDS)
  if (maxDelaySeconds !== undefined && maxDelaySeconds <= intervalSeconds) {
    throw entry.refuse('MaxDelaySeconds', 'must be more than IntervalSeconds')
  }
  const jitter = entry.findText('JitterStrategy') ?? 'NONE'
  if (jitter !== 'FULL' && jitter !== 'NONE') throw entry.refuse('JitterStrategy', 'must be FULL or NONE')
  return {
    errors: parseErrors(entry),
    intervalSeconds,
    maxAttempts: entry.findWhole('MaxAttempts', 0, MOST_SECONDS) ?? 3,
    backoffRate: entry.findNumber('BackoffRate', 1, 1_000_000) ?? 2,
    maxDelaySeconds,
    fullJitter: jitter === 'FULL',
  }
}

function parseCatcher(entry: Fields): Catcher {
  const next = entry.findText('Next')
  if (next === undefined) throw new Refusal(entry.where, 'Next is missing')
  return { errors: parseErrors(entry), resultPath: parseSelection(entry, 'ResultPath'), next }
}

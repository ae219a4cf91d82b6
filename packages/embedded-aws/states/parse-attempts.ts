// Reads the retriers and catchers of a Task or a Map.

import { Refusal } from '../aws-error.ts'
import type { Fields } from '../fields.ts'
import { definitionFields } from '../fields.ts'
import type { Catcher, Retrier } from './definition.ts'
import { StatesError } from './json.ts'
import { parseSelection } from './state-fields.ts'

const MOST_SECONDS = 99_999_999
/** AWS requires MaxDelaySeconds below a year and a day. */
const MOST_DELAY_SECONDS = 31_622_399

/** The reserved error names. Source: AWS Step Functions, "Error names". */
const RESERVED: ReadonlySet<string> = new Set([
  ...Object.values(StatesError),
  'States.BranchFailed',
  'States.ExceedToleratedFailureThreshold',
  'States.HeartbeatTimeout',
  'States.Http.Socket',
  'States.ItemReaderFailed',
  'States.NoChoiceMatched',
  'States.ParameterPathFailure',
  'States.Permissions',
  'States.QueryEvaluationError',
  'States.ResultWriterFailed',
])

export function parseRetriers(fields: Fields): readonly Retrier[] {
  return parseEach(fields, 'Retry', parseRetrier)
}

export function parseCatchers(fields: Fields): readonly Catcher[] {
  return parseEach(fields, 'Catch', parseCatcher)
}

/** Parses the entries in order. As AWS requires, States.ALL must be alone in its entry, and the entry the last. */
function parseEach<T extends { readonly errors: readonly string[] }>(
  fields: Fields,
  name: 'Retry' | 'Catch',
  parse: (entry: Fields) => T,
): readonly T[] {
  if (!fields.has(name)) return []
  const values = fields.list(name)
  return values.map((value, index) => {
    const entry = definitionFields(value, `${fields.where}.${name}[${index}]`)
    const parsed = parse(entry)
    entry.close()
    const isAll = parsed.errors.includes(StatesError.All)
    if (isAll && (parsed.errors.length > 1 || index < values.length - 1)) {
      throw entry.refuse('ErrorEquals', `${StatesError.All} must stand alone and in the last entry`)
    }
    return parsed
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

function parseErrors(entry: Fields): readonly string[] {
  const errors = entry.list('ErrorEquals')
  if (errors.length === 0) throw entry.refuse('ErrorEquals', 'must name at least one error')
  return errors.map((error) => {
    if (typeof error !== 'string') throw entry.refuse('ErrorEquals', 'must hold names of errors')
    // Other names with this prefix do not exist. AWS refuses them too, as mistakes.
    if (error.startsWith('States.') && !RESERVED.has(error))
      throw entry.refuse('ErrorEquals', `${error} is not an error of Step Functions`)
    return error
  })
}

function parseCatcher(entry: Fields): Catcher {
  const next = entry.findText('Next')
  if (next === undefined) throw new Refusal(entry.where, 'Next is missing')
  return { errors: parseErrors(entry), resultPath: parseSelection(entry, 'ResultPath'), next }
}

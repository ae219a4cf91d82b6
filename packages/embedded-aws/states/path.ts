// Reference paths (`$.a['b'][0]`, `$$.Execution.Name`), parsed once, then read and written often. Refuses the rest of
// JSONPath (wildcards, slices, filters, `..`).
// Source: Amazon States Language, "Reference Paths" and "The Context Object".
import { isJsonList, isJsonObject, type Json, type JsonObject, StateFailure, StatesError, withField } from './json.ts'

export interface Path {
  readonly text: string
  /** `$` reads a state's data, `$$` the context object. */
  readonly source: 'data' | 'context'
  readonly steps: readonly (string | number)[]
}

/** The values that paths apply to. */
export interface Scope {
  readonly data: Json
  readonly context: Json
}

/** A text is not a supported path. The caller knows its place. */
export class PathError extends Error {
  override readonly name = 'PathError'
}

const STEP = /\.([A-Za-z_][A-Za-z0-9_-]*)|\[(0|[1-9]\d{0,8})\]|\['((?:[^'\\]|\\['\\])*)'\]|\["((?:[^"\\]|\\["\\])*)"\]/y

/** Throws PathError. */
export function parsePath(text: string): Path {
  const source = text.startsWith('$$') ? 'context' : 'data'
  if (!text.startsWith('$')) throw new PathError(`"${text}" is not a path: it must start with $`)
  const steps: (string | number)[] = []
  let at = source === 'context' ? 2 : 1
  while (at < text.length) {
    STEP.lastIndex = at
    const match = STEP.exec(text)
    if (match === null) {
      throw new PathError(`"${text}" goes beyond a reference path at position ${at} (supported: $.a['b'][0])`)
    }
    const quoted = match[3] ?? match[4]
    if (match[2] !== undefined) steps.push(Number(match[2]))
    else steps.push(match[1] ?? (quoted ?? '').replaceAll(/\\(.)/g, '$1'))
    at = STEP.lastIndex
  }
  return { text, source, steps }
}

/** Returns the value at the path, or undefined when it is absent. A JSON null is a value. */
export function findAt(path: Path, scope: Scope): Json | undefined {
  let value: Json | undefined = path.source === 'context' ? scope.context : scope.data
  for (const step of path.steps) {
    if (typeof step === 'number') value = Array.isArray(value) ? value[step] : undefined
    else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
    if (value === undefined) return undefined
  }
  return value
}

/**
 * Returns the value at the path. Throws StateFailure States.Runtime, which cannot be caught; `field` names the
 * definition's field in it.
 */
export function readAt(path: Path, scope: Scope, field: string): Json {
  const value = findAt(path, scope)
  if (value !== undefined) return value
  const reason = PLAIN_FIELDS.includes(field)
    ? `Invalid path '${path.text}' : ${whereItEnds(path, scope)}`
    : `The JSONPath '${path.text}' specified for the field '${field}' could not be found in the input`
  throw new StateFailure(StatesError.Runtime, reason)
}

/** Fields for which AWS was recorded to use the error text of its JSONPath library. */
const PLAIN_FIELDS = ['InputPath', 'OutputPath', 'TimeoutSecondsPath']

function whereItEnds({ source, steps, text }: Path, scope: Scope): string {
  const found = steps.findIndex((_, at) => findAt({ text, source, steps: steps.slice(0, at + 1) }, scope) === undefined)
  const shown = steps.slice(0, found + 1).map((step) => (typeof step === 'number' ? `[${step}]` : `['${step}']`))
  const ends = `$${shown.join('')}`
  return found === steps.length - 1 ? `No results for path: ${ends}` : `Missing property in path ${ends}`
}

/**
 * Returns `into` with `value` at the path. Missing objects on the path are created; list items must exist. Throws
 * StateFailure States.ResultPathMatchFailure when the shape of `into` does not allow it.
 */
export function writeAt(path: Path, into: Json, value: Json): Json {
  return writeSteps(path.steps, into, value, path.text)
}

function writeSteps(steps: Path['steps'], into: Json | undefined, value: Json, text: string): Json {
  const [step, ...rest] = steps
  if (step === undefined) return value
  if (typeof step === 'number') {
    if (!isJsonList(into) || step >= into.length) throw noMatch(text)
    return into.with(step, writeSteps(rest, into[step], value, text))
  }
  if (into !== undefined && !isJsonObject(into)) throw noMatch(text)
  const object: JsonObject = into ?? {}
  const inner = Object.hasOwn(object, step) ? object[step] : undefined
  return withField(object, step, writeSteps(rest, inner, value, text))
}

function noMatch(text: string): StateFailure {
  return new StateFailure(
    StatesError.ResultPathMatchFailure,
    `Unable to apply ReferencePath ${text}: the input has another shape`,
  )
}

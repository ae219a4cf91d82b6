// Reference paths (`$.a['b'][0]`, `$$.Execution.Name`): parsed once, read and written often.
// The rest of JSONPath (wildcards, slices, filters, `..`) is refused when it is parsed.
// Source: Amazon States Language, "Reference Paths" and "The Context Object".
import { isJsonList, isJsonObject, type Json, type JsonObject, StateFailure, StatesError, withField } from './json.ts'

export interface Path {
  readonly text: string
  /** `$` reads a state's data, `$$` the context object. */
  readonly source: 'data' | 'context'
  readonly steps: readonly (string | number)[]
}

/** What a path may be applied to. */
export interface Scope {
  readonly data: Json
  readonly context: Json
}

/** Why a text is not a path that is understood here. The caller knows where it stands. */
export class PathError extends Error {
  override readonly name = 'PathError'
}

const STEP = /\.([A-Za-z_][A-Za-z0-9_]*)|\[(0|[1-9]\d{0,8})\]|\['((?:[^'\\]|\\['\\])*)'\]|\["((?:[^"\\]|\\["\\])*)"\]/y

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

/** The value at the path, or undefined where there is none (a JSON null is a value). */
export function findAt(path: Path, scope: Scope): Json | undefined {
  let value: Json | undefined = path.source === 'context' ? scope.context : scope.data
  for (const step of path.steps) {
    if (typeof step === 'number') value = Array.isArray(value) ? value[step] : undefined
    else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
    if (value === undefined) return undefined
  }
  return value
}

/** The value at the path; `field` names the definition's field in the failure (States.Runtime, which nothing catches). */
export function readAt(path: Path, scope: Scope, field: string): Json {
  const value = findAt(path, scope)
  if (value !== undefined) return value
  const why = PLAIN_FIELDS.includes(field)
    ? `Invalid path '${path.text}' : ${whereItEnds(path, scope)}`
    : `The JSONPath '${path.text}' specified for the field '${field}' could not be found in the input`
  throw new StateFailure(StatesError.Runtime, why)
}

/** Of these AWS was recorded to tell in the words of its library for paths. */
const PLAIN_FIELDS = ['InputPath', 'OutputPath', 'TimeoutSecondsPath']

function whereItEnds({ source, steps, text }: Path, scope: Scope): string {
  const found = steps.findIndex((_, at) => findAt({ text, source, steps: steps.slice(0, at + 1) }, scope) === undefined)
  const named = steps.slice(0, found + 1).map((step) => (typeof step === 'number' ? `[${step}]` : `['${step}']`))
  const ends = `$${named.join('')}`
  return found === steps.length - 1 ? `No results for path: ${ends}` : `Missing property in path ${ends}`
}

/**
 * `into` with `value` put at the path: objects on the way are made, list items must exist already.
 * Throws StateFailure States.ResultPathMatchFailure where the shape of `into` makes it impossible.
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

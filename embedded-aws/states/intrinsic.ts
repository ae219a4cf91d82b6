// Intrinsic functions of payload templates: States.Format, JsonToString, StringToJson, StringSplit,
// Array, ArrayGetItem and MathAdd. Parsed once; every other name is refused. Source: Amazon States Language, "Intrinsic Functions".
import { isJsonList, type Json, parseJson, StateFailure, StatesError } from './json.ts'
import { findAt, type Path, PathError, parsePath, type Scope } from './path.ts'

export type Expression =
  | { readonly kind: 'literal'; readonly value: Json }
  | { readonly kind: 'path'; readonly path: Path }
  | { readonly kind: 'call'; readonly name: IntrinsicName; readonly args: readonly Expression[] }

type IntrinsicName = keyof typeof ARITY

/** How many arguments each takes: least, most. */
const ARITY = {
  'States.Format': [1, 100],
  'States.JsonToString': [1, 1],
  'States.StringToJson': [1, 1],
  'States.StringSplit': [2, 2],
  'States.Array': [0, 1000],
  'States.ArrayGetItem': [2, 2],
  'States.MathAdd': [2, 2],
} as const

const MOST_NESTED = 10
const TOKEN =
  /\s*(?:(States\.[A-Za-z0-9]+)\s*\(|'((?:[^'\\]|\\.)*)'|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=\s*[,)])|(true|false|null)(?=\s*[,)])|(\$[^,()\s]*))/y

/** Parses `States.X(…)`. Throws PathError for anything else. */
export function parseIntrinsic(text: string): Expression {
  const reader = { text, at: 0 }
  const expression = parseArgument(reader, 0)
  if (expression.kind !== 'call' || text.slice(reader.at).trim() !== '') throw notUnderstood(reader)
  return expression
}

interface Reader {
  readonly text: string
  at: number
}

function parseArgument(reader: Reader, depth: number): Expression {
  TOKEN.lastIndex = reader.at
  const match = TOKEN.exec(reader.text)
  if (match === null) throw notUnderstood(reader)
  reader.at = TOKEN.lastIndex
  const [, call, quoted, number, word, path] = match
  if (call !== undefined) return parseCall(reader, call, depth + 1)
  // Braces keep their backslash: they are States.Format's to read.
  if (quoted !== undefined) return { kind: 'literal', value: quoted.replaceAll(/\\(['\\])/g, '$1') }
  if (number !== undefined) return { kind: 'literal', value: Number(number) }
  if (word !== undefined) return { kind: 'literal', value: parseJson(word) }
  return { kind: 'path', path: parsePath(path ?? '') }
}

function parseCall(reader: Reader, name: string, depth: number): Expression {
  if (!isIntrinsicName(name)) throw new PathError(`the intrinsic function ${name} is not supported`)
  if (depth > MOST_NESTED) throw new PathError(`intrinsic functions nest more than ${MOST_NESTED} deep`)
  const args: Expression[] = []
  if (!take(reader, ')')) {
    do args.push(parseArgument(reader, depth))
    while (take(reader, ','))
    if (!take(reader, ')')) throw notUnderstood(reader)
  }
  const [least, most] = ARITY[name]
  if (args.length < least || args.length > most) throw new PathError(`${name} does not take ${args.length} arguments`)
  return { kind: 'call', name, args }
}

function take(reader: Reader, mark: string): boolean {
  const rest = reader.text.slice(reader.at)
  const spaces = rest.length - rest.trimStart().length
  if (rest[spaces] !== mark) return false
  reader.at += spaces + 1
  return true
}

function isIntrinsicName(name: string): name is IntrinsicName {
  return Object.hasOwn(ARITY, name)
}

function notUnderstood(reader: Reader): PathError {
  return new PathError(`"${reader.text}" is not understood at position ${reader.at}`)
}

/** Throws StateFailure: States.Runtime for a missing path, States.IntrinsicFailure for arguments of the wrong type. */
export function evaluate(expression: Expression, scope: Scope, field: string): Json {
  if (expression.kind === 'literal') return expression.value
  if (expression.kind === 'path') {
    const value = findAt(expression.path, scope)
    if (value !== undefined) return value
    throw new StateFailure(
      StatesError.Runtime,
      `The JsonPath argument for the field '${expression.path.text}' of '${field}' could not be found in the input`,
    )
  }
  const args = expression.args.map((arg) => evaluate(arg, scope, field))
  return INTRINSICS[expression.name](args)
}

const INTRINSICS: Readonly<Record<IntrinsicName, (args: readonly Json[]) => Json>> = {
  'States.Format': ([template, ...values]) => format(template, values),
  'States.JsonToString': ([value]) => JSON.stringify(value),
  'States.StringToJson': ([text]) => stringToJson(text),
  'States.StringSplit': ([text, splitter]) => stringSplit(text, splitter),
  'States.Array': (items) => items,
  'States.ArrayGetItem': ([items, index]) => arrayGetItem(items, index),
  'States.MathAdd': ([left, right]) => mathAdd(left, right),
}

function format(template: Json | undefined, values: readonly Json[]): string {
  if (typeof template !== 'string') throw failed('States.Format', 'its first argument must be a string')
  let next = 0
  const text = template.replaceAll(/\\(.)|\{\}/g, (whole, escaped: string | undefined) => {
    if (escaped !== undefined) return '{}\\'.includes(escaped) ? escaped : whole
    return placed(values[next++])
  })
  if (next !== values.length) throw failed('States.Format', `${values.length} values for ${next} places`)
  return text
}

function placed(value: Json | undefined): string {
  if (value === undefined) throw failed('States.Format', 'fewer values than places')
  if (typeof value === 'object' && value !== null) throw failed('States.Format', 'a value is an object or a list')
  return String(value)
}

function stringToJson(text: Json | undefined): Json {
  if (typeof text !== 'string') throw failed('States.StringToJson', 'its argument must be a string')
  try {
    return parseJson(text)
  } catch {
    throw failed('States.StringToJson', 'its argument is not JSON')
  }
}

function stringSplit(text: Json | undefined, splitter: Json | undefined): string[] {
  if (typeof text !== 'string' || typeof splitter !== 'string') {
    throw failed('States.StringSplit', 'both arguments must be strings')
  }
  // How AWS reads several delimiting characters, or an empty piece, is not published: these fail
  // here rather than differ.
  if (splitter.length !== 1) throw failed('States.StringSplit', 'the delimiter must be one character')
  const pieces = text.split(splitter)
  if (pieces.includes('')) throw failed('States.StringSplit', 'a piece is empty')
  return pieces
}

function arrayGetItem(items: Json | undefined, index: Json | undefined): Json {
  if (!isJsonList(items) || !isInt32(index)) {
    throw failed('States.ArrayGetItem', 'the arguments must be a list and a whole number')
  }
  const item = items[index]
  if (item === undefined) throw failed('States.ArrayGetItem', `the list has no item ${index}`)
  return item
}

function mathAdd(left: Json | undefined, right: Json | undefined): number {
  // AWS rounds fractions; how is not published, so they fail here rather than differ.
  if (!isInt32(left) || !isInt32(right)) throw failed('States.MathAdd', 'both arguments must be 32-bit whole numbers')
  const sum = left + right
  if (!isInt32(sum)) throw failed('States.MathAdd', 'the sum does not fit 32 bits')
  return sum
}

function isInt32(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value + 0.5) <= 2 ** 31
}

function failed(name: string, why: string): StateFailure {
  return new StateFailure(StatesError.IntrinsicFailure, `${name}: ${why}`)
}

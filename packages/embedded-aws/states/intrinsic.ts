// Intrinsic functions in payload templates: parsed once with every check that AWS makes when a machine is created, then
// called. They behave as recorded from AWS; a case that was never recorded fails with States.IntrinsicFailure.
import { isJsonList, isJsonObject, type Json, parseJson, StateFailure, StatesError } from './json.ts'
import { findAt, type Path, PathError, parsePath, type Scope } from './path.ts'

export type Expression =
  | { readonly kind: 'literal'; readonly value: Json }
  /** The text between the apostrophes, with its backslashes. */
  | { readonly kind: 'quoted'; readonly text: string }
  | { readonly kind: 'path'; readonly path: Path }
  | { readonly kind: 'call'; readonly name: IntrinsicName; readonly args: readonly Expression[] }

const MOST_NESTED = 10
/** Between apostrophes AWS accepts a backslash only before an apostrophe, a brace or a backslash, and refuses `\"`. */
const TOKEN =
  /\s*(?:(States\.[A-Za-z0-9]+)\s*\(|'((?:[^'\\]|\\['{}\\])*)'|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=\s*[,)])|(true|false|null)(?=\s*[,)])|(\$[^,()\s]*))/y

/** Parses `States.X(…)`. Throws PathError for anything else. */
export function parseIntrinsic(text: string): Expression {
  const reader = { text, at: 0 }
  const expression = parseArgument(reader, 0)
  if (expression.kind !== 'call' || text.slice(reader.at).trim() !== '') throw syntaxError(reader)
  return expression
}

interface Reader {
  readonly text: string
  at: number
}

function parseArgument(reader: Reader, depth: number): Expression {
  TOKEN.lastIndex = reader.at
  const match = TOKEN.exec(reader.text)
  if (match === null) throw syntaxError(reader)
  reader.at = TOKEN.lastIndex
  const [, call, quoted, number, keyword, path] = match
  if (call !== undefined) return parseCall(reader, call, depth + 1)
  if (quoted !== undefined) return { kind: 'quoted', text: quoted }
  if (number !== undefined) return { kind: 'literal', value: Number(number) }
  if (keyword !== undefined) return { kind: 'literal', value: parseJson(keyword) }
  return { kind: 'path', path: parsePath(path ?? '') }
}

function parseCall(reader: Reader, name: string, depth: number): Expression {
  if (!isIntrinsicName(name)) throw new PathError(`the intrinsic function ${name} is not supported`)
  if (depth > MOST_NESTED) throw new PathError(`intrinsic functions nest more than ${MOST_NESTED} deep`)
  const args: Expression[] = []
  if (!take(reader, ')')) {
    do args.push(parseArgument(reader, depth))
    while (take(reader, ','))
    if (!take(reader, ')')) throw syntaxError(reader)
  }
  const [least, most] = ARITY[name]
  if (args.length < least || args.length > most) throw new PathError(`${name} does not take ${args.length} arguments`)
  if (name === 'States.Format') checkTemplate(args)
  return { kind: 'call', name, args }
}

/** Checks that a constant template has a placeholder for each value. */
function checkTemplate([template, ...values]: readonly Expression[]): void {
  if (template?.kind === 'literal') throw new PathError('the first argument of States.Format must be a string')
  if (template?.kind !== 'quoted') return
  const plain = template.text.replaceAll(/\\./g, '')
  const placeholders = plain.split('{}').length - 1
  if (/[{}]/.test(plain.replaceAll('{}', '')))
    throw new PathError(`States.Format has a brace without a backslash before it`)
  if (placeholders !== values.length)
    throw new PathError(`States.Format has ${values.length} values for ${placeholders} placeholders`)
}

function take(reader: Reader, character: string): boolean {
  const rest = reader.text.slice(reader.at)
  const spaces = rest.length - rest.trimStart().length
  if (rest[spaces] !== character) return false
  reader.at += spaces + 1
  return true
}

function isIntrinsicName(name: string): name is IntrinsicName {
  return Object.hasOwn(ARITY, name)
}

function syntaxError(reader: Reader): PathError {
  return new PathError(`"${reader.text}" has an error at position ${reader.at}`)
}

/** Throws StateFailure: States.Runtime for a missing path, States.IntrinsicFailure for arguments of the wrong type. */
export function evaluate(expression: Expression, scope: Scope, field: string): Json {
  if (expression.kind === 'literal') return expression.value
  if (expression.kind === 'quoted') return expression.text.replaceAll(/\\(.)/g, '$1')
  if (expression.kind === 'path') {
    const value = findAt(expression.path, scope)
    if (value !== undefined) return value
    throw new StateFailure(
      StatesError.Runtime,
      `The JsonPath argument for the field '${expression.path.text}' of '${field}' could not be found in the input`,
    )
  }
  const [first, ...rest] = expression.args
  // A template keeps its backslashes, because States.Format reads its placeholders.
  const isTemplate = expression.name === 'States.Format' && first?.kind === 'quoted'
  const left = first && (isTemplate ? first.text : evaluate(first, scope, field))
  const args = rest.map((arg) => evaluate(arg, scope, field))
  return INTRINSICS[expression.name](left === undefined ? args : [left, ...args])
}

export type IntrinsicName = keyof typeof ARITY

/** Number of arguments of each function: minimum and maximum. */
export const ARITY = {
  'States.Format': [1, 100],
  'States.JsonToString': [1, 1],
  'States.StringToJson': [1, 1],
  'States.JsonMerge': [3, 3],
  'States.StringSplit': [2, 2],
  'States.Array': [0, 1000],
  'States.ArrayGetItem': [2, 2],
  'States.MathAdd': [2, 2],
} as const

export const INTRINSICS: Readonly<Record<IntrinsicName, (args: readonly Json[]) => Json>> = {
  'States.Format': ([template, ...values]) => format(template, values),
  'States.JsonToString': ([value]) => JSON.stringify(value),
  'States.StringToJson': ([text]) => stringToJson(text),
  'States.JsonMerge': ([left, right, isDeep]) => jsonMerge(left, right, isDeep),
  'States.StringSplit': ([text, splitter]) => stringSplit(text, splitter),
  'States.Array': (items) => items,
  'States.ArrayGetItem': ([items, index]) => arrayGetItem(items, index),
  'States.MathAdd': ([left, right]) => mathAdd(left, right),
}

function format(template: Json | undefined, values: readonly Json[]): string {
  if (typeof template !== 'string') throw failed('States.Format', 'its first argument must be a string')
  let next = 0
  const text = template.replaceAll(/\\(.)|\{\}/g, (whole, escaped: string | undefined) => {
    if (escaped !== undefined) return `'{}\\`.includes(escaped) ? escaped : whole
    return placeholderText(values[next++])
  })
  if (next !== values.length) throw failed('States.Format', `${values.length} values for ${next} placeholders`)
  return text
}

function placeholderText(value: Json | undefined): string {
  if (value === undefined) throw failed('States.Format', 'fewer values than placeholders')
  return typeof value === 'string' ? value : shown(value)
}

/** Formats a value as Java does, like AWS: `{Arg1=1, Arg2=[]}`. */
function shown(value: Json): string {
  if (isJsonList(value)) return `[${value.map(shown).join(', ')}]`
  if (isJsonObject(value)) {
    const fields = Object.entries(value).map(([name, inner]) => `${name}=${shown(inner)}`)
    return `{${fields.join(', ')}}`
  }
  // Java writes exponents where JavaScript does not. What AWS writes was never recorded.
  if (typeof value === 'number' && !Number.isSafeInteger(value) && !isPlainFraction(value)) {
    throw failed('States.Format', 'a number is too large, or a fraction too small or too large')
  }
  return String(value)
}

function isPlainFraction(value: number): boolean {
  return Math.abs(value) >= 0.001 && Math.abs(value) < 10_000_000
}

function stringToJson(text: Json | undefined): Json {
  if (typeof text !== 'string') throw failed('States.StringToJson', 'its argument must be a string')
  if (text.trim() === '') return null
  try {
    return parseJson(text)
  } catch {
    throw failed('States.StringToJson', 'its argument is not JSON')
  }
}

/** The second object's fields replace those of the first. AWS has only the shallow merge. */
function jsonMerge(left: Json | undefined, right: Json | undefined, isDeep: Json | undefined): Json {
  if (!isJsonObject(left) || !isJsonObject(right) || isDeep !== false)
    throw failed('States.JsonMerge', 'the arguments must be two objects and false')
  return { ...left, ...right }
}

function stringSplit(text: Json | undefined, splitter: Json | undefined): string[] {
  if (typeof text !== 'string' || typeof splitter !== 'string') {
    throw failed('States.StringSplit', 'both arguments must be strings')
  }
  // AWS's result for an empty delimiter was never recorded.
  if (splitter === '') throw failed('States.StringSplit', 'the delimiter is empty')
  const pieces = ['']
  for (const character of text) {
    if (splitter.includes(character)) pieces.push('')
    else pieces.push(`${pieces.pop()}${character}`)
  }
  return pieces.filter((piece) => piece !== '')
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
  const sum = rounded(left) + rounded(right)
  if (!isInt32(sum)) throw failed('States.MathAdd', 'the sum does not fit 32 bits')
  return sum
}

/** Rounds an argument, halves upwards. */
function rounded(value: Json | undefined): number {
  const whole = typeof value === 'number' ? Math.round(value) : value
  if (!isInt32(whole)) throw failed('States.MathAdd', 'both arguments must be numbers of 32 bits')
  // Adding 0 turns JavaScript's -0 into 0.
  return whole + 0
}

function isInt32(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value + 0.5) <= 2 ** 31
}

function failed(name: string, reason: string): StateFailure {
  return new StateFailure(StatesError.IntrinsicFailure, `${name}: ${reason}`)
}

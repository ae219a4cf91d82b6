// Calls of intrinsic functions in payload templates, parsed once with every check that AWS makes when a machine is
// created. Refuses a name that intrinsic-functions.ts does not have. Source: Amazon States Language, "Intrinsic
// Functions".
import { ARITY, INTRINSICS, type IntrinsicName } from './intrinsic-functions.ts'
import { type Json, parseJson, StateFailure, StatesError } from './json.ts'
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
  if (expression.kind === 'quoted') return unescaped(expression.text)
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

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/g, '$1')
}

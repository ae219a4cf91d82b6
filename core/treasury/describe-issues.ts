// Owns the message for each fault in a person's input: field, expectation, found value, and the fix. It never quotes a
// value that might be a secret. Used for treasury.json and for input of the command line. Finds the schema of a field
// by its path, which knows the inside of zod's definitions.
import type * as z from 'zod/mini'
import { NO_EXPECTATION, openUnion, SCHEMA_MESSAGES } from '../contract/schema-messages.ts'
import { pathText } from '../policies/policy-fault.ts'
import { nearestName } from './nearest-name.ts'

type Issue = z.core.$ZodIssue

/** The parsed data, or its faults, each as one line. */
export type Checked<Data> = { readonly data: Data } | { readonly findings: readonly string[] }

/**
 * Parses input that a person wrote. A finding reads `<root>: <path>: expected <expectation>; got <kind of value>`. For
 * an unknown key it suggests the nearest known key. For a value of the wrong type it states the field's own
 * expectation.
 */
export function checkInput<Schema extends z.ZodMiniType>(
  schema: Schema,
  input: unknown,
  root: string,
): Checked<z.output<Schema>> {
  const { data, error } = schema.safeParse(input, { ...SCHEMA_MESSAGES, reportInput: true })
  if (error === undefined) return { data: data as z.output<Schema> }
  const findings = firstOfEachField(error.issues.flatMap(openUnion))
    .flatMap((issue) => describeIssue(issue, findField(schema, issue.path, input), input))
    .map((line) => `${root}: ${line}`)
  return { findings }
}

/** One line in the same form, for a rule that a schema cannot express. `message`: `expected …; got …`. */
export function describeFault(path: Path, message: string, root: string): string {
  return `${root}: ${placeText(path)}: ${message}`
}

/** Keeps the first fault of each field: a value that breaks one rule often breaks the following rules too. */
function firstOfEachField(issues: readonly Issue[]): Issue[] {
  const fields = new Set<string>()
  return issues.filter((issue) => {
    if (issue.code === 'unrecognized_keys') return true
    const field = JSON.stringify(issue.path)
    if (fields.has(field)) return false
    fields.add(field)
    return true
  })
}

function describeIssue(issue: Issue, field: z.core.$ZodType | undefined, root: unknown): string[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => describeUnknownKey([...issue.path, key], key, keysOf(field)))
  }
  const given = foundAt(issue, root)
  const found = describeFound(issue, given)
  return [`${placeText(issue.path)}: expected ${expectation(issue, field)}; ${found}${guessOf(issue, given)}`]
}

/** A suggestion for a text that chooses among options, such as a policy's kind. */
function guessOf(issue: Issue, given: unknown): string {
  if (issue.code !== 'invalid_union' || typeof given !== 'string') return ''
  const nearest = nearestName(given, optionsOf(issue))
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`
}

/** The texts by which a union chooses. zod passes them, although its type does not declare them. */
function optionsOf(issue: Issue): string[] {
  return 'options' in issue && Array.isArray(issue.options) ? issue.options.map(String) : []
}

function describeUnknownKey(path: Path, key: string, known: readonly string[]): string {
  const nearest = nearestName(key, known)
  if (nearest !== undefined) return `${placeText(path)}: unknown key; did you mean "${nearest}"?`
  return `${placeText(path)}: unknown key; remove it${known.length === 0 ? '' : ` (known here: ${known.join(', ')})`}`
}

function expectation(issue: Issue, field: z.core.$ZodType | undefined): string {
  if (issue.message !== NO_EXPECTATION) return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return (isShaped(field) ? undefined : ownExpectation(field)) ?? withArticle(issue.expected)
    case 'invalid_value':
      return issue.values.map((value) => String(value)).join(' or ')
    case 'invalid_union':
      return optionsOf(issue).length === 0 ? typesOf(issue) : optionsOf(issue).join(' or ')
    case 'invalid_key':
      return `a name as follows: ${issue.issues[0]?.message ?? NO_EXPECTATION}`
    case 'too_small':
      return `${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${unitOf(issue.origin)}`
    case 'too_big':
      return `${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${unitOf(issue.origin)}`
    default:
      return 'another value'
  }
}

function typesOf({ errors }: z.core.$ZodIssueInvalidUnion): string {
  const kinds = errors.flat().map((each) => (each.code === 'invalid_type' ? withArticle(each.expected) : ''))
  return kinds.filter((kind) => kind !== '').join(' or ')
}

/** The expectation of a field's first check, such as the pattern of a string. */
function ownExpectation(field: z.core.$ZodType | undefined): string | undefined {
  const { error, checks }: Partial<z.core.$ZodTypeDef> = field?._zod.def ?? {}
  for (const source of [error, ...(checks ?? []).map((check) => check._zod.def.error)]) {
    // The contract's expectations are fixed texts, whatever issue zod would pass here.
    const stated = source?.({ code: 'custom', input: undefined, path: [] } as never)
    const message = typeof stated === 'string' ? stated : stated?.message
    if (message !== undefined) return message
  }
  return undefined
}

function describeFound(issue: Issue, input: unknown): string {
  if (input === undefined) return 'it is missing'
  if (input === null) return 'got null'
  // A rule about a whole list or object is often about its size.
  const size = issue.code === 'custom' ? ` with ${Object.keys(input).length} in it` : ''
  if (Array.isArray(input)) return `got a list${size}`
  if (typeof input === 'object') return `got an object${size}`
  if (typeof input === 'string') {
    if (input === '') return 'got an empty text'
    return mayBeQuoted(input, issue.path) ? `got "${input}"` : `got a text of ${input.length} characters`
  }
  // A number out of range is safe to quote. A number in place of a text may be an account number or a PIN.
  if (typeof input === 'number' && (issue.code !== 'invalid_type' || issue.expected === 'int')) return `got ${input}`
  return `got ${withArticle(typeof input)}`
}

/**
 * For a rule across fields, zod passes the object that holds the field at the end of the path, and for a rule about one field
 * the field. Such rules are refinements and choices by a text. So the value is found by its path.
 */
function foundAt({ code, input, path, ...issue }: Issue, root: unknown): unknown {
  const isAcross = code === 'custom' || (code === 'invalid_union' && 'errors' in issue && issue.errors.length === 0)
  return isAcross ? path.reduce(insideOf, root) : input
}

const SECRET_FIELD = /secret|key|token|password|pem|credential/i
const PLAIN_SHORT_TEXT = /^[A-Za-z0-9 .,:+_/-]{1,24}$/
/** A figure with a sign of a currency, or with the spaces and marks between thousands. */
const FIGURE = /^[\p{Sc}\p{Zs}0-9.,'’+-]{1,24}$/u
/** Letters and digits mixed in one run: typical of passwords and keys, not of codes or amounts. */
const SECRET_RUN = /(?=[A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[A-Za-z0-9]{7,}/

function mayBeQuoted(text: string, path: Path): boolean {
  const isPlain = PLAIN_SHORT_TEXT.test(text) || FIGURE.test(text)
  return isPlain && !SECRET_RUN.test(text) && !path.some((part) => SECRET_FIELD.test(String(part)))
}

function placeText(path: Path): string {
  return path.length === 0 ? 'the whole' : pathText(path)
}

function withArticle(kind: string): string {
  const name = { string: 'text', int: 'whole number', array: 'list' }[kind] ?? kind
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters'
  return origin === 'array' ? ' entries' : ''
}

type Schema = z.core.$ZodType
export type Path = readonly PropertyKey[]

interface Def {
  readonly innerType?: Schema
  readonly shape?: Readonly<Record<string, Schema>>
  readonly element?: Schema
  readonly valueType?: Schema
  readonly options?: readonly Schema[]
  readonly discriminator?: string
  readonly values?: readonly unknown[]
}

/** The parts of a definition depend on the schema's type. zod's own type leaves them open. */
const defOf = (field: Schema | undefined): Def => (field?._zod.def ?? {}) as Def

/** Names of an object's fields; empty for any other schema. */
export const keysOf = (field: Schema | undefined): string[] => Object.keys(defOf(field).shape ?? {})

/** True for an object with named fields, whose faults are reported field by field. */
export const isShaped = (field: Schema | undefined): boolean => defOf(field).shape !== undefined

/**
 * The schema at a path, without its wrappers (optional, default, prefault). `input` is the parsed value, which shows
 * the option of a union that is meant. Undefined without that value, or where no option fits.
 */
export function findField(schema: Schema, path: Path, input: unknown): Schema | undefined {
  let value = input
  let field = settle(schema, value)
  for (const part of path) {
    const { shape, element, valueType } = defOf(field)
    const inside = ownField(shape, part) ?? element ?? valueType
    if (inside === undefined) return undefined
    value = insideOf(value, part)
    field = settle(inside, value)
  }
  return field
}

/** Removes wrappers and chooses options of unions, until neither is left. */
function settle(schema: Schema, value: unknown): Schema | undefined {
  const { innerType, options } = defOf(schema)
  if (innerType !== undefined) return settle(innerType, value)
  if (options === undefined) return schema
  const option = optionFor(schema, value)
  return option === undefined ? undefined : settle(option, value)
}

function optionFor(union: Schema, value: unknown): Schema | undefined {
  const { options = [], discriminator } = defOf(union)
  if (discriminator === undefined) return options.find((option) => isObjectLike(option) === isObject(value))
  const named = insideOf(value, discriminator)
  return options.find((option) => defOf(defOf(option).shape?.[discriminator]).values?.includes(named))
}

function isObjectLike(schema: Schema): boolean {
  const { shape, valueType, options } = defOf(schema)
  return shape !== undefined || valueType !== undefined || (options ?? []).some(isObjectLike)
}

/** Own fields only, so that a key such as "constructor" finds nothing. */
function ownField(shape: Def['shape'], part: PropertyKey): Schema | undefined {
  return shape !== undefined && Object.hasOwn(shape, part) ? shape[String(part)] : undefined
}

export function insideOf(value: unknown, part: PropertyKey): unknown {
  return isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined
}

function isObject(value: unknown): value is Readonly<Record<PropertyKey, unknown>> {
  return typeof value === 'object' && value !== null
}

// Owns the sentence for each thing wrong with a person's input: field, expectation, what was found, fix.
// Never quotes a value that might be a secret. Used for treasury.json and for the command line's input.
import type * as z from 'zod/mini'
import { openUnion } from '../contract/open-union.ts'
import { NO_EXPECTATION, OWN_WORDS } from '../contract/own-words.ts'
import { pathText } from '../policies/policy-fault.ts'
import { nearestName } from './nearest-name.ts'
import { findField, insideOf, isShaped, keysOf, type Path } from './schema-walk.ts'

type Issue = z.core.$ZodIssue

/** What was parsed, or what is wrong with it, one line a finding. */
export type Checked<Data> = { readonly data: Data } | { readonly findings: readonly string[] }

/**
 * Parses what a person has written. A finding reads `<root>: <path>: expected <expectation>; got <kind of value>`. An unknown
 * key is answered with the nearest known one, and a value of the wrong type with its field's own expectation.
 */
export function checkInput<Schema extends z.ZodMiniType>(
  schema: Schema,
  input: unknown,
  root: string,
): Checked<z.output<Schema>> {
  const { data, error } = schema.safeParse(input, { ...OWN_WORDS, reportInput: true })
  if (error === undefined) return { data: data as z.output<Schema> }
  const findings = firstOfEachField(error.issues.flatMap(openUnion))
    .flatMap((issue) => describeIssue(issue, findField(schema, issue.path, input)))
    .map((line) => `${root}: ${line}`)
  return { findings }
}

/** One line in the same form, for a rule that no schema can hold. `message`: `expected …; got …`. */
export function describeFault(path: Path, message: string, root: string): string {
  return `${root}: ${placeText(path)}: ${message}`
}

/** A field that breaks one rule often breaks the next ones with it: the first says what is wrong. */
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

function describeIssue(issue: Issue, field: z.core.$ZodType | undefined): string[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => describeUnknownKey([...issue.path, key], key, keysOf(field)))
  }
  const found = describeFound(issue)
  return [`${placeText(issue.path)}: expected ${expectation(issue, field)}; ${found}${guessOf(issue)}`]
}

/** For a word that chooses among options, such as a policy's kind. */
function guessOf(issue: Issue): string {
  const given = foundAt(issue)
  if (issue.code !== 'invalid_union' || typeof given !== 'string') return ''
  const nearest = nearestName(given, optionsOf(issue))
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`
}

/** The words that a union chooses by; zod hands them in although its type does not have them. */
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

/** The expectation that a field's first check states, such as the pattern of a string. */
function ownExpectation(field: z.core.$ZodType | undefined): string | undefined {
  const { error, checks }: Partial<z.core.$ZodTypeDef> = field?._zod.def ?? {}
  for (const source of [error, ...(checks ?? []).map((check) => check._zod.def.error)]) {
    // The contract's expectations are fixed sentences, whatever issue zod would hand in here.
    const stated = source?.({ code: 'custom', input: undefined, path: [] } as never)
    const message = typeof stated === 'string' ? stated : stated?.message
    if (message !== undefined) return message
  }
  return undefined
}

function describeFound(issue: Issue): string {
  const input = foundAt(issue)
  if (input === undefined) return 'it is missing'
  if (input === null) return 'got null'
  if (Array.isArray(input)) return 'got a list'
  if (typeof input === 'object') return 'got an object'
  if (typeof input === 'string') {
    if (input === '') return 'got an empty text'
    return mayBeQuoted(input, issue.path) ? `got "${input}"` : `got a text of ${input.length} characters`
  }
  // A wrong number in range is best named; one where a text belongs may be an account number or a PIN.
  if (typeof input === 'number' && (issue.code !== 'invalid_type' || issue.expected === 'int')) return `got ${input}`
  return `got ${withArticle(typeof input)}`
}

/** A rule across fields (a refinement, or a choice by a word) carries the object that holds the field its path ends at. */
function foundAt(issue: Issue): unknown {
  const last = issue.path.at(-1)
  const { input } = issue
  const isAcross = issue.code === 'custom' || (issue.code === 'invalid_union' && issue.errors.length === 0)
  if (!isAcross || last === undefined || typeof input !== 'object' || input === null) return input
  return insideOf(input, last)
}

const SECRET_FIELD = /secret|key|token|password|pem|credential/i
const PLAIN_SHORT_TEXT = /^[A-Za-z0-9 .,:+_/-]{1,24}$/
/** Letters and digits mixed in one run: what passwords and keys look like, and codes or amounts do not. */
const SECRET_RUN = /(?=[A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[A-Za-z0-9]{7,}/

function mayBeQuoted(text: string, path: Path): boolean {
  return PLAIN_SHORT_TEXT.test(text) && !SECRET_RUN.test(text) && !path.some((part) => SECRET_FIELD.test(String(part)))
}

function placeText(path: Path): string {
  return path.length === 0 ? 'the whole' : pathText(path)
}

function withArticle(kind: string): string {
  const word = { string: 'text', int: 'whole number', array: 'list' }[kind] ?? kind
  return `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters'
  return origin === 'array' ? ' entries' : ''
}

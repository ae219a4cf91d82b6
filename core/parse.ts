// Parses what reaches a function from outside or from a record, or says in one message which fields are wrong. People
// are told more by the command line (core/treasury/describe-issues.ts), which checks the same schemas first.
import type * as z from 'zod/mini'
import { PROTOTYPE_KEY } from './contract/fields.ts'
import { openUnion } from './contract/open-union.ts'
import { LISTED_KEY, RECORD_FORMAT, RECORD_KEY } from './contract/records.ts'
import { Defect, Refused } from './errors.ts'

/** Of a long list of complaints so many are told: the message ends up in a log and in a run's history. */
const MAX_TOLD = 10

/** @throws Refused naming each wrong field as `root.path` with what is expected there; never a value. */
export function parseWith<Schema extends z.ZodMiniType>(
  schema: Schema,
  input: unknown,
  root: string,
): z.output<Schema> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  throw new Refused(join(parsed.error.issues.flatMap(openUnion), '; ', (issue) => describeIssue(issue, root)))
}

/**
 * What a record of the journal holds, checked, and without what every record has for the store's sake. It is returned as
 * it was read: a field that the schema does not know may be a later release's, and whoever writes the record back must
 * keep it. `name`: which record, such as `run weekly-1`.
 * @throws Defect for a format that this release does not know, or for fields that do not fit. It names the record and
 * the fields, and never a value.
 */
export function parseRecord<Schema extends z.ZodMiniType>(
  schema: Schema,
  record: Readonly<Record<string, unknown>>,
  name: string,
): z.output<Schema> {
  const { [RECORD_KEY]: _key, [LISTED_KEY]: _listed, stamp: _stamp, format = RECORD_FORMAT, ...fields } = record
  if (format !== RECORD_FORMAT) {
    throw new Defect(`the record of ${name} is of format ${String(format)}: this release reads format ${RECORD_FORMAT}`)
  }
  const issues = schema.safeParse(fields).error?.issues.flatMap(openUnion) ?? []
  const wrong = issues.filter(({ code }) => code !== 'unrecognized_keys')
  if (wrong.length > 0) {
    throw new Defect(
      `the record of ${name} is not as it was written: ${join(wrong, '; ', (issue) => describeIssue(issue, 'record'))}`,
    )
  }
  // It has been checked, field by field; only what it has besides is not in the type.
  return fields as z.output<Schema>
}

/** Of what is told of a place. */
const MOST_PLACE_LETTERS = 200

/**
 * Where an object anywhere within JSON has the key that records lose without a word, as `root.path`; undefined where
 * none has.
 */
export function findPrototypeKey(input: unknown, root: string): string | undefined {
  const left: { readonly value: unknown; readonly at: string }[] = [{ value: input, at: root }]
  // Each value once, and JSON has no circles.
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { value, at } = next
    if (value === null || typeof value !== 'object') continue
    if (Object.hasOwn(value, PROTOTYPE_KEY)) return at.slice(0, MOST_PLACE_LETTERS)
    for (const [key, inner] of Object.entries(value)) left.push({ value: inner, at: `${at}.${key}` })
  }
  return undefined
}

/** What zod/mini says where a schema says nothing. */
const UNSAID = 'Invalid input'

/** `root.path: expected …`: one wrong field, and what belongs there. */
export function describeIssue(issue: z.core.$ZodIssue, root: string): string {
  const field = [root, ...issue.path.map(String)].join('.')
  if (issue.code === 'unrecognized_keys')
    return `${field}: unknown ${join(issue.keys, ', ', (key) => key.slice(0, 40))}`
  if (issue.code === 'invalid_key' && issue.issues[0]) return `${field}: expected ${issue.issues[0].message}`
  if (issue.message !== UNSAID) return `${field}: expected ${issue.message}`
  return `${field}: expected ${issue.code === 'invalid_type' ? `a value of type ${issue.expected}` : 'another value'}`
}

function join<Item>(items: readonly Item[], separator: string, describe: (item: Item) => string): string {
  const told = items.slice(0, MAX_TOLD).map(describe)
  return [...told, ...(items.length > MAX_TOLD ? [`and ${items.length - MAX_TOLD} more`] : [])].join(separator)
}

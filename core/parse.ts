// Parses the input of a function, and names all wrong fields in one message. The command line checks the same schemas first,
// with longer messages for people (core/treasury/describe-issues.ts).
import type * as z from 'zod/mini'
import { PROTOTYPE_KEY } from './contract/fields.ts'
import { NO_EXPECTATION, openUnion, SCHEMA_MESSAGES } from './contract/schema-messages.ts'
import { Refused } from './errors.ts'

/** Maximum faults in one message, because a log and the history of a run keep the message. */
const MAX_TOLD = 10

/** @throws Refused that names each wrong field as `root.path` with what is expected there, and never its value */
export function parseWith<Schema extends z.ZodMiniType>(
  schema: Schema,
  input: unknown,
  root: string,
): z.output<Schema> {
  const parsed = schema.safeParse(input, SCHEMA_MESSAGES)
  if (parsed.success) return parsed.data
  throw new Refused(join(parsed.error.issues.flatMap(openUnion), '; ', (issue) => describeIssue(issue, root)))
}

/** Maximum characters of a path in a message. */
const MOST_PLACE_LETTERS = 200

/**
 * Path (`root.path`) of an object in the JSON that has the key `__proto__`, which a record would lose silently. Undefined
 * where no object has it.
 */
export function findPrototypeKey(input: unknown, root: string): string | undefined {
  const left: { readonly value: unknown; readonly at: string }[] = [{ value: input, at: root }]
  // This visits each value once. JSON has no cycles.
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { value, at } = next
    if (value === null || typeof value !== 'object') continue
    if (Object.hasOwn(value, PROTOTYPE_KEY)) return at.slice(0, MOST_PLACE_LETTERS)
    for (const [key, inner] of Object.entries(value)) left.push({ value: inner, at: `${at}.${key}` })
  }
  return undefined
}

/** Text for one wrong field: `root.path: expected …`. */
export function describeIssue(issue: z.core.$ZodIssue, root: string): string {
  const field = [root, ...issue.path.map(String)].join('.')
  if (issue.code === 'unrecognized_keys')
    return `${field}: unknown ${join(issue.keys, ', ', (key) => key.slice(0, 40))}`
  if (issue.code === 'invalid_key' && issue.issues[0]) return `${field}: expected ${issue.issues[0].message}`
  if (issue.message !== NO_EXPECTATION) return `${field}: expected ${issue.message}`
  return `${field}: expected ${issue.code === 'invalid_type' ? `a value of type ${issue.expected}` : 'another value'}`
}

function join<Item>(items: readonly Item[], separator: string, describe: (item: Item) => string): string {
  const told = items.slice(0, MAX_TOLD).map(describe)
  return [...told, ...(items.length > MAX_TOLD ? [`and ${items.length - MAX_TOLD} more`] : [])].join(separator)
}

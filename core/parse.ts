// Parses what reaches a function, or says in one message which fields are wrong. The command line checks the same
// schemas first, and says more to people (core/treasury/describe-issues.ts).
import type * as z from 'zod/mini'
import { PROTOTYPE_KEY } from './contract/fields.ts'
import { openUnion } from './contract/open-union.ts'
import { NO_EXPECTATION, OWN_WORDS } from './contract/own-words.ts'
import { Refused } from './errors.ts'

/** Of a long list of complaints so many are told: the message ends up in a log and in a run's history. */
const MAX_TOLD = 10

/** @throws Refused naming each wrong field as `root.path` with what is expected there; never a value. */
export function parseWith<Schema extends z.ZodMiniType>(
  schema: Schema,
  input: unknown,
  root: string,
): z.output<Schema> {
  const parsed = schema.safeParse(input, OWN_WORDS)
  if (parsed.success) return parsed.data
  throw new Refused(join(parsed.error.issues.flatMap(openUnion), '; ', (issue) => describeIssue(issue, root)))
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

/** `root.path: expected …`: one wrong field, and what belongs there. */
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

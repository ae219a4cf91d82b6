// Parses what reaches a function, or says in one message which fields are wrong. People are told
// more by the command line (infra/describe-issues.ts), which checks the same schemas first.
import type * as z from 'zod/mini'
import { Refused } from './errors.ts'

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
  throw new Refused(join(parsed.error.issues, '; ', (issue) => describeIssue(issue, root)))
}

/** What zod/mini says where a schema says nothing. */
const UNSAID = 'Invalid input'

/** `root.path: expected …`: one wrong field, and what belongs there. */
export function describeIssue(issue: z.core.$ZodIssue, root: string): string {
  const field = [root, ...issue.path.map(String)].join('.')
  if (issue.code === 'unrecognized_keys')
    return `${field}: unknown ${join(issue.keys, ', ', (key) => key.slice(0, 40))}`
  if (issue.message !== UNSAID) return `${field}: expected ${issue.message}`
  return `${field}: expected ${issue.code === 'invalid_type' ? `a value of type ${issue.expected}` : 'another value'}`
}

function join<Item>(items: readonly Item[], separator: string, describe: (item: Item) => string): string {
  const told = items.slice(0, MAX_TOLD).map(describe)
  return [...told, ...(items.length > MAX_TOLD ? [`and ${items.length - MAX_TOLD} more`] : [])].join(separator)
}

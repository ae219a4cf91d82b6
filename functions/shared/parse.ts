// Parses what reaches a function, or says in one message which fields are wrong. People are told
// more by the command line (infra/describe-issues.ts), which checks the same schemas first.
import type * as z from 'zod/mini'
import { Refused } from './errors.ts'

/** @throws Refused naming each wrong field as `root.path` with what is expected there; never a value. */
export function parseWith<Schema extends z.ZodMiniType>(
  schema: Schema,
  input: unknown,
  root: string,
): z.output<Schema> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  throw new Refused(parsed.error.issues.map((issue) => describeIssue(issue, root)).join('; '))
}

function describeIssue(issue: z.core.$ZodIssue, root: string): string {
  const field = [root, ...issue.path.map(String)].join('.')
  switch (issue.code) {
    case 'unrecognized_keys':
      return `${field}: unknown ${issue.keys.map((key) => key.slice(0, 40)).join(', ')}`
    case 'invalid_type':
      return `${field}: expected a value of type ${issue.expected}`
    default:
      return `${field}: expected ${issue.message}`
  }
}

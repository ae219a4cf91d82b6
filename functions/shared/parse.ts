// Parses what crosses a boundary, or says in one message which fields are wrong.
import type * as z from 'zod/mini'
import { describeIssues } from '../contract/issues.ts'
import { Refused } from './errors.ts'

/** @throws Refused naming each wrong field as `root.path`, with its expectation and the shape of what came. */
export function parseWith<Schema extends z.ZodMiniType>(
  schema: Schema,
  input: unknown,
  root: string,
): z.output<Schema> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  throw new Refused(describeIssues(parsed.error.issues, root, input).join('; '))
}

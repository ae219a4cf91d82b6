// Replaces zod's own messages in texts that people read. Chooses among the issues of a union those that the author
// meant. The library takes its messages from a process-wide setting, and any import of the whole of zod sets it to English.
// With this option the messages depend on the schema alone.

import type * as z from 'zod/mini'

/** Message of an issue whose schema states no expectation. The code that describes the issue writes a better text. */
export const NO_EXPECTATION = 'Invalid input'

/**
 * Option for every `safeParse` whose issues are described to people. A message in the schema itself takes precedence.
 */
export const SCHEMA_MESSAGES = { error: () => NO_EXPECTATION }

type Issue = z.core.$ZodIssue

/**
 * Returns the issues inside the option that takes a value of this type. Returns the issue itself where no option does.
 */
export function openUnion(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const meant = issue.errors.find((issues) =>
    issues.every(({ path, code }) => path.length > 0 || code !== 'invalid_type'),
  )
  if (meant === undefined) return [issue]
  return meant.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })).flatMap(openUnion)
}

// Chooses among the issues of a union of schemas: the issues of the option that the author meant. Pure.
import type * as z from 'zod/mini'

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

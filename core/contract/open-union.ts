// Chooses among the issues of a union of schemas: those of the option that the author of the value meant. Pure.
import type * as z from 'zod/mini'

type Issue = z.core.$ZodIssue

/** Of options, the one whose kind of value came: what is wrong inside of it; the issue itself where none fits. */
export function openUnion(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const meant = issue.errors.find((issues) =>
    issues.every(({ path, code }) => path.length > 0 || code !== 'invalid_type'),
  )
  if (meant === undefined) return [issue]
  return meant.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })).flatMap(openUnion)
}

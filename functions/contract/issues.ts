// Turns what the schema library found into lines for a person: field, expectation, what came
// (its shape, never its value). Shared by functions, infra and the command line.
import type * as z from 'zod/mini'

type Issue = z.core.$ZodIssue

/** One line an issue, e.g. `input.amount: expected a plain decimal string …; got a number`. */
export function describeIssues(issues: readonly Issue[], root: string, input: unknown): string[] {
  return issues.flatMap((issue) => {
    const place = pathText(root, issue.path)
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map(
        (key) => `${pathText(root, [...issue.path, key])}: unknown key; remove it or correct its spelling`,
      )
    }
    return [`${place}: expected ${expectationOf(issue)}; got ${shapeAt(input, issue.path)}`]
  })
}

function expectationOf(issue: Issue): string {
  if (issue.code === 'invalid_type' && !isOurWords(issue.message)) return `a value of type ${issue.expected}`
  return issue.message.replace(/^Invalid input: expected /, '')
}

/** Schemas in the contract give their expectation in words; the library's own begin with "Invalid". */
function isOurWords(message: string): boolean {
  return !message.startsWith('Invalid')
}

function pathText(root: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`
    return `${text}${text === '' ? '' : '.'}${String(key)}`
  }, root)
}

function shapeAt(input: unknown, path: readonly PropertyKey[]): string {
  let value: unknown = input
  for (const key of path) {
    if (value === null || typeof value !== 'object') return 'nothing'
    value = (value as Record<PropertyKey, unknown>)[key]
  }
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'string') return value === '' ? 'an empty string' : `a string of ${value.length} characters`
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

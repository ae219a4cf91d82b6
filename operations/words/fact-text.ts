// A value of JSON in words for a person: its facts with their names, and no braces. Pure. What comes out is not made
// printable yet.

/** `{a: 1, b: ["x", "y"]}` → `a 1, b x; y`. What has no value is left out. */
export function factText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(factText).join('; ')
  if (typeof value !== 'object') return String(value)
  return Object.entries(value)
    .map(([name, inner]) => [name, factText(inner)] as const)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name} ${text}`)
    .join(', ')
}

// Makes words for a person of a JSON value: its facts with their names, and no braces. Pure. The caller must still make
// the text printable.

/** `{a: 1, b: ["x", "y"]}` → `a 1, b x; y`. Empty values are left out. */
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

// Makes words for a person of a JSON value: its facts with their names, and no braces. Pure. The caller must still make
// the text printable.

/** `{a: 1, b: ["x", "y"]}` → `a 1, b x; y`. Empty values are left out. `shown` gives the text of a plain value. */
export function factText(value: unknown, shown: (text: string) => string = (text) => text): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map((inner) => factText(inner, shown)).join('; ')
  if (typeof value !== 'object') return shown(String(value))
  return Object.entries(value)
    .map(([name, inner]) => [name, factText(inner, shown)] as const)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name} ${text}`)
    .join(', ')
}

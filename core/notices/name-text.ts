// Owns how a name is written into a notice. Names come from treasury.json and from people who start executions.
// Whatever a name contains, the result has no markup, mention, link, line break or text direction. Pure.

/** Maximum characters. Our own names have at most 80. */
export const MOST_CHARACTERS = 80

/**
 * Keeps ASCII letters, digits, dashes and underscores, and replaces every other character with `?`. Cuts longer names.
 */
export function nameText(name: string): string {
  const short = [...name.slice(0, 2 * MOST_CHARACTERS)]
  const text = short.map((letter) => (/^[A-Za-z0-9_-]$/.test(letter) ? letter : '?')).join('')
  return text.length > MOST_CHARACTERS || name.length > 2 * MOST_CHARACTERS
    ? `${text.slice(0, MOST_CHARACTERS)}...`
    : text
}

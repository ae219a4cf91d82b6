// Owns how a name gets into a notice. Names are of treasury.json and of people who start executions; whatever they put there,
// no markup, mention, link, line or direction of text comes out. Pure.

/** A name of ours has at most 80 characters. */
export const MOST_CHARACTERS = 80

/** Letters, digits, dashes and underscores of ASCII stay, everything else is one `?`. What is too long is cut. */
export function nameText(name: string): string {
  const short = [...name.slice(0, 2 * MOST_CHARACTERS)]
  const text = short.map((letter) => (/^[A-Za-z0-9_-]$/.test(letter) ? letter : '?')).join('')
  return text.length > MOST_CHARACTERS || name.length > 2 * MOST_CHARACTERS
    ? `${text.slice(0, MOST_CHARACTERS)}...`
    : text
}

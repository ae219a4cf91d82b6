// Markup from a template in which every value is escaped, because labels, reasons and ids are other people's text. Only
// a Markup enters a page unescaped, and only this file makes one. hono's html is weaker: it takes any object with a field
// `isEscaped` for markup, and neither bounds a text nor shows its control characters.
import { printable } from '../../core/printable.ts'

/** This is longer than any id of the contract. Only prose is cut, and it says how much is missing. */
const MOST_CHARS = 1_000

export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** False and undefined leave nothing behind, so that a part may depend on a condition. */
export type Part = string | number | false | undefined | Markup | readonly Part[]

/**
 * Such as ``html`<td>${value}</td>` ``. Values may stand in text and in quoted attributes, never in a script or a
 * style.
 */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const filled = literals.map((literal, index) => literal + (index < parts.length ? textOf(parts[index]) : ''))
  return new Markup(filled.join(''))
}

/**
 * Such a script runs nothing. As it has no `<`, nothing in it ends it; what is not ASCII is written as escapes.
 * Undefined where the texts of the value have more than `most` characters: then no JSON is made at all.
 */
export function dataBlock(id: string, value: unknown, most: number): Markup | undefined {
  if (!isWithin(value, most)) return undefined
  const json = JSON.stringify(value).replace(
    /[<>&]|[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return new Markup(`${html`<script type="application/json" id="${id}">`.text}${json}</script>`)
}

/** Counts the texts, the names and one more for each value. */
function isWithin(value: unknown, most: number): boolean {
  let left = most
  const waiting = [value]
  while (waiting.length > 0 && left >= 0) {
    const next = waiting.pop()
    left -= typeof next === 'string' ? next.length : 1
    if (typeof next !== 'object' || next === null) continue
    for (const [name, entry] of Object.entries(next)) {
      left -= name.length
      waiting.push(entry)
    }
  }
  return left >= 0
}

/** For text that is written in this repo, such as a style sheet. Never give it a value. */
export function trusted(text: string): Markup {
  return new Markup(text)
}

function textOf(part: Part): string {
  if (part === undefined || part === false) return ''
  if (part instanceof Markup) return part.text
  if (typeof part === 'object') return part.map(textOf).join('')
  return escaped(String(part))
}

function escaped(text: string): string {
  return printable(bounded(text)).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** More marks on one letter than any script has: they would be drawn over the lines above and below. */
const PILE = /(?<=\p{M}{8})\p{M}+/gu

/** At most 1,000 characters, with a note of what is left out; no character is cut in two. */
export function bounded(text: string): string {
  const flat = text.replace(PILE, '…')
  if (flat.length <= MOST_CHARS) return flat
  const cut = flat.slice(0, MOST_CHARS).replace(/[\uD800-\uDBFF]$/, '')
  return `${cut}… (${flat.length - cut.length} characters more)`
}

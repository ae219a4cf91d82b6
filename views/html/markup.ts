// Builds HTML from templates that escape every value, because labels, reasons and ids are other people's text. Only a
// Markup enters a page unescaped, and only this file creates a Markup. hono's html is weaker: it accepts any object
// with a field `isEscaped` as markup. It also neither bounds a text nor shows its control characters.
import { printable } from '../../core/printable.ts'

/** Maximum characters of a text. Every id of the contract is shorter, so only prose is cut. */
const MOST_CHARS = 1_000

export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** False and undefined leave nothing in the page, so a part may depend on a condition. */
export type Part = string | number | false | undefined | Markup | readonly Part[]

/**
 * Used as ``html`<td>${value}</td>` ``. A value may be in text and in a quoted attribute, never in a script or a style.
 */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const filled = literals.map((literal, index) => literal + (index < parts.length ? textOf(parts[index]) : ''))
  return new Markup(filled.join(''))
}

/**
 * JSON for programs, in a script element that runs nothing. `<`, `>`, `&` and all non-ASCII are escaped, so no value can
 * close the element. Undefined where the value has more than `most` characters; no JSON is built then.
 */
export function dataBlock(id: string, value: unknown, most: number): Markup | undefined {
  if (!isWithin(value, most)) return undefined
  const json = JSON.stringify(value).replace(
    /[<>&]|[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return new Markup(`${html`<script type="application/json" id="${id}">`.text}${json}</script>`)
}

/** Counts the characters of names and texts, and one for each other value. Stops when `most` is passed. */
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

/** Marks text of this repository, such as a style sheet, as safe. Never give it a value. */
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
  return withoutMarkup(printable(bounded(text)))
}

function withoutMarkup(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/**
 * A text in full and unchanged, with its line breaks, for a field that sends it again. Its form has bounded it. Never show it
 * outside of a field.
 */
export function whole(text: string): Markup {
  return new Markup(withoutMarkup(text))
}

/** Matches marks on one letter beyond the eighth. No script needs them, and they would cover the lines above and below. */
const PILE = /(?<=\p{M}{8})\p{M}+/gu

/** Cuts to 1,000 characters, and says how many are left out. A surrogate pair stays whole. */
export function bounded(text: string): string {
  const flat = text.replace(PILE, '…')
  if (flat.length <= MOST_CHARS) return flat
  const cut = flat.slice(0, MOST_CHARS).replace(/[\uD800-\uDBFF]$/, '')
  return `${cut}… (${flat.length - cut.length} characters more)`
}

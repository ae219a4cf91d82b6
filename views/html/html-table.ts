// Builds the tables of pages, and the parts with a title that they stand in. On a narrow screen the cells of a row are
// stacked, each after the title of its column, unless the table has only amounts. What is still wider than the screen
// scrolls in a group that the keyboard can reach. Amounts are aligned on their decimal points. Pure.

import { type Cut, readable } from '../runs/figures.ts'
import { alignOnPoint } from '../text/table.ts'
import { html, type Markup, type Part } from './markup.ts'
import { digits, grouped } from './shown-figures.ts'

export interface Cell<Row> {
  readonly title: string
  /** The content of the cell. For an amount it is the decimal text. */
  readonly text: (row: Row) => Part
  readonly isAmount?: boolean
  /** How an amount is cut. Default: `digits`. The cell gives every digit. */
  readonly by?: Cut
  readonly isHead?: boolean
  /** The unit of the amount in the column before. It stays beside that amount. */
  readonly isUnit?: boolean
}

/** Maximum columns of a table that a narrow screen shows side by side. Further ones would be beyond its edge. */
const MOST_BESIDE = 4

/** Maximum rows of one table. */
export const MOST_ROWS = 250

/**
 * `name` describes the table to people who hear the page. `below` gives an optional line under a row, across all columns.
 */
export function table<Row>(
  name: string,
  given: readonly Cell<Row>[],
  all: readonly Row[],
  below?: (row: Row) => Part,
): Markup {
  const rows = all.slice(0, MOST_ROWS)
  // An empty column tells nothing, and takes room.
  const cells = given.filter(({ text, isHead }) => isHead === true || rows.some((row) => isFilled(text(row))))
  const texts = cells.map(({ text, isAmount, by }) =>
    isAmount === true
      ? amountTexts(
          rows.map((row) => plainText(text(row))),
          by,
        )
      : rows.map(text),
  )
  const more = all.length - rows.length
  const rowsAndTitle = html`<table${isStacked(cells, below) && html` class="stacks"`}>
<thead><tr>${cells.map(({ title, isAmount }) => html`<th scope="col"${isAmount === true && html` class="amount"`}>${title}</th>`)}</tr></thead>
<tbody>${rows.map(
    (row, line) => html`<tr>${cells.map((cell, column) => cellMarkup(cell, texts[column]?.[line]))}</tr>
${belowMarkup(below?.(row), cells.length)}`,
  )}</tbody></table>`
  return html`${scrolling(name, rowsAndTitle)}
${more > 0 && html`<p class="dim">and ${more} more</p>`}`
}

function amountTexts(exact: readonly string[], by: Cut | undefined): readonly Part[] {
  const few = alignOnPoint(exact.map((text) => grouped(readable(text, by))))
  const all = alignOnPoint(exact.map(grouped))
  // Spaces alone would give an absent amount a line of its own.
  return all.map((text, row) => (text.trim() === '' ? '' : digits(few[row] ?? '', text)))
}

/** Amounts have a known width. Other texts push what follows them beyond the edge of a narrow screen. */
function isStacked<Row>(cells: readonly Cell<Row>[], below: unknown): boolean {
  const areFigures = cells.every(
    ({ isAmount, isHead, isUnit }) => isAmount === true || isHead === true || isUnit === true,
  )
  return below !== undefined || cells.length > MOST_BESIDE || !areFigures
}

function cellMarkup<Row>({ title, isAmount, isHead, isUnit }: Cell<Row>, text: Part): Markup {
  if (isHead === true) return html`<th scope="row">${text}</th>`
  const look = isAmount === true ? 'amount' : isUnit === true && 'unit'
  return html`<td${look && html` class="${look}"`} data-title="${title}">${text}</td>`
}

function belowMarkup(text: Part, width: number): Markup | false {
  return isFilled(text) && html`<tr class="below"><td colspan="${width}">${text}</td></tr>`
}

function isFilled(part: Part): boolean {
  return part !== undefined && part !== false && part !== ''
}

function plainText(part: Part): string {
  return typeof part === 'string' || typeof part === 'number' ? String(part) : ''
}

/** Names with their values. A name without a value is left out. */
export function facts(rows: readonly (readonly [name: string, value: Part])[]): Markup {
  const shown = rows.filter(([, value]) => value !== undefined && value !== false && value !== '')
  return html`<dl>${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>`
}

/** A group with its own scroll bar when it is wider than the screen. The keyboard can reach it. Landmarks are the sections. */
export function scrolling(name: string, content: Part): Markup {
  return html`<div class="wide" role="group" aria-label="${name}" tabindex="0">${content}</div>`
}

export function none(text: string): Markup {
  return html`<p class="dim">${text}</p>`
}

/** A mark with a text, because colour alone is not enough. */
export function badge(text: string, look: string): Markup {
  return html`<span class="badge ${look}">${text}</span>`
}

/** A live part is replaced when the topic of the page changes. */
export function section(
  id: string,
  title: string,
  body: Part,
  { isLive = true }: { readonly isLive?: boolean } = {},
): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title"${isLive && html` data-live`}>
<h2 id="${id}-title">${title}</h2>
${body}</section>
`
}

// CSV as RFC 4180 describes it, with a line of titles. A cell that a spreadsheet would take for a formula is made
// harmless by a quote before it. Plain numbers stay numbers. Pure.

import { printable } from '../../core/printable.ts'
import type { Column } from '../../operations/words/column.ts'

/** Also behind spaces, which some spreadsheets leave out, and in the wide forms that some take for the same. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/
const NUMBER = /^[+-]?\d+(\.\d+)?$/

export function csvTitles<Row>(columns: readonly Column<Row>[]): string {
  return csvLine(namesOf(columns))
}

export function csvRow<Row>(columns: readonly Column<Row>[], row: Row): string {
  return csvLine(columns.map(({ text }) => text(row)))
}

/** Without its end, which is CRLF. */
function csvLine(texts: readonly string[]): string {
  return texts.map(cellOf).join(',')
}

export function cellOf(text: string): string {
  const harmless = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  const safe = printable(harmless)
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** What columns are called in `--columns` and in the first line. One without a title is the unit of the one before. */
export function namesOf(columns: readonly { readonly title: string }[]): string[] {
  return columns.map(({ title }, index) => (title === '' ? `${columns[index - 1]?.title ?? ''} asset`.trim() : title))
}

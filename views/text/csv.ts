// Writes the rows of an export as text: CSV by RFC 4180 with a line of titles, or one JSON object a line. A quote
// before a cell disarms a text that a spreadsheet would run as a formula. Plain numbers stay numbers. Pure.

import { printable, printableJson } from '../../core/printable.ts'
import type { Column } from '../../operations/words/column.ts'

/** Matches also behind spaces, which some spreadsheets skip, and the full-width forms that some treat the same. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/
const NUMBER = /^[+-]?\d+(\.\d+)?$/

export function csvTitles<Row>(columns: readonly Column<Row>[]): string {
  return csvLine(namesOf(columns))
}

export function csvRow<Row>(columns: readonly Column<Row>[], row: Row): string {
  return csvLine(columns.map(({ text }) => text(row)))
}

/** Returns the line without its end, which is CRLF. */
function csvLine(texts: readonly string[]): string {
  return texts.map(cellOf).join(',')
}

/** Whether a spreadsheet would run the text. */
export function isFormula(text: string): boolean {
  return FORMULA.test(text) && !NUMBER.test(text)
}

export function cellOf(text: string): string {
  const harmless = isFormula(text) ? `'${text}` : text
  const safe = printable(harmless)
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Column names, for `--columns` and for the first line. A column without a title is the unit of the column before it. */
export function namesOf(columns: readonly { readonly title: string }[]): string[] {
  return columns.map(({ title }, index) => (title === '' ? `${columns[index - 1]?.title ?? ''} asset`.trim() : title))
}

/** Texts with line ends. `title` is empty where the form has no line of titles. */
export interface RowTexts<Row> {
  readonly title: string
  readonly line: (row: Row) => string
}

/**
 * For rows whose columns are texts. CSV is of RFC 4180 and leaves the cell of an unknown value empty. JSON always has
 * every column, and null for an unknown value.
 */
export function rowTexts<Name extends string, Row extends Readonly<Record<Name, string | null>>>(
  names: readonly Name[],
): { readonly csv: RowTexts<Row>; readonly jsonl: RowTexts<Row> } {
  const columns: readonly Column<Row>[] = names.map((name) => ({ title: name, text: (row) => row[name] ?? '' }))
  return {
    csv: { title: `${csvTitles(columns)}\r\n`, line: (row) => `${csvRow(columns, row)}\r\n` },
    jsonl: {
      title: '',
      line: (row) => `${printableJson(Object.fromEntries(names.map((name) => [name, row[name]])))}\n`,
    },
  }
}

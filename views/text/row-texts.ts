// Writes the rows of an export as text: CSV with a line of titles, or one JSON object a line. Pure.
import { printableJson } from '../../core/printable.ts'
import type { Column } from '../../operations/words/column.ts'
import { csvRow, csvTitles } from './csv.ts'

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

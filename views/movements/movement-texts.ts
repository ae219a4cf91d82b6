// Writes the table of movements as text: its columns for CSV, and a row as one line of JSON. Pure.
import { printableJson } from '../../core/printable.ts'
import { MOVEMENT_COLUMNS, type MovementRow } from '../../operations/movements/export/movement-row.ts'
import type { Column } from '../../operations/words/column.ts'
import { csvRow, csvTitles } from '../text/csv.ts'

const COLUMNS: readonly Column<MovementRow>[] = MOVEMENT_COLUMNS.map((column) => ({
  title: column,
  text: (row) => row[column] ?? '',
}))

/** With line ends. `title` is empty where the form has no line of titles. */
export interface RowTexts {
  readonly title: string
  readonly line: (row: MovementRow) => string
}

/** RFC 4180. An unknown value is an empty cell. */
export const CSV_ROWS: RowTexts = {
  title: `${csvTitles(COLUMNS)}\r\n`,
  line: (row) => `${csvRow(COLUMNS, row)}\r\n`,
}

/** One JSON object a line, always with every column. An unknown value is null. */
export const JSON_ROWS: RowTexts = { title: '', line: (row) => `${printableJson(row)}\n` }

// Tables for people. Amounts are aligned on the decimal point, and nothing is ever cut. Text of other people is made
// printable here, so that it cannot control the terminal.

export interface Column<Row> {
  readonly title: string
  readonly text: (row: Row) => string
  /** True where texts are aligned on the decimal point. Whole numbers end where the point would be. */
  readonly isAmount?: boolean
}

const GAP = '  '

/** Lines of the table, title first, without trailing spaces. */
export function tableLines<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string[] {
  const cells = columns.map((column) => {
    const texts = rows.map((row) => printable(column.text(row)))
    const body = column.isAmount ? alignOnPoint(texts) : texts
    const width = Math.max(column.title.length, ...body.map((text) => text.length))
    const pad = (text: string) => (column.isAmount ? text.padStart(width) : text.padEnd(width))
    return [column.title, ...body].map(pad)
  })
  return Array.from({ length: rows.length + 1 }, (_, line) =>
    cells
      .map((column) => column[line] ?? '')
      .join(GAP)
      .trimEnd(),
  )
}

/** A single row as lines, one for each column: its title, then its text. */
export function recordLines<Row>(columns: readonly Column<Row>[], row: Row): string[] {
  const width = Math.max(...columns.map(({ title }) => title.length))
  return columns.map(({ title, text }) => `${title.padEnd(width)}${GAP}${printable(text(row))}`.trimEnd())
}

// What a terminal obeys (C0, C1), and what makes it show text in another order than it has.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it shows as escapes
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/**
 * The same text on one line. Characters that would control a terminal become escapes, because labels are other people's
 * text.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, escaped)
}

/** JSON on one line that is safe to show: the same value, with such characters escaped. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replace(UNPRINTABLE, escaped)
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Pads each text so that all decimal points stand in one column and all have one length. */
export function alignOnPoint(texts: readonly string[]): string[] {
  const split = texts.map((text) => {
    const point = text.indexOf('.')
    return point === -1 ? { whole: text, fraction: '' } : { whole: text.slice(0, point), fraction: text.slice(point) }
  })
  const wholeWidth = Math.max(0, ...split.map(({ whole }) => whole.length))
  const fractionWidth = Math.max(0, ...split.map(({ fraction }) => fraction.length))
  return split.map(({ whole, fraction }) => whole.padStart(wholeWidth) + fraction.padEnd(fractionWidth))
}

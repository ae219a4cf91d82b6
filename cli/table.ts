// Tables for people: amounts aligned on the decimal point, nothing ever cut.

export interface Column<Row> {
  readonly title: string
  readonly text: (row: Row) => string
  /** Aligned on the decimal point; whole numbers end where a point would stand. */
  readonly isAmount?: boolean
}

const GAP = '  '

/** Lines of the table, title first, without trailing spaces. */
export function tableLines<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string[] {
  const cells = columns.map((column) => {
    const texts = rows.map(column.text)
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

// Lays out tables, records and texts for people. Amounts are aligned on the decimal point. A table fits the screen, except
// for an address, which stays whole. First texts are shortened, then ids and details go below their row, and at last each
// row is a block of lines. Without a screen nothing is cut. Other people's text is made printable here, so that it cannot
// control the terminal.
import { printable } from '../../core/printable.ts'
import type { Column } from '../../operations/words/column.ts'
import { readableMarked, shortened } from './cut-figures.ts'
import { cut, padEnd, padStart, widthOf, wrapped } from './width.ts'

/** Width without a screen, and with --wide. Then nothing is cut. */
export const UNBOUNDED = Number.POSITIVE_INFINITY

/** Between two columns. */
const GAP = '  '

/** Before the lines below a row. */
const INDENT = '    '

/** Between two texts on a line below a row. */
const BETWEEN = ' · '

/** Maximum lines of a text on a screen. JSON and CSV have the whole text. */
const MOST_LINES = 8

const ADDRESS = /^[a-z]+:\/\/\S+$/

/** Minimum width of a text beside its title, in characters. With less room the text goes below its title. */
const LEAST_ROOM = 10

/** Lines of a table. A row may take several lines. If `title` is empty, each row is a block of lines with own titles. */
interface TableLayout {
  readonly title: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Returns the lines of the table, title first, without trailing spaces. */
export function tableLines<Row>(columns: readonly Column<Row>[], rows: readonly Row[], width = UNBOUNDED): string[] {
  const { title, rows: rowLines } = layOut(columns, rows, width)
  if (title.length === 0) return rowLines.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))
  return [...title, ...rowLines.flat()]
}

export function layOut<Row>(columns: readonly Column<Row>[], rows: readonly Row[], width = UNBOUNDED): TableLayout {
  const all = columns.map((column) => cellsOf(column, rows, width))
  const whole = plain(all, rows.length)
  if (Math.max(...[...whole.title, ...whole.rows.flat()].map(widthOf), 0) <= width) return whole
  // An empty column shows nothing, and takes room.
  const filled = all.filter(({ texts }) => texts.some((text) => text !== ''))
  // Columns go below their row in this order, from the right, until the others fit.
  const goingBelow = [
    ...filled.filter(({ column }) => column.isId).reverse(),
    ...filled.filter(({ column }) => column.isDetail && !column.isId).reverse(),
  ]
  for (let count = 0; count <= goingBelow.length; count++) {
    const below = new Set(goingBelow.slice(0, count))
    const beside = filled.filter((cells) => !below.has(cells))
    const fitted = beside.length === 0 ? undefined : fitInto(beside, width)
    if (fitted === undefined) continue
    const { title, rows: lines } = plain(fitted, rows.length)
    const under = filled.filter((cells) => below.has(cells))
    return { title, rows: lines.map((line, index) => [...line, ...linesBelow(under, index, width)]) }
  }
  return { title: [], rows: rows.map((row) => recordLines(columns, row, width)) }
}

/** Returns the lines of a single row: each column is a line with title and text. */
export function recordLines<Row>(columns: readonly Column<Row>[], row: Row, width = UNBOUNDED): string[] {
  const shown = withUnits(
    columns.map((column) => ({ title: column.title, isTime: column.isTime, text: textOn(width, column, row) })),
  ).filter(({ text }) => width === UNBOUNDED || text !== '')
  const titleWidth = Math.max(0, ...shown.map(({ title }) => widthOf(title)))
  const room = width - titleWidth - GAP.length
  if (room < LEAST_ROOM) {
    return shown.flatMap(({ title, text }) => [cut(title, width), ...textLines(text, width, GAP)])
  }
  return shown.flatMap(({ title, text: whole, isTime }) => {
    const text = isTime && widthOf(whole) > room ? minuteOf(whole) : whole
    // An address is useless in parts.
    const lines = room === UNBOUNDED || ADDRESS.test(text) ? [text] : wrapped(text, room, MOST_LINES)
    return lines.map((line, index) => `${padEnd(index === 0 ? title : '', titleWidth)}${GAP}${line}`.trimEnd())
  })
}

interface RecordLine {
  readonly title: string
  readonly text: string
  readonly isTime: boolean | undefined
}

/** A column without a title holds the unit of the column before it, and shares its line. */
function withUnits(lines: readonly RecordLine[]): RecordLine[] {
  const joined: RecordLine[] = []
  for (const line of lines) {
    const before = joined.at(-1)
    if (line.title !== '' || before === undefined) joined.push(line)
    else if (line.text !== '') joined[joined.length - 1] = { ...before, text: `${before.text} ${line.text}`.trim() }
  }
  return joined
}

/** Breaks a sentence into lines of the screen. */
export function textLines(text: string, width = UNBOUNDED, indent = ''): string[] {
  if (width === UNBOUNDED) return [`${indent}${text}`]
  return wrapped(text, Math.max(1, width - indent.length), MOST_LINES).map((line) => `${indent}${line}`)
}

interface Cells {
  readonly column: Pick<Column<never>, 'title' | 'isAmount' | 'isTime' | 'cutTo' | 'isId' | 'isDetail'>
  readonly texts: readonly string[]
}

function cellsOf<Row>(column: Column<Row>, rows: readonly Row[], width: number): Cells {
  return { column, texts: rows.map((row) => textOn(width, column, row)) }
}

/** The text of a cell, whose figures a screen cuts. */
function textOn<Row>(width: number, { text, isAmount, isId, isTime, cut: by }: Column<Row>, row: Row): string {
  const whole = printable(text(row))
  if (width === UNBOUNDED || by === 'nowhere' || isId === true || isTime === true) return whole
  return isAmount === true ? readableMarked(whole, by) : shortened(whole)
}

/** Makes one line for the titles, and one line for each row, as wide as they need. */
function plain(all: readonly Cells[], count: number): TableLayout {
  const padded = all.map(({ column, texts }) => {
    const body = column.isAmount ? alignOnPoint(texts) : texts
    const width = Math.max(widthOf(column.title), ...body.map(widthOf))
    return [column.title, ...body].map((text) => (column.isAmount ? padStart(text, width) : padEnd(text, width)))
  })
  const line = (index: number) =>
    padded
      .map((texts) => texts[index] ?? '')
      .join(GAP)
      .trimEnd()
  return { title: [line(0)], rows: Array.from({ length: count }, (_, index) => [line(index + 1)]) }
}

/** Shortens the cells until they fit side by side. Returns undefined if they cannot fit. */
function fitInto(all: readonly Cells[], width: number): Cells[] | undefined {
  const short = all.map((cells) => (cells.column.isTime ? { ...cells, texts: cells.texts.map(minuteOf) } : cells))
  const natural = short.map(naturalWidth)
  const least = short.map(({ column }, index) =>
    column.cutTo === undefined
      ? (natural[index] ?? 0)
      : Math.min(natural[index] ?? 0, Math.max(column.cutTo, widthOf(column.title))),
  )
  let spare = width - GAP.length * (all.length - 1) - least.reduce((sum, each) => sum + each, 0)
  if (spare < 0) return undefined
  return short.map((cells, index) => {
    const grown = Math.min(natural[index] ?? 0, (least[index] ?? 0) + spare)
    spare -= grown - (least[index] ?? 0)
    return cells.column.cutTo === undefined ? cells : { ...cells, texts: cells.texts.map((text) => cut(text, grown)) }
  })
}

function naturalWidth({ column, texts }: Cells): number {
  const body = column.isAmount ? alignOnPoint(texts) : texts
  return Math.max(widthOf(column.title), ...body.map(widthOf))
}

/** `2026-01-31T09:00:12.345Z` → `2026-01-31 09:00`. Other text stays unchanged. */
function minuteOf(text: string): string {
  return text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d(\.\d+)?)?Z$/, '$1 $2')
}

/** Makes the lines below a row: each text stands after its title, as many on a line as fit. */
function linesBelow(all: readonly Cells[], row: number, width: number): string[] {
  const items: string[] = []
  for (const { column, texts } of all) {
    const text = column.isTime ? minuteOf(texts[row] ?? '') : (texts[row] ?? '')
    if (text === '') continue
    // A column without a title is the unit of the column before it.
    if (column.title === '' && items.length > 0) items.push(`${items.pop()} ${text}`)
    else items.push(`${column.title} ${text}`.trim())
  }
  const room = Math.max(1, width - INDENT.length)
  const lines: string[] = []
  for (const item of items) {
    const joined = lines.length === 0 ? item : `${lines.at(-1)}${BETWEEN}${item}`
    if (lines.length > 0 && widthOf(joined) <= room) lines[lines.length - 1] = joined
    else lines.push(...wrapped(item, room, MOST_LINES))
  }
  return lines.map((line) => `${INDENT}${line}`)
}

/** Pads the texts to one length, with all decimal points below each other. */
export function alignOnPoint(texts: readonly string[]): string[] {
  const split = texts.map((text) => {
    const point = text.indexOf('.')
    return point === -1 ? { whole: text, fraction: '' } : { whole: text.slice(0, point), fraction: text.slice(point) }
  })
  const wholeWidth = Math.max(0, ...split.map(({ whole }) => whole.length))
  const fractionWidth = Math.max(0, ...split.map(({ fraction }) => fraction.length))
  return split.map(({ whole, fraction }) => whole.padStart(wholeWidth) + fraction.padEnd(fractionWidth))
}

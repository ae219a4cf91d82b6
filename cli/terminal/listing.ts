// Prints the table of every command that lists, as --csv, --wide and --columns ask. A command only names its columns. The layout is in views/text/table.ts.

import { styleText } from 'node:util'
import { nearestHint } from '../../core/treasury/nearest-name.ts'
import type { Column } from '../../operations/words/column.ts'
import { unfit, usageError } from '../../place/operation-error.ts'
import { csvRow, csvTitles, namesOf } from '../../views/text/csv.ts'
import { printable } from '../../views/text/shown.ts'
import { layOut, UNBOUNDED } from '../../views/text/table.ts'
import type { CommandContext } from './context.ts'
import { columnsOf } from './output.ts'

export interface WideFlag {
  readonly wide?: boolean
}

export interface ListFlags extends WideFlag {
  readonly csv?: boolean
  readonly columns?: string
}

type Screen = Pick<CommandContext, 'output' | 'stdout'>

/** In columns. No layout is readable in less. */
const LEAST_WIDTH = 20

/** Whether a person reads standard output: it is a terminal, and the output is not JSON. */
export function isWatched({ output, stdout }: Screen): boolean {
  return !output.json && stdout.isTTY === true
}

/** Maximum width of a table: that of the terminal, or unbounded without one. Some terminals report 0 columns. */
export function screenWidth(screen: Screen, { wide }: WideFlag = {}): number {
  if (wide === true || !isWatched(screen)) return UNBOUNDED
  return Math.max(LEAST_WIDTH, columnsOf(screen.stdout))
}

/** Maximum width of a table on standard error. */
export function noteWidth({ output: { terminal } }: Pick<Screen, 'output'>, { wide }: WideFlag = {}): number {
  return wide === true || terminal === undefined ? UNBOUNDED : Math.max(LEAST_WIDTH, columnsOf(terminal))
}

/**
 * Called before anything else happens. `known` holds the columns, where they are known this early.
 * @throws OperationError (exit 2) for flags that exclude each other, and for an unknown column
 */
export function assertListFlags<Row>(
  flags: ListFlags,
  { json }: CommandContext['output'],
  known?: readonly Column<Row>[],
): void {
  const { csv, columns } = flags
  if (known !== undefined) chosenColumns(known, flags)
  if (!json || (csv !== true && columns === undefined)) return
  const flag = csv === true ? '--csv' : '--columns'
  throw usageError('usage', `${flag} and --json: expected one of them; got both`, `leave out ${flag} or --json`)
}

/**
 * The columns of --columns, or all.
 * @throws OperationError (exit 2) for an unknown column
 */
export function chosenColumns<Row>(
  columns: readonly Column<Row>[],
  { columns: asked }: ListFlags,
): readonly Column<Row>[] {
  if (asked === undefined) return columns
  const names = namesOf(columns)
  return asked.split(',').map((text) => {
    const name = text.trim().toLowerCase()
    const column = columns[names.findIndex((known) => known.toLowerCase() === name)]
    if (column !== undefined) return { ...column, title: column.title === '' ? name : column.title }
    const problem = `expected some of ${names.join(', ')}; got something else${nearestHint(name, names)}`
    throw unfit('columns', problem, 'correct --columns: separate the names by commas')
  })
}

/** Prints a list that is held in memory as a whole. */
export function printList<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  flags: ListFlags,
  context: Screen,
): void {
  const chosen = chosenColumns(columns, flags)
  if (flags.csv !== true) {
    printTable(chosen, rows, flags, context)
    return
  }
  printCsvTitles(chosen, context)
  for (const row of rows) printCsvRow(chosen, row, context)
}

export function printTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  flags: WideFlag,
  context: Screen,
): void {
  const { output, stdout } = context
  const { title, rows: rowLines } = layOut(columns, rows, screenWidth(context, flags))
  // With a stream, styleText follows NO_COLOR, FORCE_COLOR and the terminal's own depth.
  for (const line of title) output.data(styleText('bold', line, { stream: stdout }))
  for (const [index, lines] of rowLines.entries()) {
    if (title.length === 0 && index > 0) output.data('')
    for (const line of lines) output.data(line)
  }
}

export function printCsvTitles<Row>(columns: readonly Column<Row>[], { stdout }: Pick<Screen, 'stdout'>): void {
  stdout.write(`${csvTitles(columns)}\r\n`)
}

/** Returns false while the reader is slower than the list: wait then. */
export function printCsvRow<Row>(
  columns: readonly Column<Row>[],
  row: Row,
  { stdout }: Pick<Screen, 'stdout'>,
): boolean {
  return stdout.write(`${csvRow(columns, row)}\r\n`)
}

/** Maximum faults printed. */
const MOST_PRINTED = 50

/** Notes the first of the faults. `where`: what has the others. */
export function noteFirst(lines: readonly string[], total: number, output: Screen['output'], where = '--json'): void {
  for (const line of lines.slice(0, MOST_PRINTED)) output.note(printable(line))
  if (total > MOST_PRINTED) output.note(`… and ${total - MOST_PRINTED} more; ${where} has them`)
}

/**
 * `text` is undefined without the flag.
 * @throws OperationError (exit 2) unless it is a whole number from 1 to `most`
 */
export function readLimit(
  text: string | undefined,
  { usual, most }: { readonly usual: number; readonly most: number },
): number {
  if (text === undefined) return usual
  const limit = /^[1-9][0-9]*$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= most) return limit
  throw unfit('limit', `expected a whole number from 1 to ${most}; got something else`)
}

// Prints the answer of a query: a table, CSV, one JSON value, or one JSON object a line. A table that is cut off says so.
// JSON and CSV are cut off only by a given limit.

import type { Listing, Single } from '../../operations/service/columns.ts'
import { MOST_RECORDS } from '../../operations/service/filters.ts'
import { unfit } from '../../place/operation-error.ts'
import { printableJson } from '../../views/text/shown.ts'
import { recordLines, tableLines } from '../../views/text/table.ts'
import type { CommandContext } from '../terminal/context.ts'
import {
  chosenColumns,
  type ListFlags,
  printCsvRow,
  printCsvTitles,
  printList,
  printTable,
  screenWidth,
} from '../terminal/listing.ts'
import { printEach } from '../terminal/row-export.ts'

/** Maximum rows of a table without a given limit. */
const TABLE_RECORDS = 100
/** Maximum records in one JSON value, because it is held in memory as a whole. */
const JSON_RECORDS = 10_000

type Context = Pick<CommandContext, 'output' | 'stdout'>

export type Form = 'table' | 'csv' | 'json' | 'jsonl'

export function printSingle(
  { record, columns, held }: Single,
  form: Form,
  context: Context,
  flags: ListFlags = {},
): void {
  const { output } = context
  if (form === 'csv') printList(columns, [record], flags, context)
  else if (form !== 'table') output.facts(record)
  else {
    const width = screenWidth(context, flags)
    for (const line of recordLines(chosenColumns(columns, flags), record, width)) output.data(line)
    if (held.records.length > 0) {
      for (const line of ['', ...tableLines(held.columns, held.records, width)]) output.data(line)
    }
  }
}

interface Asked {
  readonly form: Form
  readonly limit: number | undefined
  readonly flags?: ListFlags
}

/** @throws OperationError (exit 2) when one JSON value would hold too many records, or for an unknown column. */
export async function printListing(
  { records: all, columns: known }: Listing,
  { form, limit, flags = {} }: Asked,
  context: Context,
): Promise<void> {
  const { output, stdout } = context
  const columns = chosenColumns(known, flags)
  if (form === 'jsonl') {
    const print = (record: object) => stdout.write(`${printableJson(record)}\n`)
    return printEach(all, print, limit ?? MOST_RECORDS, stdout)
  }
  if (form === 'csv') {
    printCsvTitles(columns, context)
    return printEach(all, (record) => printCsvRow(columns, record, context), limit ?? MOST_RECORDS, stdout)
  }
  const most = limit ?? (form === 'table' ? TABLE_RECORDS : JSON_RECORDS)
  const { records, isCut } = await take(all, most)
  if (form === 'table') {
    printTable(columns, records, flags, context)
    if (records.length === 0) output.note('none')
    if (isCut) output.note(`the first ${most}; there are more: --limit N shows N of them, --csv and --jsonl all`)
    return
  }
  if (isCut && limit === undefined) {
    throw unfit(
      'json',
      `expected at most ${JSON_RECORDS} records in one value; got more`,
      'add --limit N for the first N of them, or take --jsonl for all',
    )
  }
  output.facts(records)
}

async function take(
  records: Listing['records'],
  most: number,
): Promise<{ readonly records: readonly object[]; readonly isCut: boolean }> {
  const taken: object[] = []
  for await (const record of records) {
    if (taken.length === most) return { records: taken, isCut: true }
    taken.push(record)
  }
  return { records: taken, isCut: false }
}

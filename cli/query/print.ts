// Prints the answer of a query: a table, one JSON value, or one JSON object a line. A table that is cut off says so.
// JSON is never cut off, unless a limit was given.
import { styleText } from 'node:util'
import { usageError } from '../terminal/command-error.ts'
import type { CommandContext } from '../terminal/context.ts'
import type { TextStream } from '../terminal/output.ts'
import { printableJson } from '../terminal/table.ts'
import type { Listing, Single } from './columns.ts'
import { MOST_RECORDS } from './filters.ts'

/** Rows of a table when no limit is given. */
const TABLE_RECORDS = 100
/** The most records in one JSON value, which is held in memory as a whole. */
const JSON_RECORDS = 10_000

type Context = Pick<CommandContext, 'output' | 'stdout'>

export type Form = 'table' | 'json' | 'jsonl'

export function printSingle({ record, lines }: Single, form: Form, { output }: Context): void {
  if (form !== 'table') output.data(printableJson(record))
  else for (const line of lines) output.data(line)
}

/** @throws CommandError (exit 2) when one JSON value would hold too much. */
export async function printListing(
  listing: Listing,
  form: Form,
  limit: number | undefined,
  context: Context,
): Promise<void> {
  if (form === 'jsonl') return printLines(listing, limit ?? MOST_RECORDS, context)
  const most = limit ?? (form === 'table' ? TABLE_RECORDS : JSON_RECORDS)
  const { records, isCut } = await take(listing.records, most)
  if (form === 'table') return printTable(listing.lines(records), isCut, records.length, context)
  if (isCut && limit === undefined) {
    throw usageError(
      'usage',
      `--json: expected at most ${JSON_RECORDS} records in one value; got more`,
      'add --limit N for the first N of them, or take --jsonl for all',
    )
  }
  context.output.data(printableJson(records))
}

function printTable(
  [titles, ...rows]: readonly string[],
  isCut: boolean,
  count: number,
  { output, stdout }: Context,
): void {
  // With a stream, styleText follows NO_COLOR, FORCE_COLOR and the terminal's own depth.
  output.data(styleText('bold', titles ?? '', { stream: stdout }))
  for (const row of rows) output.data(row)
  if (count === 0) output.note('none')
  if (isCut) output.note(`the first ${count}; there are more: --limit N shows N of them, --jsonl all`)
}

/** Waits for the reader, so that a million records do not fill the memory. */
async function printLines({ records }: Listing, most: number, { stdout }: Context): Promise<void> {
  let count = 0
  for await (const record of records) {
    const isFull = !stdout.write(`${printableJson(record)}\n`)
    count += 1
    if (count === most) return
    if (isFull) await moved(stdout)
    // A reader such as `head` has closed the pipe, so the rest is not needed.
    if (!stdout.writable) return
  }
}

/** Resolves when the stream can be written again, or never can be. */
async function moved(stdout: TextStream): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const signs = ['drain', 'close', 'error']
  for (const sign of signs) stdout.once(sign, resolve)
  await promise
  for (const sign of signs) stdout.off(sign, resolve)
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

// Reads balances, orders and other lists of the service for the console. It uses the same queries as the command line.
// It returns the first rows for a page, and every row for a file. It must not write.

import { atService, type Everywhere, type Reader } from '../../place/reader.ts'
import { queryOf } from '../service/chosen-query.ts'
import type { QueryName } from '../service/queries.ts'
import type { Column } from '../words/column.ts'

export const SHOWN_QUERIES = [
  'balances',
  'orders',
  'fills',
  'withdrawals',
  'deposits',
  'contacts',
  'ledger',
] as const satisfies readonly QueryName[]
export type ShownQuery = (typeof SHOWN_QUERIES)[number]

interface ShownColumn extends Pick<Column<object>, 'words'> {
  readonly title: string
  readonly isAmount: boolean
  readonly isTime: boolean
  readonly isId: boolean
}

export interface ServicePage extends Everywhere {
  readonly query: ShownQuery
  readonly columns: readonly ShownColumn[]
  readonly rows: readonly (readonly string[])[]
  /** Whether the service has more rows than these. */
  readonly isCut: boolean
  readonly readAt: string
}

const ROWS_SHOWN = 100
/** Maximum rows of a file. */
const MOST_ROWS = 1_000_000

export function readService(reader: Reader, query: ShownQuery): Promise<ServicePage> {
  const readAt = new Date(reader.context.clock.nowMs()).toISOString()
  return atService(reader, async (client) => {
    const view = await queryOf[query]({ ...ALL, client })
    const records: object[] = []
    let isCut = false
    for await (const record of recordsOf(view)) {
      isCut = records.length === ROWS_SHOWN
      if (isCut) break
      records.push(record)
    }
    const columns = view.columns.map(({ title, words, isAmount = false, isTime = false, isId = false }) => ({
      title,
      ...(words !== undefined && { words }),
      isAmount,
      isTime,
      isId,
    }))
    const rows = records.map((record) => view.columns.map(({ text }) => text(record)))
    return { query, columns, rows, isCut, readAt }
  })
}

/** Calls `write` with the columns and every row, in the order of the service. Rows are read a page at a time. */
export function exportService(
  reader: Reader,
  query: ShownQuery,
  write: (columns: readonly Column<object>[], records: AsyncIterable<object>) => Promise<void>,
): Promise<void> {
  return atService(reader, async (client) => {
    const view = await queryOf[query]({ ...ALL, client })
    await write(view.columns, firstOf(recordsOf(view), MOST_ROWS))
    return {}
  }).then(() => undefined)
}

const ALL = { argument: undefined, filters: {}, isRebased: false, pageLimit: ROWS_SHOWN }

type View = Awaited<ReturnType<(typeof queryOf)[QueryName]>>

function recordsOf(view: View): AsyncIterable<object> | Iterable<object> {
  return view.kind === 'listing' ? view.records : [view.record]
}

async function* firstOf(records: AsyncIterable<object> | Iterable<object>, most: number): AsyncGenerator<object, void> {
  let count = 0
  for await (const record of records) {
    yield record
    count += 1
    if (count === most) return
  }
}

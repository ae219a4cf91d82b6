// Reads the page of movements of the console: requests by filters, as `sluice movements list` does, and what people
// call a run or a movement. Reads only.

import { withJournalConnection } from '../../place/journal-connection.ts'
import { atJournal, type Everywhere, type Reader } from '../../place/reader.ts'
import { requestName } from '../words/request-words.ts'
import { runName } from '../words/run-name.ts'
import { firstOf, readFilter, readRows } from './list-requests.ts'
import { withEnds } from './read-rows.ts'
import { findOneIntent, RequestKind } from './record-kind.ts'
import type { RequestRow, RowFilter } from './request-row.ts'

/** The filters as a form sends them: an empty text is no filter. */
export interface Filters {
  readonly kind: string
  readonly outcome: string
  readonly since: string
  readonly before: string
  /** A part of an id, of a payee, or of what was asked for, such as an amount. */
  readonly text: string
  /** Not empty: also runs in shadow mode. */
  readonly shadow: string
}

export interface MovementsPage extends Everywhere {
  readonly filters: Filters
  readonly rows: readonly RequestRow[]
  /** Older rows were asked for before this time, ISO-8601. */
  readonly older?: string
  readonly unreadable: readonly string[]
}

export const ROWS_SHOWN = 50
/** Maximum rows of a file. */
export const MOST_ROWS = 10_000

/** @throws OperationError (exit 2) for a filter that is not valid */
export function readMovements(reader: Reader, filters: Filters, limit = ROWS_SHOWN): Promise<MovementsPage> {
  const filter = filterOf(filters)
  const nowMs = reader.context.clock.nowMs()
  return atJournal(reader, async (connection) => {
    const { rows: all, goOn, unreadable } = await readRows(connection, filter, { limit, nowMs })
    const rows = await withEnds(firstOf(all, limit), connection)
    const last = rows.at(-1)
    const isMore = all.length > rows.length && last !== undefined
    const older = isMore ? last.at : goOn?.before
    return { filters, rows, unreadable, ...(older !== undefined && { older }) }
  })
}

function filterOf({ kind, outcome, since, before, text, shadow }: Filters): RowFilter {
  return readFilter({
    ...(kind !== '' && { kind }),
    ...(outcome !== '' && { outcome }),
    ...(since !== '' && { since }),
    ...(before !== '' && { before }),
    ...(text !== '' && { text }),
    ...(shadow !== '' && { shadow: true }),
  })
}

/** Undefined for an id that the journal does not have. `kind` is needed only where several kinds have the id. */
export function readName(
  { flags, context }: Reader,
  id: string,
  kind: RequestKind | undefined,
): Promise<string | undefined> {
  return withJournalConnection(flags, context, async ({ journal, runJournal }) => {
    if (kind === RequestKind.Run) {
      const run = await runJournal.runs.find(id)
      return run && runName(run)
    }
    const intent = await findOneIntent(id, kind, journal)
    return intent && requestName(intent)
  })
}

// Reads many rows of the service as pages of the list around their time. The list is only quicker: the caller reads a row
// that it does not show by its id. Reads only.
import { Defect, Refused, Transient } from '../../../core/errors.ts'
import type { WalkBounds } from '../../../core/service/pages.ts'

/** Least rows for which a list is read. For fewer, reads by id cost no more. */
const LEAST_LISTED = 8
/** Maximum rows of the list that are read for one part: others use the account too. */
const MOST_LISTED = 1_000
/** Milliseconds between a known time of a row and its date, usually. Rows beyond it are read by id. */
const ROW_SLACK_MS = 120_000
/** One row beyond the maximum ends the loop before the walk itself refuses. */
const LIST_BOUNDS = { maxItems: MOST_LISTED + 1 }

export interface Window {
  readonly startDate: string
  readonly endDate: string
}

/** `wanted`: the approximate time of each row, in epoch ms, by its id. Returns the rows that the list shows. */
export async function readListed<Row extends { readonly id: string }>(
  wanted: ReadonlyMap<string, number>,
  walk: (window: Window, bounds: WalkBounds) => AsyncIterable<Row>,
): Promise<ReadonlyMap<string, Row>> {
  const found = new Map<string, Row>()
  if (wanted.size < LEAST_LISTED) return found
  const times = [...wanted.values()]
  const startDate = new Date(Math.min(...times) - ROW_SLACK_MS).toISOString()
  const endDate = new Date(Math.max(...times) + ROW_SLACK_MS).toISOString()
  let seen = 0
  try {
    for await (const row of walk({ startDate, endDate }, LIST_BOUNDS)) {
      if (wanted.has(row.id)) found.set(row.id, row)
      seen += 1
      if (found.size === wanted.size || seen === MOST_LISTED) break
    }
  } catch (error) {
    // A list that changes meanwhile, or has a row that cannot be read, must not hide the other rows.
    if (!(error instanceof Defect || error instanceof Transient || error instanceof Refused)) throw error
  }
  return found
}

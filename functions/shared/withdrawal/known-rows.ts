// What an attempt must remember of the rows that were there before its send, so that its own can
// be told from them later.
import { Defect } from '../errors.ts'
import type { WithdrawalState } from '../service/ports.ts'
import type { WithdrawTried } from './withdraw-intent.ts'

/**
 * A row made by a send is not older than the send; a day of slack covers any way that a service
 * may date its rows. What is older need not be remembered, so that the record stays small.
 */
const SLACK_MS = 24 * 3_600_000
/** The journal's record holds 400 KB at most, and an id up to 256 characters. */
const MOST_KNOWN_ROWS = 1_200

/** @throws Defect when more rows were made in a day than a record can hold: nothing is sent then. */
export function knownRows(rows: readonly WithdrawalState[], reachedMs: number): WithdrawTried {
  const sinceMs = reachedMs - SLACK_MS
  // Negated, so that a row whose time cannot be read is remembered.
  const recent = rows.filter((row) => !(Date.parse(row.createdAt) < sinceMs))
  if (recent.length > MOST_KNOWN_ROWS) {
    throw new Defect(
      `more than ${MOST_KNOWN_ROWS} withdrawals of this asset in a day; a new one could not be told from them`,
    )
  }
  return { since: new Date(sinceMs).toISOString(), knownIds: recent.map((row) => row.id) }
}

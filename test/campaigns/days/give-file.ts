// Gives the rows of a payout file to a policy, as people do: by RequestRun, which writes the pages of a long file. It also
// changes a page before the journal has it, as an insider would.
import { MOST_ROWS_IN_REQUEST, type PayoutRow } from '../../../core/contract/payouts.ts'
import { RECORD_FORMAT, recordKey } from '../../../core/contract/records.ts'
import { pageHashes } from '../../../core/journal/pages.ts'
import type { RecordStore } from '../../../core/journal/record-store.ts'
import { idMadeOf } from '../../../operations/movements/intent-id.ts'
import { ask } from './ask.ts'
import type { Deployment } from './deployment.ts'

/** A payout file, from the moment at which it was given to a policy. */
export interface GivenFile {
  readonly atMs: number
  readonly run: string
  readonly policy: string
  readonly rows: readonly PayoutRow[]
}

/** Who gives files. Other people approve them. */
const GIVER = 'payroll'

/** Returns the file as given, with the name of its run. `id`: the person's own id of the run. */
export function givenFile(policy: string, rows: readonly PayoutRow[], id: string, atMs: number): GivenFile {
  return { atMs, run: idMadeOf('sweep', id), policy, rows }
}

export async function askToPay({ run, policy, rows, atMs }: GivenFile, { aws }: Deployment): Promise<void> {
  const isLong = rows.length > MOST_ROWS_IN_REQUEST
  const request = { policy, ...(isLong ? { pages: pageHashes(rows) } : { rows }) }
  await ask(aws, 'sluice-request-run', GIVER, { run, request, ...(isLong && { rows }) }, atMs)
}

/** Writes a page with other rows than its hash says: the last one of these rows is changed. */
export async function writeOtherPage(
  rows: readonly PayoutRow[],
  change: (row: PayoutRow) => PayoutRow,
  store: RecordStore,
): Promise<void> {
  const hash = pageHashes(rows).at(-1) ?? ''
  const own = rows.slice(Math.floor((rows.length - 1) / MOST_ROWS_IN_REQUEST) * MOST_ROWS_IN_REQUEST)
  const entries = own.map((row, index) => (index === own.length - 1 ? change(row) : row))
  await store.create({ pk: recordKey.page(hash), format: RECORD_FORMAT, version: 1, stamp: 'forged', entries })
}

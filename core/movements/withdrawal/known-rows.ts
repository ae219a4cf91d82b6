// The rows that were there before an attempt, and the rows among which its own is looked for: those that the service
// dates to within two days of the attempt. The bound is in time, so that no history is too long to settle a doubt.
import type { Timing } from '../../contract/timing.ts'
import { Defect } from '../../errors.ts'
import { withdrawalFenceMs } from '../../journal/fence.ts'
import { attemptOf, type KnownRows, type OpenWithdrawal } from '../../journal/intent.ts'
import type { WithdrawalService, WithdrawalState } from '../../service/ports.ts'

/**
 * A row made by a send is dated to the time of the send: as coarsely as to the day, and in any zone's clock, which
 * comes to a day and a half at most.
 */
export const DATING_SLACK_MS = 48 * 3_600_000
/** The journal's record holds 400 KB at most, and an id up to 256 characters. */
export const MOST_KNOWN_ROWS = 1_200
/** Rows of one asset in the days around a send: more cannot be told apart in one look. */
export const MOST_ROWS = 10_000

/**
 * The rows of an asset that are there before a send. `nowMs`: service time.
 * @throws Defect when more rows were made in two days than a record can hold: nothing is sent then. @throws Transient
 */
export async function listKnownRows(
  assetSymbol: string,
  nowMs: number,
  service: Pick<WithdrawalService, 'listWithdrawals'>,
): Promise<KnownRows> {
  const since = new Date(nowMs - DATING_SLACK_MS).toISOString()
  const rows = await service.listWithdrawals({ assetSymbol, startDate: since }, MOST_ROWS)
  // Negated, so that a row whose time cannot be read is remembered.
  const recent = rows.filter((row) => !(Date.parse(row.createdAt) < Date.parse(since)))
  if (recent.length > MOST_KNOWN_ROWS) {
    throw new Defect(
      `more than ${MOST_KNOWN_ROWS} withdrawals of ${assetSymbol} in two days; a new one could not be told from them`,
    )
  }
  return { since, knownIds: recent.map((row) => row.id) }
}

/** The rows of an asset among which the armed attempt's own is, if it made one. @throws Transient, Defect */
export function listRowsAround(
  intent: OpenWithdrawal,
  timing: Timing,
  service: Pick<WithdrawalService, 'listWithdrawals'>,
): Promise<readonly WithdrawalState[]> {
  const attempt = attemptOf(intent)
  const endDate = new Date(withdrawalFenceMs(attempt, timing) + DATING_SLACK_MS).toISOString()
  const { assetSymbol } = intent.frozen
  return service.listWithdrawals({ assetSymbol, startDate: attempt.since, endDate }, MOST_ROWS)
}

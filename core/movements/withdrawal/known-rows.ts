// The rows that were there before an attempt, and the rows among which its own is looked for: those that the service
// dates to within two days of the attempt. The bound is in time, so that no history is too long to settle a doubt. A list
// that lacks a row which the journal knows proves nothing.
import type { Timing } from '../../contract/timing.ts'
import { Defect, Transient } from '../../errors.ts'
import { withdrawalFenceMs } from '../../journal/fence.ts'
import {
  attemptOf,
  type KnownRow,
  type KnownRows,
  type OpenWithdrawal,
  type WithdrawalAttempt,
  type WithdrawIntent,
} from '../../journal/intent.ts'
import type { WithdrawalService, WithdrawalState } from '../../service/ports.ts'

/**
 * A row made by a send is dated to the time of the send: as coarsely as to the day, and in any zone's clock, which
 * comes to a day and a half at most.
 */
export const DATING_SLACK_MS = 48 * 3_600_000
/** A list goes by the dates of its rows to within two days: that much earlier than the rows that it must hold it is asked for. */
const FILTER_SLACK_MS = 48 * 3_600_000
/** The journal's record holds 400 KB at most, and an id up to 256 characters. */
export const MOST_KNOWN_ROWS = 1_200
/** Rows of one asset in the days around a send: more cannot be told apart in one look. */
export const MOST_ROWS = 10_000
/** A few suffice to show that a list lacks rows. */
const MOST_SEEN_ROWS = 20

/** The rows of an asset before a send. */
export interface RowsBefore {
  readonly known: KnownRows
  /** Ids of all rows that the list has shown, older ones among them. */
  readonly listed: ReadonlySet<string>
}

/**
 * The rows of an asset that are there before a send. `nowMs`: service time.
 * @throws Defect when more rows were made in two days than a record can hold: nothing is sent then. @throws Transient
 */
export async function listKnownRows(
  assetSymbol: string,
  nowMs: number,
  service: Pick<WithdrawalService, 'listWithdrawals'>,
): Promise<RowsBefore> {
  const since = new Date(nowMs - DATING_SLACK_MS).toISOString()
  const rows = await service.listWithdrawals({ assetSymbol, startDate: startOfList(since) }, MOST_ROWS)
  // Negated, so that a row whose time cannot be read is remembered.
  const recent = rows.filter((row) => !(Date.parse(row.createdAt) < Date.parse(since)))
  if (recent.length > MOST_KNOWN_ROWS) {
    throw new Defect(
      `more than ${MOST_KNOWN_ROWS} withdrawals of ${assetSymbol} in two days; a new one could not be told from them`,
    )
  }
  return { known: { since, known: recent.map(toKnownRow) }, listed: new Set(rows.map(({ id }) => id)) }
}

/**
 * A row that a list before a send lacks, though an earlier attempt knew it or made it: its id, or `undefined`. `earlier`: the
 * intent of that attempt. A row whose time cannot be read belongs to no window for certain, and may be missing.
 * @throws Transient, Refused, Defect
 */
export async function findMissingBefore(
  { known: { since }, listed }: RowsBefore,
  earlier: WithdrawIntent | undefined,
  timing: Timing,
  service: Pick<WithdrawalService, 'findWithdrawal'>,
): Promise<string | undefined> {
  if (earlier?.attempt === undefined) return undefined
  const { attempt, ref } = earlier
  const sinceMs = Date.parse(since)
  const missing = shownTo(attempt).find(({ id, at }) => Date.parse(at) >= sinceMs && !listed.has(id))
  if (missing !== undefined) return missing.id
  const isOld = withdrawalFenceMs(attempt, timing) + DATING_SLACK_MS < sinceMs
  if (ref === undefined || listed.has(ref) || isOld) return undefined
  // Its date is not in the journal.
  const own = await service.findWithdrawal(ref)
  return own !== undefined && Date.parse(own.createdAt) < sinceMs ? undefined : ref
}

/**
 * The rows of an asset among which the armed attempt's own is, if it made one.
 * @throws Transient, also where the list lacks a row that it has shown before. @throws Defect
 */
export async function listRowsAround(
  intent: OpenWithdrawal,
  timing: Timing,
  service: Pick<WithdrawalService, 'listWithdrawals'>,
): Promise<readonly WithdrawalState[]> {
  const attempt = attemptOf(intent)
  const endDate = new Date(withdrawalFenceMs(attempt, timing) + DATING_SLACK_MS).toISOString()
  const { assetSymbol } = intent.frozen
  const startDate = startOfList(attempt.since)
  const rows = await service.listWithdrawals({ assetSymbol, startDate, endDate }, MOST_ROWS)
  const missing = findMissing(attempt, rows)
  if (missing !== undefined) throw new Transient(missingText(assetSymbol, missing))
  return rows
}

/**
 * A row that lists have shown to an attempt and that `rows` lack: its id, or `undefined`. `rows`: of a list from the same start
 * on or an earlier one, which has shown all of them, whatever their dates.
 */
export function findMissing(
  attempt: Pick<WithdrawalAttempt, 'known' | 'seen'>,
  rows: readonly Pick<WithdrawalState, 'id'>[],
): string | undefined {
  const listed = new Set(rows.map(({ id }) => id))
  return shownTo(attempt).find(({ id }) => !listed.has(id))?.id
}

export function missingText(assetSymbol: string, id: string): string {
  return `the service's list of ${assetSymbol} withdrawals lacks ${id}, which is one of them`
}

/** What is to be remembered of rows that may be an attempt's own; `undefined` where all of it is. */
export function findNewlySeen(
  { seen = [] }: Pick<WithdrawalAttempt, 'seen'>,
  rows: readonly WithdrawalState[],
): readonly KnownRow[] | undefined {
  const fresh = rows.filter(({ id }) => !seen.some((row) => row.id === id)).slice(0, MOST_SEEN_ROWS - seen.length)
  return fresh.length === 0 ? undefined : [...seen, ...fresh.map(toKnownRow)]
}

/** The rows that lists have shown to an attempt. */
function shownTo({ known, seen = [] }: Pick<WithdrawalAttempt, 'known' | 'seen'>): readonly KnownRow[] {
  return [...known, ...seen]
}

function toKnownRow({ id, createdAt: at }: WithdrawalState): KnownRow {
  return { id, at }
}

function startOfList(since: string): string {
  return new Date(Date.parse(since) - FILTER_SLACK_MS).toISOString()
}

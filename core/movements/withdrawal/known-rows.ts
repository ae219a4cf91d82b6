// The rows that were there before an attempt, and the rows among which its own is looked for: those that the service
// dates to within two days of the attempt. The bound is in time, so that no history is too long to settle a doubt. A list
// that lacks a row which the journal knows proves nothing: for that, a few older rows are remembered too.
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
const MOST_ROWS = 10_000
/** A few suffice to show that a list lacks rows. */
const MOST_SEEN_ROWS = 20
const MOST_OLDER_ROWS = 20

/** The rows of an asset before a send. */
export interface RowsBefore {
  readonly known: KnownRows
  /** Epoch ms: the list must show every row that is dated to then or later. */
  readonly fromMs: number
  /** Ids of all rows that the list has shown, older ones among them. */
  readonly listed: ReadonlySet<string>
}

/**
 * The rows of an asset that are there before a send. `nowMs`: service time. `earlier`: the intent of the last attempt before.
 * A list without any row cannot show that it lacks rows: then one is asked for that reaches back to a row which that attempt
 * knew or made.
 * @throws Defect when more rows were made in two days than a record can hold: nothing is sent then. @throws Transient
 */
export async function listKnownRows(
  assetSymbol: string,
  nowMs: number,
  earlier: WithdrawIntent | undefined,
  service: Pick<WithdrawalService, 'listWithdrawals'>,
): Promise<RowsBefore> {
  const sinceMs = nowMs - DATING_SLACK_MS
  const since = new Date(sinceMs).toISOString()
  const list = (fromMs: number) => service.listWithdrawals({ assetSymbol, startDate: startOfList(fromMs) }, MOST_ROWS)
  const usual = await list(sinceMs)
  const fromMs = usual.length > 0 ? sinceMs : Math.min(sinceMs, youngestKnownMs(earlier))
  const rows = fromMs < sinceMs ? await list(fromMs) : usual
  const isOlder = (row: WithdrawalState) => Date.parse(row.createdAt) < sinceMs
  // Negated, so that a row whose time cannot be read is remembered.
  const recent = rows.filter((row) => !isOlder(row))
  if (recent.length > MOST_KNOWN_ROWS) {
    throw new Defect(
      `more than ${MOST_KNOWN_ROWS} withdrawals of ${assetSymbol} in two days; a new one could not be told from them`,
    )
  }
  const known = [...recent, ...youngest(rows.filter(isOlder))].map(toKnownRow)
  return { known: { since, known }, fromMs, listed: new Set(rows.map(({ id }) => id)) }
}

/** Epoch ms of the youngest row that an attempt knew, or the earliest to which the row that it made is dated; infinite for none. */
function youngestKnownMs(earlier: WithdrawIntent | undefined): number {
  if (earlier?.attempt === undefined) return Number.POSITIVE_INFINITY
  const { attempt, ref } = earlier
  if (ref !== undefined) return attempt.iat * 1000 - DATING_SLACK_MS
  const times = shownTo(attempt)
    .map(({ at }) => Date.parse(at))
    .filter((ms) => !Number.isNaN(ms))
  return times.length > 0 ? Math.max(...times) : Number.POSITIVE_INFINITY
}

/** They need only show that a later list lacks rows. */
function youngest(rows: readonly WithdrawalState[]): readonly WithdrawalState[] {
  return rows
    .toSorted((left, right) => Date.parse(right.createdAt) - Date.parse(left.createdAt))
    .slice(0, MOST_OLDER_ROWS)
}

/**
 * A row that a list before a send lacks, though an earlier attempt knew it or made it: its id, or `undefined`. `earlier`: the
 * intent of that attempt. A row whose time cannot be read belongs to no window for certain, and may be missing.
 * @throws Transient, Refused, Defect
 */
export async function findMissingBefore(
  { fromMs, listed }: RowsBefore,
  earlier: WithdrawIntent | undefined,
  timing: Timing,
  service: Pick<WithdrawalService, 'findWithdrawal'>,
): Promise<string | undefined> {
  if (earlier?.attempt === undefined) return undefined
  const { attempt, ref } = earlier
  const missing = shownTo(attempt).find(({ id, at }) => Date.parse(at) >= fromMs && !listed.has(id))
  if (missing !== undefined) return missing.id
  const isOld = withdrawalFenceMs(attempt, timing) + DATING_SLACK_MS < fromMs
  if (ref === undefined || listed.has(ref) || isOld) return undefined
  // Its date is not in the journal.
  const own = await service.findWithdrawal(ref)
  return own !== undefined && Date.parse(own.createdAt) < fromMs ? undefined : ref
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
  const startDate = startOfKnown(attempt)
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

/** From when on to ask for a list that must show all rows that an attempt knew, and its own: ISO-8601. */
export function startOfKnown({ since, known }: KnownRows): string {
  const times = known.map(({ at }) => Date.parse(at))
  return startOfList(times.reduce((oldest, ms) => (ms < oldest ? ms : oldest), Date.parse(since)))
}

/** The rows that lists have shown to an attempt. */
function shownTo({ known, seen = [] }: Pick<WithdrawalAttempt, 'known' | 'seen'>): readonly KnownRow[] {
  return [...known, ...seen]
}

function toKnownRow({ id, createdAt: at }: WithdrawalState): KnownRow {
  return { id, at }
}

function startOfList(fromMs: number): string {
  return new Date(fromMs - FILTER_SLACK_MS).toISOString()
}

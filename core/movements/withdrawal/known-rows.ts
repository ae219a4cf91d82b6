// Lists the rows that were there before an attempt, and later the rows among which the attempt's own row must be: those dated
// within two days of it. The bound is in time, so that a long history never blocks a doubt. A list that lacks a row which
// the journal knows proves nothing; a few older rows are kept to show that too. Reads only.
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

/** The service dates a new row to the time of its send, but perhaps only to the day, and by the clock of any zone. */
const MOST_DATED_OFF_MS = 36 * 3_600_000
/** Milliseconds: two days, more than a row's date may be off. */
export const DATING_SLACK_MS = 48 * 3_600_000
/** Milliseconds: two days. The service filters a list by coarse dates, so each list is asked for from this much earlier and later. */
const FILTER_SLACK_MS = 48 * 3_600_000
/** The journal's record holds at most 400 KB, and an id has up to 256 characters. */
export const MOST_KNOWN_ROWS = 1_200
/** Rows of one asset in the days around a send: one list cannot be read further. */
const MOST_ROWS = 10_000
/** A few rows are enough to show that a list lacks rows. */
const MOST_SEEN_ROWS = 20
const MOST_OLDER_ROWS = 20

/** The rows of an asset that exist before a send. */
interface RowsBefore {
  readonly known: KnownRows
  /** Epoch ms: the list must show every row with this date or a later one. */
  readonly fromMs: number
  /** Ids of all rows that the list has shown, including older ones. */
  readonly listed: ReadonlySet<string>
}

/**
 * Lists the rows of an asset that exist before a send. `nowMs`: service time. `earlier`: the intent of the last attempt before.
 * An empty list cannot show that it lacks rows. Then a second list is read, back to a row that the earlier attempt knew or
 * made. More rows in two days than a record can hold are a Defect: nothing is sent.
 * @throws Defect, Transient
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
  // The test is negated, so that a row whose time cannot be read is kept.
  const recent = rows.filter((row) => !isOlder(row))
  if (recent.length > MOST_KNOWN_ROWS) {
    throw new Defect(
      `more than ${MOST_KNOWN_ROWS} withdrawals of ${assetSymbol} in two days; a new one could not be distinguished from them`,
    )
  }
  const known = [...recent, ...youngest(rows.filter(isOlder))].map(toKnownRow)
  return { known: { since, known }, fromMs, listed: new Set(rows.map(({ id }) => id)) }
}

/**
 * Epoch ms of the youngest row that an attempt knew, or the earliest date of the row that it made; infinite where there is no
 * row.
 */
function youngestKnownMs(earlier: WithdrawIntent | undefined): number {
  if (earlier?.attempt === undefined) return Number.POSITIVE_INFINITY
  const { attempt, ref } = earlier
  if (ref !== undefined) return attempt.iat * 1000 - DATING_SLACK_MS
  const times = shownTo(attempt)
    .map(({ at }) => Date.parse(at))
    .filter((ms) => !Number.isNaN(ms))
  return times.length > 0 ? Math.max(...times) : Number.POSITIVE_INFINITY
}

/** The youngest rows are enough to show that a later list lacks rows. */
function youngest(rows: readonly WithdrawalState[]): readonly WithdrawalState[] {
  return rows
    .toSorted((left, right) => Date.parse(right.createdAt) - Date.parse(left.createdAt))
    .slice(0, MOST_OLDER_ROWS)
}

/**
 * The id of a row that an earlier attempt knew or made, and that a list before a send lacks; `undefined` where it lacks
 * nothing. `senders`: the intents of these attempts. A known row whose time cannot be read may lie outside the list, so
 * it does not count as missing.
 * @throws Transient, Refused, Defect
 */
export async function findMissingBefore(
  list: Pick<RowsBefore, 'fromMs' | 'listed'>,
  senders: readonly WithdrawIntent[],
  timing: Timing,
  service: Pick<WithdrawalService, 'findWithdrawal'>,
): Promise<string | undefined> {
  for (const sender of senders) {
    const missing = await findMissingOf(sender, list, timing, service)
    if (missing !== undefined) return missing
  }
  return undefined
}

async function findMissingOf(
  earlier: WithdrawIntent,
  { fromMs, listed }: Pick<RowsBefore, 'fromMs' | 'listed'>,
  timing: Timing,
  service: Pick<WithdrawalService, 'findWithdrawal'>,
): Promise<string | undefined> {
  if (earlier.attempt === undefined) return undefined
  const { attempt, ref } = earlier
  const missing = shownTo(attempt).find(({ id, at }) => Date.parse(at) >= fromMs && !listed.has(id))
  if (missing !== undefined) return missing.id
  const isOld = withdrawalFenceMs(attempt, timing) + DATING_SLACK_MS < fromMs
  if (ref === undefined || listed.has(ref) || isOld) return undefined
  // The journal does not hold the row's date.
  const own = await service.findWithdrawal(ref)
  return own !== undefined && Date.parse(own.createdAt) < fromMs ? undefined : ref
}

/**
 * The rows of an asset that include the armed attempt's own row, if the attempt made one. A list that lacks a row of an earlier
 * list is a Transient fault.
 * @throws Transient, Defect
 */
export async function listRowsAround(
  intent: OpenWithdrawal,
  timing: Timing,
  service: Pick<WithdrawalService, 'listWithdrawals'>,
): Promise<readonly WithdrawalState[]> {
  const attempt = attemptOf(intent)
  const endMs = withdrawalFenceMs(attempt, timing) + DATING_SLACK_MS
  const endDate = new Date(endMs + FILTER_SLACK_MS).toISOString()
  const { assetSymbol } = intent.frozen
  const startDate = startOfKnown(attempt)
  const listed = await service.listWithdrawals({ assetSymbol, startDate, endDate }, MOST_ROWS)
  // The test is negated, so that a row whose time cannot be read is kept.
  const rows = listed.filter(({ createdAt }) => !(Date.parse(createdAt) > endMs))
  const missing = findMissing(attempt, rows)
  if (missing !== undefined) throw new Transient(missingText(assetSymbol, missing))
  return rows
}

/**
 * Compares a list past the fence of a withdrawal with the rows that others of its lane knew or made. They may be newer than all
 * rows that the withdrawal itself knew, or its own. Others who sent after that fence may have a row that is not visible yet. A
 * row that a list has shown to them must be here, if its date is near.
 * @throws Transient where the list lacks such a row.
 * @throws Refused, Defect
 */
export async function assertShowsRowsOf(
  senders: readonly WithdrawIntent[],
  rows: readonly WithdrawalState[],
  intent: OpenWithdrawal,
  timing: Timing,
  service: Pick<WithdrawalService, 'findWithdrawal'>,
): Promise<void> {
  const attempt = attemptOf(intent)
  const fenceMs = withdrawalFenceMs(attempt, timing)
  const isEarlier = (sender: WithdrawIntent) => (sender.attempt?.iat ?? 0) * 1000 <= fenceMs
  const list = { fromMs: Date.parse(attempt.since), listed: new Set(rows.map(({ id }) => id)) }
  const shownLater = senders.filter((sender) => !isEarlier(sender)).flatMap((sender) => shownTo(sender.attempt))
  const isReached = ({ at }: KnownRow) => Date.parse(at) >= list.fromMs && Date.parse(at) <= fenceMs + MOST_DATED_OFF_MS
  const missing =
    (await findMissingBefore(list, senders.filter(isEarlier), timing, service)) ??
    shownLater.find((row) => isReached(row) && !list.listed.has(row.id))?.id
  if (missing !== undefined) throw new Transient(missingText(intent.frozen.assetSymbol, missing))
}

/**
 * The id of a row that an attempt's lists have shown and that `rows` lack; `undefined` where they lack nothing. `rows`: a list
 * from the same start on or an earlier one. Such a list has shown all these rows, whatever their dates.
 */
export function findMissing(
  attempt: Pick<WithdrawalAttempt, 'known' | 'seen'>,
  rows: readonly WithdrawalState[],
): string | undefined {
  const listed = new Set(rows.map(({ id }) => id))
  return shownTo(attempt).find(({ id }) => !listed.has(id))?.id
}

export function missingText(assetSymbol: string, id: string): string {
  return `the service's list of ${assetSymbol} withdrawals lacks ${id}, which is one of them`
}

/** The seen rows to record, with rows that may be an attempt's own; `undefined` where the record holds them all. */
export function findNewlySeen(
  { seen = [] }: WithdrawalAttempt,
  rows: readonly WithdrawalState[],
): readonly KnownRow[] | undefined {
  const fresh = rows.filter(({ id }) => !seen.some((row) => row.id === id)).slice(0, MOST_SEEN_ROWS - seen.length)
  return fresh.length === 0 ? undefined : [...seen, ...fresh.map(toKnownRow)]
}

/** Start (ISO-8601) of a list that must show the attempt's own row and all rows that it knew. */
export function startOfKnown({ since, known }: KnownRows): string {
  const times = known.map(({ at }) => Date.parse(at))
  return startOfList(times.reduce((oldest, ms) => (ms < oldest ? ms : oldest), Date.parse(since)))
}

function shownTo({
  known = [],
  seen = [],
}: Partial<Pick<WithdrawalAttempt, 'known' | 'seen'>> = {}): readonly KnownRow[] {
  return [...known, ...seen]
}

function toKnownRow({ id, createdAt: at }: WithdrawalState): KnownRow {
  return { id, at }
}

function startOfList(fromMs: number): string {
  return new Date(fromMs - FILTER_SLACK_MS).toISOString()
}

// Makes the books of an account over whole days, from the service's ledger. The balances of the service's own history
// are claims in them, so that a program for books checks them too. Surveys what a file must say before its entries.
// Reads only.

import { type Books, books as booksSchema } from '../../../core/contract/books.ts'
import type { Journal } from '../../../core/journal/journal.ts'
import { formatDecimal, minus, parseSignedDecimal, plus, sumOf } from '../../../core/money/decimal.ts'
import type { ServiceClient } from '../../../core/service/service-client.ts'
import { ExitCode } from '../../../place/exit-code.ts'
import { withJournalConnection } from '../../../place/journal-connection.ts'
import { withJournalService } from '../../../place/place-service.ts'
import type { Reader } from '../../../place/reader.ts'
import { serviceFailure } from '../../../place/service/service-failure.ts'
import { assertOwnAccount } from '../../journal/own-account.ts'
import { dayIn, type Period, type PeriodFlags, readDays } from '../period.ts'
import type { AssetStatement } from '../statement/account-statement.ts'
import { makeStatement, type StatementSources } from '../statement/make-statement.ts'
import { type BookAccounts, createBookAccounts } from './book-accounts.ts'
import type { AccountBooks, BookPrice, OpenBooks, Posting } from './book-entry.ts'
import { type KeptLines, openKeptLines } from './kept-lines.ts'
import { makeEntries } from './make-entries.ts'

/** Maximum fills whose rates are read. */
const MOST_FILLS = 1_000_000

export interface BooksRequest extends PeriodFlags {
  /** Claims the opening balances, in place of booking them: the file follows those of earlier periods. */
  readonly continues?: boolean
}

/** The caller closes the books. @throws OperationError */
export function readBooks({ flags, context }: Reader, request: BooksRequest): Promise<OpenBooks> {
  return withJournalConnection(
    flags,
    context,
    (connection) =>
      withJournalService(connection, flags, context, async (service) => {
        await assertOwnAccount(connection, service)
        await service.clock.measure()
        const nowMs = Math.floor(service.clock.nowMs())
        const period = readDays(request, nowMs)
        const account = (await service.accountOfKey()) ?? null
        const asked = { period, account, continues: request.continues ?? false, config: connection.treasury.books }
        return makeBooks({ journal: connection.journal, service }, asked, nowMs)
      }).catch((error: unknown) => Promise.reject(serviceFailure(error))),
    { asksService: true },
  )
}

export function booksExitCode({ isProven }: Pick<AccountBooks, 'isProven'>): ExitCode {
  return isProven ? ExitCode.Done : ExitCode.DoesNotTieOut
}

interface BookSources extends StatementSources {
  readonly journal: Pick<Journal, 'find' | 'findClaim'>
}

interface Asked {
  readonly period: Period
  readonly account: string | null
  readonly continues: boolean
  /** Absent: every account is the usual one. */
  readonly config: Books | undefined
}

/** The caller closes the books. @throws Transient, Refused, Defect */
export async function makeBooks(sources: BookSources, asked: Asked, nowMs: number): Promise<OpenBooks> {
  const kept = openKeptLines(sources.journal)
  try {
    return { ...(await booksOf(sources, asked, nowMs, kept)), close: kept.close }
  } catch (error) {
    kept.close()
    throw error
  }
}

async function booksOf(
  sources: BookSources,
  { period, account, continues, config }: Asked,
  nowMs: number,
  kept: KeptLines,
): Promise<AccountBooks> {
  const { zone, fromMs, toMs } = period
  const settings = config ?? booksSchema.parse({})
  const accounts = createBookAccounts(settings)
  const onLines = () => {
    kept.clear()
    return kept.add
  }
  const statement = await makeStatement(
    sources,
    { period, asset: undefined, directions: settings.directions },
    nowMs,
    onLines,
  )
  await kept.finish()
  const unread = kept.unread()
  const unproven = statement.assets.flatMap(({ asset, proof }) =>
    proof.why === undefined ? [] : [`${asset}: ${proof.why}`],
  )
  const books = {
    ...{ account, zone, continues, firstDay: dayIn(zone, fromMs), endDay: dayIn(zone, toMs) },
    areBalancesProven: unproven.length === 0,
    isProven: statement.isProven && unread.length === 0,
    openingAccount: settings.accounts.opening,
    opening: statement.assets
      .filter(({ opening }) => continues || opening !== '0')
      .map(({ asset, opening }) => ({ account: accounts.ofAsset(asset), asset, balance: opening })),
    entries: { [Symbol.iterator]: () => makeEntries(kept.oldestFirst(), { zone, accounts }) },
    prices: await readPrices(period, sources.service),
    remarks: statement.assets.flatMap((each) => remarksOf(each, zone, accounts)),
    closing: statement.assets.map((each) => {
      return { account: accounts.ofAsset(each.asset), asset: each.asset, balance: closingOf(each) }
    }),
    faults: [...unproven, ...statement.faults, ...unread],
    faultsTotal: unproven.length + statement.faultsTotal + unread.length,
  }
  return { ...books, ...surveyBooks(books) }
}

/** By the service's history, also where the ledger does not lead there: then the books do not balance either. */
function closingOf({ closing, proof }: AssetStatement): string {
  const [from, change, to, end] = [proof.openingBalance, proof.change, proof.closingBalance, closing].map((text) =>
    parseSignedDecimal(text, 'balance'),
  )
  if (from === undefined || change === undefined || to === undefined || end === undefined) return closing
  return formatDecimal(sumOf([end, minus(to, plus(from, change))]))
}

function remarksOf({ asset, actions, rebased }: AssetStatement, zone: string, accounts: BookAccounts) {
  return actions.map(({ before, newMultiplier, newRebased, oldMultiplier, oldRebased, settled }) => ({
    day: dayIn(zone, Date.parse(before)),
    account: accounts.ofAsset(asset),
    text: `corporate action: the multiplier of ${asset} changed from ${oldMultiplier} to ${newMultiplier}, ${settled} settled units stayed, and ${oldRebased} became ${newRebased} ${rebased?.asset ?? ''}`.trim(),
  }))
}

/** The last rate of each market on each day, oldest first. Fills come newest first. */
async function readPrices(
  { zone, fromMs, toMs }: Period,
  service: Pick<ServiceClient, 'walkFills'>,
): Promise<readonly BookPrice[]> {
  const span = { startDate: new Date(fromMs).toISOString(), endDate: new Date(toMs).toISOString() }
  const last = new Map<string, BookPrice>()
  for await (const { baseAsset, executedAt, quoteAsset, rate } of service.walkFills(span, { maxItems: MOST_FILLS })) {
    const atMs = Date.parse(executedAt)
    if (baseAsset === null || quoteAsset === null || Number.isNaN(atMs)) continue
    const day = dayIn(zone, atMs)
    const key = `${day} ${baseAsset} ${quoteAsset}`
    if (!last.has(key)) last.set(key, { day, asset: baseAsset, price: rate, quote: quoteAsset })
  }
  return [...last.values()].reverse()
}

type Surveyed = Pick<AccountBooks, 'closing' | 'continues' | 'entries' | 'opening' | 'openingAccount' | 'prices'>
type Survey = Pick<AccountBooks, 'accounts' | 'assets' | 'entriesTotal' | 'places'>

export function surveyBooks({ closing, continues, entries, opening, openingAccount, prices }: Surveyed): Survey {
  const accounts = new Set(opening.length > 0 && !continues ? [openingAccount] : [])
  const places = new Map<string, number>()
  let entriesTotal = 0
  const see = ({ account, amount, asset }: Posting) => {
    accounts.add(account)
    const [, fraction = ''] = amount.split('.')
    places.set(asset, Math.max(places.get(asset) ?? 0, fraction.length))
  }
  for (const { balance, ...each } of [...opening, ...closing]) see({ ...each, amount: balance })
  for (const { postings } of entries) {
    entriesTotal += 1
    for (const posting of postings) see(posting)
  }
  const assets = new Set([...places.keys(), ...prices.flatMap(({ asset, quote }) => [asset, quote])])
  return { accounts: [...accounts].sort(), assets: [...assets].sort(), entriesTotal, places }
}

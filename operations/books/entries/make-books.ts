// Makes the books of an account over whole days, from the service's ledger. The balances of the service's own history
// are claims in them, so that a program for books checks them too. Surveys what a file must say before its entries.
// Reads only.

import { mapBounded } from '../../../core/bounded.ts'
import { type Books, books as booksSchema } from '../../../core/contract/books.ts'
import { IntentKind } from '../../../core/contract/records.ts'
import { Defect } from '../../../core/errors.ts'
import type { Journal } from '../../../core/journal/journal.ts'
import {
  type Decimal,
  formatDecimal,
  minus,
  negate,
  parseSignedDecimal,
  plus,
  sumOf,
  ZERO,
} from '../../../core/money/decimal.ts'
import { printable } from '../../../core/printable.ts'
import type { ServiceClient } from '../../../core/service/service-client.ts'
import { ExitCode } from '../../../place/exit-code.ts'
import { withJournalConnection } from '../../../place/journal-connection.ts'
import { withJournalService } from '../../../place/place-service.ts'
import type { Reader } from '../../../place/reader.ts'
import { serviceFailure } from '../../../place/service/service-failure.ts'
import { openRowsByTime } from '../../files/rows-by-time.ts'
import { assertOwnAccount } from '../../journal/own-account.ts'
import type { LedgerLine, LineKind } from '../ledger-line.ts'
import { dayIn, type Period, type PeriodFlags, readDays } from '../period.ts'
import type { AssetStatement } from '../statement/account-statement.ts'
import { makeStatement, type StatementSources } from '../statement/make-statement.ts'
import { type BookAccounts, createBookAccounts, type Payee } from './book-accounts.ts'
import type { AccountBooks, BookEntry, BookPrice, OpenBooks, Posting } from './book-entry.ts'
import { BOOK_LINE_FORM, type BookLine, bookLineOf } from './book-line.ts'

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

// Makes double-entry transactions of the ledger's lines. Each line changes the account of its asset, and another account by the
// same amount, so that every transaction is exact. Lines of one fill or withdrawal at one moment are one transaction. Pure.

const TITLES: Readonly<Record<LineKind, string>> = {
  deposits: 'deposit',
  conversions: 'conversion',
  withdrawals: 'withdrawal',
  fees: 'withdrawal',
  refunds: 'refund of a withdrawal',
  others: 'movement of others',
  adjustments: 'adjustment',
}

interface EntryRules {
  readonly zone: string
  readonly accounts: BookAccounts
}

/** `lines`: oldest first. Memory has the lines of one moment at a time. */
function* makeEntries(lines: Iterable<BookLine>, rules: EntryRules): Generator<BookEntry, void> {
  for (const moment of moments(lines)) {
    const groups = Map.groupBy(moment, ({ id, source, sourceId }) => `${source} ${sourceId || id}`)
    for (const group of groups.values()) yield entryOf(group, rules)
  }
}

function* moments(lines: Iterable<BookLine>): Generator<readonly BookLine[], void> {
  let moment: BookLine[] = []
  for (const line of lines) {
    if (moment[0] !== undefined && moment[0].atMs !== line.atMs) {
      yield moment
      moment = []
    }
    moment.push(line)
  }
  if (moment.length > 0) yield moment
}

function entryOf(lines: readonly BookLine[], { zone, accounts }: EntryRules): BookEntry {
  const [first] = lines
  if (first === undefined) throw new TypeError('a group of lines has a line')
  const { atMs, intentId, kind, payee, source, sourceId, movementId = sourceId } = first
  return {
    ...{ day: dayIn(zone, atMs), at: new Date(atMs).toISOString(), title: TITLES[kind] },
    ...(payee && { payee: payee.alias ?? payee.reference ?? payee.contactId }),
    ...(intentId !== undefined && { intentId }),
    ...(movementId !== '' && { movementId }),
    ...(source === 'fill' && { fillId: sourceId }),
    entryIds: [...new Set(lines.flatMap(({ id }) => (id === null ? [] : [id])))],
    postings: postingsOf(lines, accounts),
  }
}

function postingsOf(lines: readonly BookLine[], accounts: BookAccounts): Posting[] {
  const sums = new Map<string, { readonly account: string; readonly asset: string; sum: Decimal }>()
  const post = (account: string, asset: string, change: Decimal) => {
    const key = `${account} ${asset}`
    const known = sums.get(key) ?? { account, asset, sum: ZERO }
    known.sum = plus(known.sum, change)
    sums.set(key, known)
  }
  for (const { asset, change, kind, payee, refundedFee = ZERO } of lines) {
    post(accounts.ofAsset(asset), asset, change)
    post(accounts.against(kind, payee), asset, negate(minus(change, refundedFee)))
    post(accounts.against('fees', payee), asset, negate(refundedFee))
  }
  return [...sums.values()]
    .filter(({ sum }) => sum !== ZERO)
    .map(({ account, asset, sum }) => ({ account, asset, amount: formatDecimal(sum) }))
}

// Keeps the lines of the books on disk, each with the contact of its withdrawal, as the journal froze it. The ledger is
// read from its newest line, and books begin with the oldest. Changes nothing at the service or in the journal.

/** Lines whose contacts are read together. */
const PART = 500
/** Reads of intents at once. They share no rate limit with the service. */
const INTENTS_AT_ONCE = 32

interface KeptLines {
  /** Forgets all lines. */
  clear(): void
  /** @throws Transient */
  add(line: LedgerLine): Promise<void>
  /** Called after the last line. @throws Transient */
  finish(): Promise<void>
  oldestFirst(): Iterable<BookLine>
  /** One sentence for each intent whose record cannot be read. */
  unread(): readonly string[]
  close(): void
}

function openKeptLines(journal: Pick<Journal, 'find'>): KeptLines {
  const rows = openRowsByTime(BOOK_LINE_FORM)
  const unread = new Map<string, string>()
  let part: LedgerLine[] = []

  async function findPayee(intentId: string): Promise<Payee | undefined> {
    try {
      return (await journal.find(intentId, IntentKind.Withdraw))?.frozen.payee
    } catch (error) {
      if (!(error instanceof Defect)) throw error
      unread.set(intentId, printable(`the record of intent ${intentId} cannot be read: ${error.message}`))
      return undefined
    }
  }

  async function finish(): Promise<void> {
    const given = part
    part = []
    const ids = new Set(
      given.flatMap(({ source, intentId }) => (source === 'withdrawal' && intentId !== undefined ? [intentId] : [])),
    )
    const found = await mapBounded([...ids], INTENTS_AT_ONCE, async (id) => [id, await findPayee(id)] as const)
    const payees = new Map(found)
    rows.add(given.map((line) => bookLineOf(line, payees.get(line.intentId ?? ''))))
  }

  return {
    clear() {
      part = []
      unread.clear()
      rows.clear()
    },
    async add(line) {
      part.push(line)
      if (part.length === PART) await finish()
    },
    finish,
    oldestFirst: rows.oldestFirst,
    unread: () => [...unread.values()],
    close: rows.close,
  }
}

// Answers reads of the account: itself, its balances and their history, its ledger and deposits.

import { type Amount, formatAmount, ZERO } from '../amount.ts'
import { ASSETS, type Asset, findAsset } from '../assets.ts'
import { action, ok } from '../exchange.ts'
import { assetCode, assetFormat, isoTime, oneOf, opaqueId, optional, withDefault } from '../fields.ts'
import { Ledger } from '../ledger.ts'
import { offsetPage, offsetParameters } from '../pagination.ts'
import { notFound } from '../problem.ts'
import { showTime } from '../representation.ts'
import { entriesOf, showAccount, showBalance, showDeposit, showEntry } from '../resources.ts'
import type { World } from '../world.ts'

export const getAccount = action({
  method: 'GET',
  path: '/v2/account',
  summary: 'The account',
  access: { tier: 'bearer', scope: 'accounts:read' },
  query: {},
  answers: { 200: 'Account' },
  answer: ({ world }) => ok(showAccount(world)),
})

export const listBalances = action({
  method: 'GET',
  path: '/v2/balances',
  summary: 'Balances',
  access: { tier: 'bearer', scope: 'accounts:read' },
  query: { assetFormat },
  answers: { 200: { arrayOf: 'Balance' } },
  answer: ({ world, nowMs, query }) =>
    ok(
      ASSETS.filter(({ symbol }) => world.ledger.isHeld(symbol) || world.credit.capacity(symbol)).map((asset) =>
        showBalance(world, asset, query.assetFormat, nowMs),
      ),
    ),
})

type Granularity = 'day' | 'week' | 'month'

/** More periods than any clock setting of the control API can reach. */
const MOST_PERIODS = 80_000

const DAY_MS = 86_400_000

export const getBalanceHistory = action({
  method: 'GET',
  path: '/v2/balances/{assetSymbol}/history',
  summary: 'Balance of an asset over time',
  access: { tier: 'bearer', scope: 'accounts:read' },
  query: {
    ...offsetParameters,
    startDate: optional(isoTime),
    endDate: optional(isoTime),
    granularity: withDefault(oneOf('day', 'week', 'month'), 'day'),
  },
  answers: { 200: 'BalanceHistory' },
  answer: ({ world, nowMs, path, query }) => {
    const asset = findAsset(path.assetSymbol)
    if (asset === undefined) throw notFound('asset')
    const { granularity, startDate, endDate } = query
    const items = endOfPeriodBalances(world, asset, granularity, startDate, Math.min(endDate ?? nowMs, nowMs))
    return ok({
      assetSymbol: asset.symbol,
      granularity,
      startDate: startDate === undefined ? null : showTime(startDate),
      endDate: endDate === undefined ? null : showTime(endDate),
      ...offsetPage(items, query, ({ startMs, balance }) => ({
        date: showTime(startMs).slice(0, 10),
        balance: formatAmount(balance),
      })),
    })
  },
})

interface PeriodBalance {
  readonly startMs: number
  readonly balance: Amount
}

/**
 * Returns the periods from the first movement, or from `startMs` if that is later, to the period that contains `endMs`.
 */
function endOfPeriodBalances(
  world: World,
  asset: Asset,
  granularity: Granularity,
  startMs: number | undefined,
  endMs: number,
): PeriodBalance[] {
  const entries = world.ledger.statement
    .filter((entry) => entry.asset === asset.symbol)
    .toSorted((a, b) => a.atMs - b.atMs)
  const firstMs = entries[0]?.atMs
  if (firstMs === undefined) return []
  const periods: PeriodBalance[] = []
  let next = 0
  let balance = ZERO
  let periodStart = startOfPeriod(Math.max(firstMs, startMs ?? firstMs), granularity)
  while (periodStart <= endMs && periods.length < MOST_PERIODS) {
    const periodEnd = startOfNextPeriod(periodStart, granularity)
    for (let entry = entries[next]; entry !== undefined && entry.atMs < periodEnd; entry = entries[next]) {
      balance = balance.plus(Ledger.balanceChange(entry))
      next += 1
    }
    periods.push({ startMs: periodStart, balance })
    periodStart = periodEnd
  }
  return periods
}

function startOfPeriod(atMs: number, granularity: Granularity): number {
  const midnight = atMs - (((atMs % DAY_MS) + DAY_MS) % DAY_MS)
  const date = new Date(midnight)
  if (granularity === 'week') return midnight - ((date.getUTCDay() + 6) % 7) * DAY_MS
  if (granularity === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
  return midnight
}

function startOfNextPeriod(startMs: number, granularity: Granularity): number {
  if (granularity === 'day') return startMs + DAY_MS
  if (granularity === 'week') return startMs + 7 * DAY_MS
  const date = new Date(startMs)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}

export const listLedger = action({
  method: 'GET',
  path: '/v2/ledger',
  summary: 'Changes of the balance',
  access: { tier: 'bearer', scope: 'accounts:read' },
  query: {
    ...offsetParameters,
    assetSymbol: optional(assetCode),
    orderId: optional(opaqueId),
    sourceId: optional(opaqueId),
  },
  answers: { 200: { offsetPageOf: 'LedgerEntry' } },
  answer: ({ world, query }) => {
    const symbol = query.assetSymbol === undefined ? undefined : findAsset(query.assetSymbol)?.symbol
    const isWhole = world.manners.entries === 'whole'
    return ok(
      world.lists.page(query, {
        // A long ledger is read by many pages, so whole entries are not copied for each of them.
        rows: isWhole ? world.ledger.statement : world.ledger.statement.flatMap((entry) => entriesOf(world, entry)),
        isNewestFirst: false,
        wanted: (entry) =>
          (query.assetSymbol === undefined || entry.asset === symbol) &&
          (query.orderId === undefined || entry.orderId === query.orderId) &&
          (query.sourceId === undefined || entry.source.id === query.sourceId),
        dateOf: ({ atMs }) => atMs,
        show: showEntry,
      }),
    )
  },
})

export const listDeposits = action({
  method: 'GET',
  path: '/v2/deposits',
  summary: 'Deposits',
  access: { tier: 'bearer', scope: 'accounts:read' },
  query: { ...offsetParameters, assetSymbol: optional(assetCode), assetFormat },
  answers: { 200: { offsetPageOf: 'Deposit' } },
  answer: ({ world, query }) => {
    const symbol = query.assetSymbol === undefined ? undefined : findAsset(query.assetSymbol)?.symbol
    return ok(
      world.lists.page(query, {
        rows: world.deposits,
        isNewestFirst: false,
        wanted: (deposit) => query.assetSymbol === undefined || deposit.assetSymbol === symbol,
        dateOf: ({ createdAtMs }) => createdAtMs,
        show: (deposit) => showDeposit(deposit, query.assetFormat),
      }),
    )
  },
})

// Reads balances: GET /v2/balances (section "BalanceResource"), a bare array with one position per asset. Settled
// positions come from the base block. Reads past balances: GET /v2/balances/{assetSymbol}/history (section
// "HistoricalBalancesResponse"), at the end of each day, week or month. They are always settled, and the endpoint
// refuses assetFormat.
import * as z from 'zod/mini'
import { heldAmount, isRebased, multiplier, page, signedAmount, text, textOrNull, type View, viewOf } from './fields.ts'
import { readPagesOf, type WalkBounds, walkPages } from './pages.ts'
import type { Reader } from './reader.ts'
import { pathOf, withQuery } from './request-path.ts'

const figures = { balance: heldAmount, balanceFrozen: heldAmount, balancePending: heldAmount }
const balance = z.object({
  /** Settled code, because the read asks for settled units. */
  assetSymbol: text,
  /** In the account's preferredCurrency. */
  balancePrefCurrency: heldAmount,
  balanceUSD: heldAmount,
  /** In the units of the request, because the base block has no capacity. */
  balanceCapacityTotal: z.optional(heldAmount),
  balanceCapacityAvailable: z.optional(heldAmount),
  balanceCapacitySpent: z.optional(heldAmount),
  /** Today's factor. */
  multiplier,
  base: z.object({ asset: textOrNull, ...figures }),
})
const rebasedBalance = z.extend(balance, { ...figures, assetFormat: isRebased })

type RawBalance = z.output<typeof balance>

/** Settled. A position may be below zero, or a text marked as unreadable, which no computation accepts. */
export type Balance = Omit<RawBalance, 'base'> & Omit<RawBalance['base'], 'asset'>

type Capacity = 'balanceCapacityTotal' | 'balanceCapacityAvailable' | 'balanceCapacitySpent'

export type RebasedBalance = Omit<Balance, Capacity> & {
  readonly rebased: Pick<Balance, 'assetSymbol' | keyof typeof figures | Capacity>
}

const settledBalances = viewOf('base', balance, ({ base, ...facts }): Balance => {
  const { asset, ...settled } = base
  // The block's own code says which asset the settled figures belong to.
  return { ...facts, ...settled, assetSymbol: asset ?? facts.assetSymbol }
})

const rebasedBalances = viewOf('rebased', rebasedBalance, (raw): RebasedBalance => {
  const { base, assetFormat: _asked, balancePrefCurrency, balanceUSD, multiplier, ...rebased } = raw
  const { asset, ...settled } = base
  const facts = { assetSymbol: asset ?? rebased.assetSymbol, balancePrefCurrency, balanceUSD, multiplier }
  return { ...facts, ...settled, rebased }
})

export const listBalances = (reader: Reader) => readBalances(reader, settledBalances)
export const listRebasedBalances = (reader: Reader) => readBalances(reader, rebasedBalances)

async function readBalances<Raw, Shown>(reader: Reader, view: View<Raw, Shown>): Promise<readonly Shown[]> {
  const balances = await reader.read({
    endpoint: 'GET /v2/balances',
    target: withQuery('/v2/balances', [['assetFormat', view.assetFormat]]),
    shape: z.array(view.shape),
  })
  return balances.map(view.show)
}

const balanceAtEnd = z.object({
  date: text,
  /** Settled, at the end of the period. */
  balance: signedAmount,
})
const historyPage = z.extend(page(balanceAtEnd), {
  /** The settled code, even when the request used the other spelling. */
  assetSymbol: text,
  granularity: text,
  startDate: textOrNull,
  endDate: textOrNull,
})

/** Balance at the end of one period, with the settled code of its asset. */
export type HistoricalBalance = z.output<typeof balanceAtEnd> & { readonly assetSymbol: string }

export interface HistoryFilter {
  /** `day` unless given. */
  readonly granularity?: 'day' | 'week' | 'month'
  /** ISO-8601; the first movement unless given. */
  readonly startDate?: string
  /** ISO-8601; now unless given. */
  readonly endDate?: string
}

/** Balances of one asset, asked for by either spelling, in the service's order. */
export async function* walkBalanceHistory(
  reader: Reader,
  assetSymbol: string,
  filter: HistoryFilter,
  bounds: WalkBounds,
): AsyncGenerator<HistoricalBalance, void> {
  const endpoint = 'GET /v2/balances/{assetSymbol}/history'
  const list = { endpoint, path: `${pathOf('/v2/balances', assetSymbol)}/history`, shape: historyPage }
  const readPage = readPagesOf(reader, list, [
    ['startDate', filter.startDate],
    ['endDate', filter.endDate],
    ['granularity', filter.granularity],
  ])
  const dated = async (page: number, limit: number) => {
    const { data, pagination, ...history } = await readPage(page, limit)
    return { data: data.map((each) => ({ assetSymbol: history.assetSymbol, ...each })), pagination }
  }
  yield* walkPages(endpoint, bounds, ({ date }) => date, dated)
}

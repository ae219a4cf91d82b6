// Reads past balances: GET /v2/balances/{assetSymbol}/history (section "HistoricalBalancesResponse"). They are balances
// at the end of each day, week or month, always settled. The endpoint refuses assetFormat.
import * as z from 'zod/mini'
import { page, signedAmount, text, textOrNull } from './fields.ts'
import { type WalkBounds, walkPages } from './pages.ts'
import type { Reader } from './reader.ts'
import { pathOf, withQuery } from './request-path.ts'

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
  const path = `${pathOf('/v2/balances', assetSymbol)}/history`
  yield* walkPages(
    endpoint,
    bounds,
    ({ date }) => date,
    async (number, limit) => {
      const history = await reader.read({
        endpoint,
        target: withQuery(path, [
          ['page', number],
          ['limit', limit],
          ['startDate', filter.startDate],
          ['endDate', filter.endDate],
          ['granularity', filter.granularity],
        ]),
        shape: historyPage,
      })
      const data = history.data.map((each) => ({ assetSymbol: history.assetSymbol, ...each }))
      return { data, pagination: history.pagination }
    },
  )
}

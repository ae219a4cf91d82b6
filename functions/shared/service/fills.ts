// GET /v2/orders/{id}/fills and GET /v2/fills (section "FillResource"). Figures come from the
// settled block. Both lists are walked by cursor, newest first.
import * as z from 'zod/mini'
import type { ConvertFill } from '../../contract/convert.ts'
import { Defect } from '../errors.ts'
import { amount, cursorPage, id, multiplier, positiveAmount, text, textOrNull } from './fields.ts'
import { PAGE_LIMIT, walkCursor } from './pages.ts'
import type { Reader } from './reader.ts'
import { pathOf, type QueryParameter, withQuery } from './request-path.ts'

const fill = z.object({
  id,
  orderId: id,
  /** 1-based position within the order. */
  sequence: z.int().check(z.gte(1)),
  side: text,
  market: text,
  multiplier,
  onCredit: z.boolean(),
  executedAt: text,
  order: z.object({ status: text }),
  base: z.object({
    baseAsset: textOrNull,
    quoteAsset: textOrNull,
    baseAmount: amount,
    quoteAmount: amount,
    rate: positiveAmount,
    /** Running totals of the order after this fill. */
    order: z.object({ filledBaseAmount: amount, filledQuoteAmount: amount }),
  }),
})
const fillPage = cursorPage(fill)

/** Settled. */
export interface Fill extends ConvertFill {
  readonly orderId: string
  readonly side: string
  readonly market: string
  readonly baseAsset: string | null
  readonly quoteAsset: string | null
  readonly multiplier: string
  readonly onCredit: boolean
  readonly order: { readonly status: string; readonly filledBaseAmount: string; readonly filledQuoteAmount: string }
}

function settledFill({ base, order, ...facts }: z.output<typeof fill>): Fill {
  return { ...facts, ...base, order: { ...order, ...base.order } }
}

/** All fills of one order, oldest first, at most `limit` (Defect beyond it). */
export async function listOrderFills(reader: Reader, orderId: string, limit: number): Promise<readonly Fill[]> {
  const endpoint = 'GET /v2/orders/{id}/fills'
  const fills = await walkFills(reader, endpoint, `${pathOf('/v2/orders', orderId)}/fills`, [], limit)
  if (fills.some((each) => each.orderId !== orderId))
    throw new Defect(`${endpoint}: a fill that came belongs to another order than was asked for`)
  return fills.toSorted((left, right) => left.sequence - right.sequence)
}

export interface FillFilter {
  readonly orderId?: string
  readonly market?: string
  /** Matches either leg. */
  readonly assetSymbol?: string
  readonly side?: 'BUY' | 'SELL'
  /** ISO-8601, inclusive. */
  readonly startDate?: string
  /** ISO-8601, exclusive. */
  readonly endDate?: string
}

/** All fills that match, newest first, at most `limit` (Defect beyond it). */
export function listFills(reader: Reader, filter: FillFilter, limit: number): Promise<readonly Fill[]> {
  const parameters: readonly QueryParameter[] = [
    ['orderId', filter.orderId],
    ['market', filter.market],
    ['assetSymbol', filter.assetSymbol],
    ['side', filter.side],
    ['startDate', filter.startDate],
    ['endDate', filter.endDate],
  ]
  return walkFills(reader, 'GET /v2/fills', '/v2/fills', parameters, limit)
}

async function walkFills(
  reader: Reader,
  endpoint: string,
  path: string,
  filter: readonly QueryParameter[],
  limit: number,
): Promise<readonly Fill[]> {
  const fills = await walkCursor(endpoint, limit, (cursor) =>
    reader.read({
      endpoint,
      target: withQuery(path, [['limit', PAGE_LIMIT], ['cursor', cursor], ...filter, ['assetFormat', 'base']]),
      shape: fillPage,
    }),
  )
  return fills.map(settledFill)
}

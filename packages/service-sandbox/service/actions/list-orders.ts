// GET /v2/orders: orders, newest first, by offset.

import { findAsset } from '../assets.ts'
import { action, ok } from '../exchange.ts'
import { assetCode, assetFormat, isoTime, oneOf, optional, side, text } from '../fields.ts'
import { isWithinEnd } from '../manners/readings.ts'
import { findMarket, marketOf } from '../markets.ts'
import { offsetParameters } from '../pagination.ts'
import { showOrder } from '../resources/order-resource.ts'

export const listOrders = action({
  method: 'GET',
  path: '/v2/orders',
  summary: 'Orders',
  access: { tier: 'bearer', scope: 'trading:read' },
  query: {
    ...offsetParameters,
    status: optional(oneOf('NEW', 'PARTIALLY_FILLED', 'FILLED', 'FAILED')),
    baseAsset: optional(assetCode),
    quoteAsset: optional(assetCode),
    market: optional(text(65)),
    side: optional(side),
    assetFormat,
    startDate: optional(isoTime),
    endDate: optional(isoTime),
  },
  answers: { 200: { offsetPageOf: 'Order' } },
  answer: ({ world, nowMs, query }) => {
    const base = query.baseAsset === undefined ? undefined : findAsset(query.baseAsset)
    const quote = query.quoteAsset === undefined ? undefined : findAsset(query.quoteAsset)
    const marketId = query.market === undefined ? undefined : findMarket(query.market)?.id
    return ok(
      world.lists.page(query, {
        rows: world.book.list,
        isNewestFirst: false,
        wanted: (order) => {
          const { id, base: orderBase, quote: orderQuote } = marketOf(order.marketId)
          return (
            order.visibleAtMs <= nowMs &&
            (query.status === undefined || order.status === query.status) &&
            (query.side === undefined || order.side === query.side) &&
            (query.baseAsset === undefined || orderBase === base) &&
            (query.quoteAsset === undefined || orderQuote === quote) &&
            (query.market === undefined || id === marketId) &&
            (query.startDate === undefined || order.createdAtMs >= query.startDate) &&
            isWithinEnd(world.manners, order.createdAtMs, query.endDate)
          )
        },
        dateOf: ({ createdAtMs }) => createdAtMs,
        show: (order) => showOrder(order, query.assetFormat),
      }),
    )
  },
})

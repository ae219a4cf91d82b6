// GET /v2/fills: fills across all orders, newest first, by cursor.

import { findAsset } from '../assets.ts'
import { action, ok } from '../exchange.ts'
import { assetCode, assetFormat, isoTime, opaqueId, optional, side, text } from '../fields.ts'
import { findMarket, marketOf } from '../markets.ts'
import { cursorPage, cursorParameters } from '../pagination.ts'
import type { Fill, Order } from '../records.ts'
import { showFill } from '../resources/order-resource.ts'

export const listFills = action({
  method: 'GET',
  path: '/v2/fills',
  summary: 'Fills across all orders',
  access: { tier: 'bearer', scope: 'trading:read' },
  query: {
    ...cursorParameters,
    orderId: optional(opaqueId),
    market: optional(text(65)),
    assetSymbol: optional(assetCode),
    side: optional(side),
    startDate: optional(isoTime),
    endDate: optional(isoTime),
    assetFormat,
  },
  answers: { 200: { cursorPageOf: 'Fill' } },
  answer: ({ world, nowMs, query }) => {
    const asset = query.assetSymbol === undefined ? undefined : findAsset(query.assetSymbol)
    const marketId = query.market === undefined ? undefined : findMarket(query.market)?.id
    const orderOf = (fill: Fill) => world.book.findOrder(fill.orderId) as Order
    const wanted = (fill: Fill) => {
      const order = orderOf(fill)
      const { id, base, quote } = marketOf(order.marketId)
      return (
        order.visibleAtMs <= nowMs &&
        (query.orderId === undefined || order.id === query.orderId) &&
        (query.market === undefined || id === marketId) &&
        (query.assetSymbol === undefined || base === asset || quote === asset) &&
        (query.side === undefined || order.side === query.side) &&
        (query.startDate === undefined || fill.executedAtMs >= query.startDate) &&
        (query.endDate === undefined || fill.executedAtMs < query.endDate)
      )
    }
    const show = (fill: Fill) => showFill(fill, orderOf(fill), query.assetFormat)
    return ok(cursorPage(world.book.fills, world.lists.sized(query), wanted, show))
  },
})

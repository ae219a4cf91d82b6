// Answers reads of orders and of their fills.

import { findAsset } from '../assets.ts'
import { action, ok } from '../exchange.ts'
import { assetCode, assetFormat, isoTime, oneOf, opaqueId, optional, side, text } from '../fields.ts'
import { findMarket, marketOf } from '../markets.ts'
import { cursorPage, cursorParameters, offsetParameters } from '../pagination.ts'
import { notFound } from '../problem.ts'
import type { Fill, Order } from '../records.ts'
import { isWithinEnd, showFill, showOrder } from '../resources.ts'
import type { World } from '../world.ts'

export const getOrder = action({
  method: 'GET',
  path: '/v2/orders/{id}',
  summary: 'One order',
  access: { tier: 'bearer', scope: 'trading:read' },
  query: { assetFormat },
  answers: { 200: 'Order' },
  answer: ({ world, nowMs, path, query }) => ok(showOrder(visibleOrder(world, path.id, nowMs), query.assetFormat)),
})

/** Throws not_found for an order that does not exist, or is not visible yet. */
export function visibleOrder(world: World, id: string, nowMs: number): Order {
  const order = world.book.findOrder(id)
  if (order === undefined || order.visibleAtMs > nowMs) throw notFound('order')
  return order
}

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

export const listOrderFills = action({
  method: 'GET',
  path: '/v2/orders/{id}/fills',
  summary: 'Fills of one order',
  access: { tier: 'bearer', scope: 'trading:read' },
  query: { ...cursorParameters, assetFormat },
  answers: { 200: { cursorPageOf: 'Fill' } },
  answer: ({ world, nowMs, path, query }) => {
    const order = visibleOrder(world, path.id, nowMs)
    return ok(
      cursorPage(
        order.fills,
        world.lists.sized(query),
        () => true,
        (fill) => showFill(fill, order, query.assetFormat),
      ),
    )
  },
})

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

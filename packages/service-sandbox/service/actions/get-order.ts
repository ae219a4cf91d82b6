// GET /v2/orders/{id}: one order.

import { action, ok } from '../exchange.ts'
import { assetFormat } from '../fields.ts'
import { showOrder } from '../resources/order-resource.ts'
import { visibleOrder } from '../visible.ts'

export const getOrder = action({
  method: 'GET',
  path: '/v2/orders/{id}',
  summary: 'One order',
  access: { tier: 'bearer', scope: 'trading:read' },
  query: { assetFormat },
  answers: { 200: 'Order' },
  answer: ({ world, nowMs, path, query }) => ok(showOrder(visibleOrder(world, path.id, nowMs), query.assetFormat)),
})

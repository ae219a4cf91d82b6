// GET /v2/orders/{id}/fills: the fills of one order, newest first, by cursor.

import { action, ok } from '../exchange.ts'
import { assetFormat } from '../fields.ts'
import { cursorPage, cursorParameters } from '../pagination.ts'
import { showFill } from '../resources/order-resource.ts'
import { visibleOrder } from '../visible.ts'

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

// GET /v2/markets/{market}: one market, by either spelling; the answer is canonical.

import { action, ok } from '../exchange.ts'
import { findListedMarket } from '../listings.ts'
import { notFound } from '../problem.ts'
import { showMarket } from '../resources/reference-resource.ts'

export const getMarket = action({
  method: 'GET',
  path: '/v2/markets/{market}',
  summary: 'One market',
  access: { tier: 'bearer', scope: 'market_data:read' },
  query: {},
  answers: { 200: 'Market' },
  answer: ({ world, path }) => {
    const market = findListedMarket(world, path.market)
    if (market === undefined) throw notFound('market')
    return ok(showMarket(market))
  },
})

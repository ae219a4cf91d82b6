// GET /v2/markets: every pair that can be converted.

import { action, ok } from '../exchange.ts'
import { listedMarkets } from '../listings.ts'
import { offsetPage, offsetParameters } from '../pagination.ts'
import { showMarket } from '../resources/reference-resource.ts'

export const listMarkets = action({
  method: 'GET',
  path: '/v2/markets',
  summary: 'Supported markets',
  access: { tier: 'bearer', scope: 'market_data:read' },
  query: offsetParameters,
  answers: { 200: { offsetPageOf: 'Market' } },
  answer: ({ world, query }) => ok(offsetPage(listedMarkets(world), query, showMarket)),
})

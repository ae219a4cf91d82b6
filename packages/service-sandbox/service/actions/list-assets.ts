// GET /v2/assets: every supported asset.

import { action, ok } from '../exchange.ts'
import { listedAssets } from '../listings.ts'
import { offsetPage, offsetParameters } from '../pagination.ts'
import { showAsset } from '../resources/reference-resource.ts'

export const listAssets = action({
  method: 'GET',
  path: '/v2/assets',
  summary: 'Supported assets',
  access: { tier: 'bearer', scope: 'market_data:read' },
  query: offsetParameters,
  answers: { 200: { offsetPageOf: 'Asset' } },
  answer: ({ world, query }) =>
    ok(
      offsetPage(listedAssets(world), query, ({ symbol }) => showAsset(world.asset(symbol), world.multiplier(symbol))),
    ),
})

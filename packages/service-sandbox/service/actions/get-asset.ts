// GET /v2/assets/{assetSymbol}: one asset, by either spelling in any case.

import { action, ok } from '../exchange.ts'
import { findListedAsset } from '../listings.ts'
import { notFound } from '../problem.ts'
import { showAsset } from '../resources/reference-resource.ts'

export const getAsset = action({
  method: 'GET',
  path: '/v2/assets/{assetSymbol}',
  summary: 'One asset',
  access: { tier: 'bearer', scope: 'market_data:read' },
  query: {},
  answers: { 200: 'Asset' },
  answer: ({ world, path }) => {
    const asset = findListedAsset(world, path.assetSymbol)
    if (asset === undefined) throw notFound('asset')
    return ok(showAsset(world.asset(asset.symbol), world.multiplier(asset.symbol)))
  },
})

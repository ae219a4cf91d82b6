// Answers reads of what is listed: assets, markets and prices.

import type { Amount } from '../amount.ts'
import { findAsset } from '../assets.ts'
import { action, ok } from '../exchange.ts'
import { type AssetFormat, assetCode, assetFormat, optional, positiveAmount, side } from '../fields.ts'
import { findListedAsset, findListedMarket, isQuoted, listedAssets, listedMarkets } from '../listings.ts'
import type { Market } from '../markets.ts'
import { offsetPage, offsetParameters } from '../pagination.ts'
import type { Size } from '../prices.ts'
import { termsFor } from '../pricing.ts'
import { invalid, notFound } from '../problem.ts'
import { toSettled } from '../representation.ts'
import { showAsset, showMarket, showPrice } from '../resources.ts'

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

export const listMarkets = action({
  method: 'GET',
  path: '/v2/markets',
  summary: 'Supported markets',
  access: { tier: 'bearer', scope: 'market_data:read' },
  query: offsetParameters,
  answers: { 200: { offsetPageOf: 'Market' } },
  answer: ({ world, query }) => ok(offsetPage(listedMarkets(world), query, showMarket)),
})

export const getPrice = action({
  method: 'GET',
  path: '/v2/markets/{market}/price',
  summary: 'Indicative price of a market',
  access: { tier: 'bearer', scope: 'market_data:read' },
  query: { side, amount: optional(positiveAmount), amountAsset: optional(assetCode), assetFormat },
  answers: { 200: 'Price' },
  answer: ({ world, nowMs, path, query }) => {
    const market = findListedMarket(world, path.market)
    if (market === undefined) throw notFound('market')
    if (!isQuoted(world, market)) throw notFound('price')
    const size = sizeOf(market, world.multiplier(market.base.symbol), query)
    return ok(showPrice(termsFor(world, market, query.side, size, nowMs), query.assetFormat))
  },
})

interface PriceQuery {
  readonly amount?: Amount
  readonly amountAsset?: string
  readonly assetFormat: AssetFormat
}

function sizeOf(market: Market, multiplier: Amount, { amount, amountAsset, assetFormat }: PriceQuery): Size {
  if (amount === undefined && amountAsset === undefined) return { leg: 'base', amount: market.minBaseAmount }
  if (amount === undefined) throw invalid('Query parameter amountAsset needs amount beside it.')
  if (amountAsset === undefined) throw invalid('Query parameter amount needs amountAsset beside it.')
  const asset = findAsset(amountAsset)
  if (asset !== market.base && asset !== market.quote) {
    throw invalid(`Query parameter amountAsset: expected ${market.base.symbol} or ${market.quote.symbol}.`)
  }
  const leg = asset === market.base ? 'base' : 'quote'
  const settled =
    leg === 'base' ? toSettled(amount, asset, multiplier, assetFormat) : toSettled(amount, asset, multiplier, 'base')
  if (settled.isZero()) throw invalid('Query parameter amount: expected at least one increment of the asset.')
  // An amount above the maximum is refused, never repriced at a smaller size (description, "Rules tying errors to
  // conditions", rule 5).
  if (settled.gt(asset.maxIndicativeAmount)) throw invalid('Query parameter amount: above maxIndicativeQuoteAmount.')
  return { leg, amount: settled }
}

// Decides which assets and markets the service lists and quotes now. An operator may remove an asset; the account keeps
// its balance of that asset.
import { ASSETS, type Asset, findAsset } from './assets.ts'
import { findMarket, findMarketOf, MARKETS, type Market } from './markets.ts'
import type { World } from './world.ts'

type Listed = Pick<World, 'listing'>

export function listedAssets(world: Listed): readonly Asset[] {
  return ASSETS.filter((asset) => isListed(world, asset))
}

export function listedMarkets(world: Listed): readonly Market[] {
  return MARKETS.filter((market) => legsOf(market).every((asset) => isListed(world, asset)))
}

export function findListedAsset(world: Listed, code: string): Asset | undefined {
  const asset = findAsset(code)
  return asset && isListed(world, asset) ? asset : undefined
}

export function findListedMarket(world: Listed, id: string): Market | undefined {
  const market = findMarket(id)
  return market && legsOf(market).every((asset) => isListed(world, asset)) ? market : undefined
}

export function findQuotedMarketOf(world: Listed, baseCode: string, quoteCode: string): Market | undefined {
  const market = findMarketOf(baseCode, quoteCode)
  return market && isQuoted(world, market) ? market : undefined
}

/** Whether the service quotes prices in the market. */
export function isQuoted(world: Listed, market: Market): boolean {
  return legsOf(market).every(({ symbol }) => world.listing(symbol) === 'full')
}

function isListed(world: Listed, { symbol }: Asset): boolean {
  return world.listing(symbol) !== 'unlisted'
}

function legsOf({ base, quote }: Market): readonly Asset[] {
  return [base, quote]
}

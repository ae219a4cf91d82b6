// Prices nailed down, and corporate actions.
import { formatAmount } from '../amount.ts'
import { findAsset } from '../assets.ts'
import { assetCode, positiveAmount, text } from '../fields.ts'
import { readFields } from '../json-body.ts'
import { findMarket } from '../markets.ts'
import { invalid, notFound } from '../problem.ts'
import type { World } from '../world.ts'

/** `mid` in quote units per settled base unit; null gives the price back to the seeded process. */
export function fixPrice(world: World, body: Record<string, unknown>): unknown {
  const { mid: rawMid, ...rest } = body
  const market = findMarket(readFields({ market: text(65) }, rest).market)
  if (market === undefined) throw notFound('market')
  const mid = rawMid === null ? null : readFields({ mid: positiveAmount }, { mid: rawMid }).mid
  world.commit({ kind: 'price.fixed', marketId: market.id, mid })
  return { market: market.id, mid: formatAmount(world.prices.mid(market, world.nowMs())) }
}

/** A corporate action: settled quantities stay, what they are worth in shares changes from now on. */
export function setMultiplier(world: World, body: Record<string, unknown>): unknown {
  const { assetSymbol, multiplier } = readFields({ assetSymbol: assetCode, multiplier: positiveAmount }, body)
  const asset = findAsset(assetSymbol)
  if (asset === undefined) throw notFound('asset')
  if (asset.assetClass !== 'STOCK') throw invalid('Field assetSymbol: expected a tokenised equity.')
  world.commit({ kind: 'multiplier.set', assetSymbol: asset.symbol, multiplier })
  return { assetSymbol: asset.symbol, multiplier: formatAmount(world.multiplier(asset.symbol)) }
}

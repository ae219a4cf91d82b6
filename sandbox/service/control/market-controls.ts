// Prices nailed down, and corporate actions.
import { type Amount, amount, formatAmount } from '../amount.ts'
import { findAsset } from '../assets.ts'
import { assetCode, type Field, positiveAmount, text } from '../fields.ts'
import { readFields } from '../json-body.ts'
import { findMarket } from '../markets.ts'
import { invalid, notFound } from '../problem.ts'
import type { World } from '../world.ts'

/** Beyond these a price or a factor would leave no digits for amounts. */
const mid = between('0.000000001', '1000000000000')
const multiplier = between('0.000001', '1000000')

function between(least: string, most: string): Field<Amount> {
  return {
    ...positiveAmount,
    read: (raw) => {
      const value = positiveAmount.read(raw)
      return value?.gte(amount(least)) && value.lte(amount(most)) ? value : undefined
    },
    expectation: `a decimal string from ${least} to ${most}`,
  }
}

/** `mid` in quote units per settled base unit; null gives the price back to the seeded process. */
export function fixPrice(world: World, body: Record<string, unknown>): unknown {
  const { mid: rawMid, ...rest } = body
  const market = findMarket(readFields({ market: text(65) }, rest).market)
  if (market === undefined) throw notFound('market')
  const fixed = rawMid === null ? null : readFields({ mid }, { mid: rawMid }).mid
  world.commit({ kind: 'price.fixed', marketId: market.id, mid: fixed })
  return { market: market.id, mid: formatAmount(world.prices.mid(market, world.nowMs())) }
}

/** A corporate action: settled quantities stay, what they are worth in shares changes from now on. */
export function setMultiplier(world: World, body: Record<string, unknown>): unknown {
  const { assetSymbol, multiplier: factor } = readFields({ assetSymbol: assetCode, multiplier }, body)
  const asset = findAsset(assetSymbol)
  if (asset === undefined) throw notFound('asset')
  if (asset.assetClass !== 'STOCK') throw invalid('Field assetSymbol: expected a tokenised equity.')
  world.commit({ kind: 'multiplier.set', assetSymbol: asset.symbol, multiplier: factor })
  return { assetSymbol: asset.symbol, multiplier: formatAmount(world.multiplier(asset.symbol)) }
}

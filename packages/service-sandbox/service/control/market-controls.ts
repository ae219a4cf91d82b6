// Fixes prices, and applies corporate actions.
import * as z from 'zod/mini'
import { type Amount, amount, formatAmount } from '../amount.ts'
import { findAsset } from '../assets.ts'
import { assetCode, expecting, positiveAmount, text } from '../fields.ts'
import { findMarket } from '../markets.ts'
import { invalid, notFound } from '../problem.ts'
import { readFields } from '../read-fields.ts'
import type { World } from '../world.ts'

const marketFields = z.strictObject({ market: text(65) })
const midFields = z.strictObject({ mid: between('0.000000001', '1000000000000') })
const multiplierFields = z.strictObject({ assetSymbol: assetCode, multiplier: between('0.000001', '1000000') })

/** Outside these bounds a price or multiplier would leave no digits for amounts. */
function between(least: string, most: string) {
  const isBetween = z.refine<Amount>((value) => value.gte(amount(least)) && value.lte(amount(most)))
  return expecting(`a decimal string from ${least} to ${most}`, positiveAmount.check(isBetween))
}

/** `mid`: quote units per settled base unit; null returns the price to the seeded process. */
export function fixPrice(world: World, body: Record<string, unknown>): unknown {
  const { mid: rawMid, ...rest } = body
  const market = findMarket(readFields(marketFields, rest).market)
  if (market === undefined) throw notFound('market')
  const fixed = rawMid === null ? null : readFields(midFields, { mid: rawMid }).mid
  world.commit({ kind: 'price.fixed', marketId: market.id, mid: fixed })
  return { market: market.id, mid: formatAmount(world.prices.mid(market, world.nowMs())) }
}

/** A corporate action. Settled amounts stay; their value in shares changes from now on. */
export function setMultiplier(world: World, body: Record<string, unknown>): unknown {
  const { assetSymbol, multiplier: factor } = readFields(multiplierFields, body)
  const asset = findAsset(assetSymbol)
  if (asset === undefined) throw notFound('asset')
  if (asset.assetClass !== 'STOCK') throw invalid('Field assetSymbol: expected a tokenised equity.')
  world.commit({ kind: 'multiplier.set', assetSymbol: asset.symbol, multiplier: factor })
  return { assetSymbol: asset.symbol, multiplier: formatAmount(world.multiplier(asset.symbol)) }
}

// The two representations of an amount (description, "assetFormat" and "Rebase arithmetic"):
// settled as it moved, or rebased to real shares. Only the base leg rebases: its amount multiplies,
// the rate divides, and every rebased amount is truncated to the asset's increment.
import { type Amount, divideDown, formatAmount, multiplyDown, ONE, truncateTo } from './amount.ts'
import type { Asset } from './assets.ts'
import type { AssetFormat } from './fields.ts'
import type { Market } from './markets.ts'

/** A settled amount as it is shown. */
export function showAmount(settled: Amount, asset: Asset, multiplier: Amount, format: AssetFormat): string {
  return formatAmount(format === 'base' ? settled : rebase(settled, asset, multiplier))
}

/** A settled rate as it is shown. A rate is no amount: it is cut at 18 decimals, not at an increment. */
export function showRate(settled: Amount, multiplier: Amount, format: AssetFormat): string {
  return formatAmount(format === 'base' ? settled : divideDown(settled, multiplier))
}

export function showSymbol(asset: Asset, format: AssetFormat): string {
  return format === 'base' ? asset.symbol : asset.rebasedSymbol
}

/** The settled amount that a caller's amount means, truncated to the asset's increment. */
export function toSettled(given: Amount, asset: Asset, multiplier: Amount, format: AssetFormat): Amount {
  return truncateTo(format === 'base' ? given : divideDown(given, multiplier), asset.increment)
}

/** Market, side and legs, as orders and fills show them. */
export function showLegs(market: Market, format: AssetFormat): { baseAsset: string; quoteAsset: string } {
  return { baseAsset: showSymbol(market.base, format), quoteAsset: showSymbol(market.quote, format) }
}

function rebase(settled: Amount, asset: Asset, multiplier: Amount): Amount {
  return multiplier.eq(ONE) ? settled : truncateTo(multiplyDown(settled, multiplier), asset.increment)
}

export function showTime(epochMs: number): string {
  return new Date(epochMs).toISOString()
}

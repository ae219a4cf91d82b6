// Computes the two representations of an amount (description, "assetFormat" and "Rebase arithmetic"): settled, as it
// moved, or rebased to real shares. Only the base leg rebases: its amount is multiplied, the rate divided, and each
// rebased amount is truncated to the asset's increment.
import { type Amount, divideDown, formatAmount, multiplyDown, ONE, truncateTo } from './amount.ts'
import type { Asset } from './assets.ts'
import type { AssetFormat } from './fields.ts'
import type { Market } from './markets.ts'

/** Shows a settled amount in the asked representation. */
export function showAmount(settled: Amount, asset: Asset, multiplier: Amount, format: AssetFormat): string {
  return formatAmount(
    format === 'base' || multiplier.eq(ONE) ? settled : truncateTo(multiplyDown(settled, multiplier), asset.increment),
  )
}

/** Shows a settled rate. A rate is not an amount: it is cut at 18 decimals, not at an increment. */
export function showRate(settled: Amount, multiplier: Amount, format: AssetFormat): string {
  return formatAmount(format === 'base' ? settled : divideDown(settled, multiplier))
}

export function showSymbol(asset: Asset, format: AssetFormat): string {
  return format === 'base' ? asset.symbol : asset.rebasedSymbol
}

/** Converts a caller's amount to settled units, truncated to the asset's increment. */
export function toSettled(given: Amount, asset: Asset, multiplier: Amount, format: AssetFormat): Amount {
  return truncateTo(format === 'base' ? given : divideDown(given, multiplier), asset.increment)
}

/** Shows the two assets of a market, as orders and fills name them. */
export function showLegs(market: Market, format: AssetFormat): { baseAsset: string; quoteAsset: string } {
  return { baseAsset: showSymbol(market.base, format), quoteAsset: showSymbol(market.quote, format) }
}

export function showTime(epochMs: number): string {
  return new Date(epochMs).toISOString()
}

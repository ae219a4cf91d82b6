// Holds a quote, and then its order, against what was asked for and settled when the conversion was opened: the market and
// its assets, the side, and the amounts. Quote, Order, the looks at an order, a person's decision, the audit and proofs all
// go by this. Pure.
import type { QuotedTerms } from '../../contract/convert.ts'
import { sameCode } from '../../contract/fields.ts'
import type { AssetNames, ConvertFrozen, OpenConversion } from '../../journal/intent.ts'
import { isSameAmount, parseDecimal } from '../../money/decimal.ts'
import type { OrderState } from '../../service/ports.ts'

type Amounts = Pick<QuotedTerms, 'market' | 'baseAmount' | 'quoteAmount'>

/**
 * One sentence, or `undefined` for a quote of the settled market whose leg that the amount counts is that amount. A quote
 * shows no side.
 */
export function findQuoteDifference(intent: OpenConversion, quoted: Amounts): string | undefined {
  const difference = termsDifference(intent, quoted)
  return difference && `the quote is not what was asked for: ${difference}`
}

/**
 * What of an order is not as it was asked for, or not as its attempt was quoted: "its market is BTC-USDT, not BTC-USDC".
 * `undefined` where nothing is.
 */
export function findOrderDifference(order: OrderState, intent: OpenConversion): string | undefined {
  const { params, frozen, attempt } = intent
  if (!sameCode(order.side, params.side)) return `its side is ${order.side}, not ${params.side}`
  return (
    termsDifference(intent, order) ??
    assetDifference('base asset', order.baseAsset, frozen.baseAsset) ??
    assetDifference('quote asset', order.quoteAsset, frozen.quoteAsset) ??
    (attempt &&
      (amountDifference('base amount', order.baseAmount, attempt.terms.baseAmount) ??
        amountDifference('quote amount', order.quoteAmount, attempt.terms.quoteAmount)))
  )
}

/** Where an order has filled more than it was of: "its filled base amount is 5, more than 0.5". Else `undefined`. */
export function findOverfill(order: OrderState): string | undefined {
  return (
    moreText('base amount', order.filledBaseAmount, order.baseAmount) ??
    moreText('quote amount', order.filledQuoteAmount, order.quoteAmount)
  )
}

function moreText(leg: string, filled: string, ordered: string): string | undefined {
  if (parseDecimal(filled, leg) <= parseDecimal(ordered, leg)) return undefined
  return `its filled ${leg} is ${filled}, more than ${ordered}`
}

function termsDifference({ params, frozen }: OpenConversion, told: Amounts): string | undefined {
  if (!isMarketOf(told.market, frozen)) return `its market is ${told.market}, not ${marketOf(frozen)}`
  const [leg, amount] = sameCode(params.amountAsset, params.baseAsset)
    ? ['base amount', told.baseAmount]
    : ['quote amount', told.quoteAmount]
  return amountDifference(leg, amount, frozen.amount)
}

/** The id of a market at the service, in settled spelling: `BASE-QUOTE`. */
export function marketOf({ baseAsset, quoteAsset }: Pick<ConvertFrozen, 'baseAsset' | 'quoteAsset'>): string {
  return `${baseAsset.assetSymbol}-${quoteAsset.assetSymbol}`
}

/** The service promises the settled spelling of `BASE-QUOTE`. A market by a ticker, or in another case, is the same. */
function isMarketOf(named: string, { baseAsset, quoteAsset }: ConvertFrozen): boolean {
  const names = namesOf(baseAsset).flatMap((base) => namesOf(quoteAsset).map((quote) => `${base}-${quote}`))
  return names.some((name) => sameCode(name, named.trim()))
}

/** The service does not always resolve an asset: then the market alone tells. */
function assetDifference(leg: string, named: string | null, asset: AssetNames): string | undefined {
  if (named === null || isNamed(named, asset)) return undefined
  return `its ${leg} is ${named}, not ${asset.assetSymbol}`
}

/** By its settled code or its ticker, in any case. */
export function isNamed(named: string, asset: AssetNames): boolean {
  return namesOf(asset).some((name) => sameCode(name, named.trim()))
}

function namesOf({ assetSymbol, rebasedSymbol = assetSymbol }: AssetNames): readonly string[] {
  return [assetSymbol, rebasedSymbol]
}

function amountDifference(leg: string, is: string, asked: string): string | undefined {
  return isSameAmount(is, asked, leg) ? undefined : `its ${leg} is ${is}, not ${asked}`
}

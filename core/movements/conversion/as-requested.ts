// Compares a quote, and then its order, with what was asked for and settled when the conversion was opened: the market, its
// assets, the side and the amounts. Quote, Order, PollOrder, a person's decision, the audit and proofs all use this. Pure.
import type { QuotedTerms } from '../../contract/convert.ts'
import { sameCode } from '../../contract/fields.ts'
import type { AssetNames, ConvertFrozen, OpenConversion } from '../../journal/intent.ts'
import { isSameAmount, parseDecimal } from '../../money/decimal.ts'
import type { OrderState } from '../../service/ports.ts'

type Amounts = Pick<QuotedTerms, 'market' | 'baseAmount' | 'quoteAmount'>

/**
 * One sentence on the first difference; `undefined` where the market is the settled one and the leg that was asked for has the
 * settled amount. A quote shows no side.
 */
export function findQuoteDifference(intent: OpenConversion, quoted: Amounts): string | undefined {
  const difference = termsDifference(intent, quoted)
  return difference && `the quote is not what was asked for: ${difference}`
}

/**
 * The first field of an order that differs from the request, or from the quote of its attempt: "its market is BTC-USDT, not
 * BTC-USDC". `undefined` where nothing differs.
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

/**
 * One sentence where an order has filled more than its size: "its filled base amount is 5, more than 0.5". Else `undefined`.
 */
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

function termsDifference({ params, frozen }: OpenConversion, shown: Amounts): string | undefined {
  if (!isMarketOf(shown.market, frozen)) return `its market is ${shown.market}, not ${marketOf(frozen)}`
  const [leg, amount] = sameCode(params.amountAsset, params.baseAsset)
    ? ['base amount', shown.baseAmount]
    : ['quote amount', shown.quoteAmount]
  return amountDifference(leg, amount, frozen.amount)
}

/** The id of a market at the service, in settled spelling: `BASE-QUOTE`. */
export function marketOf({ baseAsset, quoteAsset }: Pick<ConvertFrozen, 'baseAsset' | 'quoteAsset'>): string {
  return `${baseAsset.assetSymbol}-${quoteAsset.assetSymbol}`
}

/**
 * The service promises `BASE-QUOTE` in settled spelling. A market named by a ticker, or in another case, is the same market.
 */
function isMarketOf(named: string, { baseAsset, quoteAsset }: ConvertFrozen): boolean {
  const names = namesOf(baseAsset).flatMap((base) => namesOf(quoteAsset).map((quote) => `${base}-${quote}`))
  return names.some((name) => sameCode(name, named.trim()))
}

/** The service does not always resolve an asset: then only the market is compared. */
function assetDifference(leg: string, named: string | null, asset: AssetNames): string | undefined {
  if (named === null || isNamed(named, asset)) return undefined
  return `its ${leg} is ${named}, not ${asset.assetSymbol}`
}

/** Whether `named` is the asset's settled code or its ticker, in any case. */
export function isNamed(named: string, asset: AssetNames): boolean {
  return namesOf(asset).some((name) => sameCode(name, named.trim()))
}

function namesOf({ assetSymbol, rebasedSymbol = assetSymbol }: AssetNames): readonly string[] {
  return [assetSymbol, rebasedSymbol]
}

function amountDifference(leg: string, actual: string, expected: string): string | undefined {
  return isSameAmount(actual, expected, leg) ? undefined : `its ${leg} is ${actual}, not ${expected}`
}

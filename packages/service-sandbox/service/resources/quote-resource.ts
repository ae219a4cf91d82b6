// QuoteResource and PriceResource (description, "Resources and their fields"): the cost of a conversion, confirmable or
// not, in the requested representation.
import { formatAmount } from '../amount.ts'
import type { AssetFormat } from '../fields.ts'
import { marketOf } from '../markets.ts'
import type { Quote, Terms } from '../records.ts'
import { showAmount, showRate, showTime } from '../representation.ts'

function showTerms(terms: Terms, format: AssetFormat): Record<string, string> {
  const { base } = marketOf(terms.marketId)
  return {
    rate: showRate(terms.rate, terms.multiplier, format),
    baseAmount: showAmount(terms.baseAmount, base, terms.multiplier, format),
    quoteAmount: formatAmount(terms.quoteAmount),
  }
}

export function showPrice(terms: Terms, format: AssetFormat): Record<string, unknown> {
  return {
    market: terms.marketId,
    side: terms.side,
    ...showTerms(terms, format),
    multiplier: formatAmount(terms.multiplier),
    assetFormat: format,
    base: showTerms(terms, 'base'),
  }
}

export function showQuote(quote: Quote, format: AssetFormat): Record<string, unknown> {
  return {
    orderId: quote.id,
    clientOrderId: quote.id,
    market: quote.marketId,
    ...showTerms(quote, format),
    quotedAt: showTime(quote.quotedAtMs),
    expiresAt: showTime(quote.expiresAtMs),
    multiplier: formatAmount(quote.multiplier),
    assetFormat: format,
    base: showTerms(quote, 'base'),
  }
}

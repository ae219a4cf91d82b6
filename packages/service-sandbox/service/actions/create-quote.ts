// POST /v2/quotes: a confirmable, single-use quote that lives for five seconds. It moves no funds, but checks that the
// account could pay.

import { findAsset } from '../assets.ts'
import { action } from '../exchange.ts'
import { assetCode, assetFormat, positiveAmount, side } from '../fields.ts'
import { findQuotedMarketOf } from '../listings.ts'
import type { Market } from '../markets.ts'
import type { Size } from '../prices.ts'
import { requireFunds, termsFor } from '../pricing.ts'
import { invalid, unprocessable } from '../problem.ts'
import type { Quote } from '../records.ts'
import { toSettled } from '../representation.ts'
import { showQuote } from '../resources.ts'

/** Life of a quote (description, "Limits"). */
const QUOTE_LIFE_MS = 5_000
/** Ids are opaque. This ending makes percent-encoding of the whole id necessary. */
const ODD_ENDING = '/a b%2F?'

export const createQuote = action({
  method: 'POST',
  path: '/v2/quotes',
  summary: 'A confirmable quote',
  access: { tier: 'bearer', scope: 'trading:write' },
  query: {},
  body: {
    baseAsset: assetCode,
    quoteAsset: assetCode,
    amountAsset: assetCode,
    side,
    amount: positiveAmount,
    assetFormat,
  },
  answers: { 201: 'Quote' },
  answer: ({ world, nowMs, body: requested, circumstances }) => {
    const body = { ...requested, ...circumstances.misquote }
    const market = findQuotedMarketOf(world, body.baseAsset, body.quoteAsset)
    if (market === undefined) throw unprocessable('There is no market of this baseAsset and quoteAsset.')
    const amountAsset = findAsset(body.amountAsset)
    if (amountAsset !== market.base && amountAsset !== market.quote) {
      throw invalid(`Field amountAsset: expected ${market.base.symbol} or ${market.quote.symbol}.`)
    }
    const multiplier = world.multiplier(market.base.symbol)
    const isBase = amountAsset === market.base
    const size: Size = {
      leg: isBase ? 'base' : 'quote',
      // The quote amount never rebases, in either format.
      amount: toSettled(body.amount, amountAsset, multiplier, isBase ? body.assetFormat : 'base'),
    }
    requireMarketMinimum(market, size)
    const terms = termsFor(world, market, body.side, size, nowMs)
    if (terms.baseAmount.isZero() || terms.quoteAmount.isZero()) {
      throw unprocessable('The amount is below one increment of the other leg.')
    }
    requireFunds(world, terms)
    const lifeMs = circumstances.expireQuote === true ? -1_000 : QUOTE_LIFE_MS
    const id = world.newId('quote') + (circumstances.oddId === true ? ODD_ENDING : '')
    const quote: Quote = { id, ...terms, quotedAtMs: nowMs, expiresAtMs: nowMs + lifeMs }
    world.commit({ kind: 'quote.made', quote })
    const shown = showQuote(quote, body.assetFormat)
    const hidden = circumstances.hideExpiry === true ? { quotedAt: null, expiresAt: null } : {}
    return { status: 201, body: { ...shown, ...hidden } }
  },
})

function requireMarketMinimum(market: Market, { leg, amount }: Size): void {
  const minimum = leg === 'base' ? market.minBaseAmount : market.minQuoteAmount
  if (amount.lt(minimum)) throw unprocessable(`The amount is below the market's minimum for its ${leg} asset.`)
}

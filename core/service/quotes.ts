// Requests quotes: POST /v2/quotes (sections "CreateQuoteDto", "QuoteResource"). A quote moves nothing and expires
// after some seconds. Figures come from the settled block; the top-level figures are not read.
import * as z from 'zod/mini'
import type { QuotedTerms } from '../contract/convert.ts'
import { Refused } from '../errors.ts'
import { amount, checkAmount, id, instant, multiplier, text } from './fields.ts'
import type { QuoteRequest } from './ports.ts'
import type { Reader } from './reader.ts'

const quote = z.object({
  /** Also the id of the future order. */
  orderId: id,
  market: text,
  quotedAt: z.nullable(instant),
  /** Null means unknown. It never means expired. */
  expiresAt: z.nullable(instant),
  multiplier,
  base: z.object({ rate: amount, baseAmount: amount, quoteAmount: amount }),
})

/** Settled. */
export interface Quote extends QuotedTerms {
  readonly quotedAt: string | null
  readonly multiplier: string
}

/** Requests a quote that one order can execute within about five seconds. */
export async function createQuote(reader: Reader, request: QuoteRequest): Promise<Quote> {
  const { baseAsset, quoteAsset, side, amountAsset, amount: size } = request
  checkAmount(size, 'amount')
  const { base, ...quoted } = await reader.write({
    method: 'POST',
    endpoint: 'POST /v2/quotes',
    target: '/v2/quotes',
    content: { baseAsset, quoteAsset, side, amountAsset, amount: size, assetFormat: 'base' },
    shape: quote,
  })
  if (!/[1-9]/.test(base.rate))
    throw new Refused(`POST /v2/quotes: the service quotes a price of 0 for ${quoted.market}, so it has none now`)
  return { ...quoted, rate: base.rate, baseAmount: base.baseAmount, quoteAmount: base.quoteAmount }
}

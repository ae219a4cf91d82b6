// GET /v2/markets, /v2/markets/{market} and its indicative price (sections "MarketResource",
// "Other reference bodies"). A price is asked for in settled units; it binds nobody.
import * as z from 'zod/mini'
import { Defect } from '../errors.ts'
import { amount, checkAmount, id, page, positiveAmount, text } from './fields.ts'
import { collectPages } from './pages.ts'
import { isUnpriced } from './problem.ts'
import type { Reader } from './reader.ts'
import { pathOf, withQuery } from './request-path.ts'

const market = z.object({
  /** `BASE-QUOTE` in settled spelling. */
  id,
  baseAsset: text,
  rebasedBaseAsset: text,
  quoteAsset: text,
  /** Smallest quote by its base leg. Whether in settled units is not said. */
  minBaseAmount: amount,
  minQuoteAmount: amount,
})
export type Market = z.output<typeof market>
const marketPage = page(market)

const MAX_MARKETS = 10_000

/** All markets. Being listed means tradable, not quotable now. */
export function listMarkets(reader: Reader): Promise<readonly Market[]> {
  const endpoint = 'GET /v2/markets'
  return collectPages(
    endpoint,
    MAX_MARKETS,
    (each: Market) => each.id,
    (number, limit) =>
      reader.read({
        endpoint,
        target: withQuery('/v2/markets', [
          ['page', number],
          ['limit', limit],
        ]),
        shape: marketPage,
      }),
  )
}

/** One market by its id, either spelling of an equity. */
export async function readMarket(reader: Reader, marketId: string): Promise<Market> {
  return reader.read({ endpoint: 'GET /v2/markets/{market}', target: pathOf('/v2/markets', marketId), shape: market })
}

/** Without amount and amountAsset the price is at the market's minimum; with one of them it needs both. */
export interface PriceRequest {
  readonly side: 'BUY' | 'SELL'
  /** Settled decimal string, denominated in amountAsset; at most its maxIndicativeQuoteAmount. */
  readonly amount?: string
  readonly amountAsset?: string
}

const price = z.object({
  baseAmount: amount,
  /** Quote units per base unit. */
  rate: positiveAmount,
  assetFormat: z.optional(text),
})
export type Price = Omit<z.output<typeof price>, 'assetFormat'>

/** The non-binding price of one market at one size; `base` asks and answers in settled units. */
export async function readPrice(
  reader: Reader,
  marketId: string,
  request: PriceRequest,
  wanted: 'base' | 'rebased' = 'base',
): Promise<Price> {
  const endpoint = 'GET /v2/markets/{market}/price'
  if (request.amount !== undefined) checkAmount(request.amount, 'amount')
  const { assetFormat, baseAmount, rate } = await reader.read({
    endpoint,
    target: withQuery(`${pathOf('/v2/markets', marketId)}/price`, [
      ['side', request.side],
      ['amount', request.amount],
      ['amountAsset', request.amountAsset],
      ['assetFormat', wanted],
    ]),
    shape: price,
  })
  // No base block is promised here, so the units hang on this word alone.
  if (assetFormat !== undefined && assetFormat !== wanted)
    throw new Defect(`${endpoint}: assetFormat is not as promised (promised: ${wanted}, as asked for)`)
  return { baseAmount, rate }
}

/** The price's rate at the market's smallest size; `undefined` where the service has no such market or no price of it. */
export async function findPrice(reader: Reader, marketId: string, side: 'BUY' | 'SELL'): Promise<string | undefined> {
  try {
    return (await readPrice(reader, marketId, { side })).rate
  } catch (error) {
    if (isUnpriced(error)) return undefined
    throw error
  }
}

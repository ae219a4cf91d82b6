// Reads markets and indicative prices: GET /v2/markets, /v2/markets/{market} and its price (sections "MarketResource",
// "Other reference bodies"). Prices are requested in settled units. A price is not binding.
import * as z from 'zod/mini'
import { Defect, Refused } from '../errors.ts'
import { amount, checkAmount, id, listedAmount, page, text } from './fields.ts'
import { collectPages, readPagesOf } from './pages.ts'
import { isHalted, isUnpriced } from './problem.ts'
import type { Reader } from './reader.ts'
import { pathOf, withQuery } from './request-path.ts'

const market = z.object({
  /** `BASE-QUOTE` in settled codes. */
  id,
  baseAsset: text,
  rebasedBaseAsset: text,
  quoteAsset: text,
  /** Smallest base amount of a quote. The description does not say whether it is in settled units. */
  minBaseAmount: amount,
  minQuoteAmount: amount,
})
export type Market = z.output<typeof market>
/** A figure that cannot be read hides itself alone: its text is marked, and no computation accepts it. */
const marketPage = page(z.extend(market, { minBaseAmount: listedAmount, minQuoteAmount: listedAmount }))

const MAX_MARKETS = 10_000
const LIST = { endpoint: 'GET /v2/markets', path: '/v2/markets', shape: marketPage }

/** All markets. A listed market can be traded, but may have no quote now. */
export function listMarkets(reader: Reader): Promise<readonly Market[]> {
  return collectPages(LIST.endpoint, MAX_MARKETS, (each: Market) => each.id, readPagesOf(reader, LIST))
}

/** Reads one market by its id, in either spelling of an equity. */
export async function readMarket(reader: Reader, marketId: string): Promise<Market> {
  return reader.read({ endpoint: 'GET /v2/markets/{market}', target: pathOf('/v2/markets', marketId), shape: market })
}

/** Without `amount` and `amountAsset` the price is at the market's minimum size. Give both or neither. */
export interface PriceRequest {
  readonly side: 'BUY' | 'SELL'
  /** Settled decimal string, in units of `amountAsset`. At most its `maxIndicativeQuoteAmount`. */
  readonly amount?: string
  readonly amountAsset?: string
}

const price = z.object({
  baseAmount: amount,
  /** Quote units per base unit. */
  rate: amount,
  assetFormat: z.optional(text),
})
export type Price = Omit<z.output<typeof price>, 'assetFormat'>

/** The non-binding price of one market at one size. With `base` both request and answer are in settled units. */
export async function readPrice(
  reader: Reader,
  marketId: string,
  request: PriceRequest,
  assetFormat: 'base' | 'rebased' = 'base',
): Promise<Price> {
  const found = await readAnyPrice(reader, marketId, request, assetFormat)
  if (isZero(found))
    throw new Refused(`${endpoint}: the service names a price of 0 for ${marketId}, so it has none now`)
  return found
}

function isZero({ rate }: Price): boolean {
  return !/[1-9]/.test(rate)
}

const endpoint = 'GET /v2/markets/{market}/price'

/** A halted market, or one of a delisted asset, may have a rate of zero. */
async function readAnyPrice(
  reader: Reader,
  marketId: string,
  request: PriceRequest,
  assetFormat: 'base' | 'rebased',
): Promise<Price> {
  if (request.amount !== undefined) checkAmount(request.amount, 'amount')
  const {
    assetFormat: answered,
    baseAmount,
    rate,
  } = await reader.read({
    endpoint,
    target: withQuery(`${pathOf('/v2/markets', marketId)}/price`, [
      ['side', request.side],
      ['amount', request.amount],
      ['amountAsset', request.amountAsset],
      ['assetFormat', assetFormat],
    ]),
    shape: price,
  })
  // A price has no base block, so only this field shows the units.
  if (answered !== undefined && answered !== assetFormat)
    throw new Defect(`${endpoint}: assetFormat is not as promised (promised: ${assetFormat}, as asked for)`)
  return { baseAmount, rate }
}

/** For a plan, which leaves out what has no price now: a halted market is refused, and not waited for. */
export async function readPriceNow(reader: Reader, marketId: string, request: PriceRequest): Promise<Price> {
  try {
    return await readPrice(reader, marketId, request)
  } catch (error) {
    throw isHalted(error) ? new Refused(error.message) : error
  }
}

/** The rate at the market's smallest size; `undefined` where the service has no such market, or no price for it. */
export async function findPrice(reader: Reader, marketId: string, side: 'BUY' | 'SELL'): Promise<string | undefined> {
  try {
    const found = await readAnyPrice(reader, marketId, { side }, 'base')
    return isZero(found) ? undefined : found.rate
  } catch (error) {
    if (isUnpriced(error)) return undefined
    throw error
  }
}

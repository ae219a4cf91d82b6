// Computes the terms of a conversion from an amount of one leg: both amounts and the rate. Indicative prices and quotes
// share it. A quote also asks here whether the account can afford them.
import { divideDown, multiplyDown, truncateTo } from './amount.ts'
import type { Side } from './fields.ts'
import type { Market } from './markets.ts'
import { legs } from './order-book.ts'
import type { Size } from './prices.ts'
import { unprocessable } from './problem.ts'
import type { Terms } from './records.ts'
import type { World } from './world.ts'

/** `size`: settled, already truncated to its asset's increment. The other leg is rounded down. */
export function termsFor(world: World, market: Market, side: Side, size: Size, nowMs: number): Terms {
  const rate = world.prices.rate(market, side, size, nowMs)
  const about = { marketId: market.id, side, rate, multiplier: world.multiplier(market.base.symbol) }
  return size.leg === 'base'
    ? {
        ...about,
        baseAmount: size.amount,
        quoteAmount: truncateTo(multiplyDown(size.amount, rate), market.quote.increment),
      }
    : {
        ...about,
        baseAmount: truncateTo(divideDown(size.amount, rate), market.base.increment),
        quoteAmount: size.amount,
      }
}

/** Returns how the customer would pay. Throws unprocessable when balance and capacity are not enough. */
export function requireFunds(world: World, terms: Terms): { readonly onCredit: boolean } {
  const { market, gives } = legs(terms)
  const needed = gives === 'base' ? terms.baseAmount : terms.quoteAmount
  const { symbol } = market[gives]
  const { available } = world.ledger.position(symbol)
  if (available.gte(needed)) return { onCredit: false }
  const capacity = world.credit.capacity(symbol)
  if (capacity !== undefined && available.plus(capacity.available).gte(needed)) return { onCredit: true }
  throw unprocessable(`The available balance of ${symbol} is not enough.`)
}

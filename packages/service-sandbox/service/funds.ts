// Decides whether the account can pay for a conversion. Quotes and orders both check it.

import { legs } from './order-book.ts'
import { unprocessable } from './problem.ts'
import type { Terms } from './records.ts'
import type { World } from './world.ts'

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

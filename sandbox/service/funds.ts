// Whether the account can pay for a conversion: the gate of quotes and, again, of orders.

import { legs } from './order-book.ts'
import type { Terms } from './pricing.ts'
import { unprocessable } from './problem.ts'
import type { World } from './world.ts'

/** Throws unprocessable when what the customer would give is not available. */
export function requireFunds(world: World, terms: Terms): void {
  const { market, gives } = legs(terms)
  const needed = gives === 'base' ? terms.baseAmount : terms.quoteAmount
  const { symbol } = market[gives]
  if (world.ledger.position(symbol).available < needed) {
    throw unprocessable(`The available balance of ${symbol} is not enough.`)
  }
}

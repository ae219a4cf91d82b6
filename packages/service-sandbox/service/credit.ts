// Owns credit: how much an account may owe in an asset, what its open on-credit orders owe now, and the next part of an
// order that the available balance pays.
import { type Amount, truncateTo, ZERO } from './amount.ts'
import type { Ledger } from './ledger.ts'
import { legs } from './order-book.ts'
import type { Order } from './records.ts'

export class Credit {
  /** Capacity by settled code. Absent where the account has no credit. */
  readonly #totals = new Map<string, Amount>()
  /** On-credit orders that are not filled, oldest first. */
  readonly #open = new Set<Order>()

  setTotal(asset: string, total: Amount): void {
    this.#totals.set(asset, total)
  }

  open(order: Order): void {
    this.#open.add(order)
  }

  /** Returns undefined where the account never had capacity. */
  capacity(asset: string): { readonly total: Amount; readonly spent: Amount; readonly available: Amount } | undefined {
    const total = this.#totals.get(asset)
    if (total === undefined) return undefined
    let spent = ZERO
    for (const order of this.#open) {
      const { market, gives } = legs(order)
      if (market[gives].symbol === asset) spent = spent.plus(owed(order))
    }
    return { total, spent, available: total.gt(spent) ? total.minus(spent) : ZERO }
  }

  /** Returns the part of one order that can be paid now, or undefined. Forgets orders that are paid. */
  findPayable(
    ledger: Ledger,
  ): { readonly order: Order; readonly baseAmount: Amount; readonly quoteAmount: Amount } | undefined {
    for (const order of this.#open) {
      const owes = owed(order)
      if (owes.isZero()) {
        this.#open.delete(order)
        continue
      }
      const { market, gives, gets } = legs(order)
      const { available } = ledger.position(market[gives].symbol)
      const paid = available.lt(owes) ? available : owes
      // The last part takes the rest of the other leg, so truncation leaves no remainder.
      const received = paid.eq(owes)
        ? left(order, gets)
        : truncateTo(ordered(order, gets).times(paid).div(ordered(order, gives)), market[gets].increment)
      if (received.isZero()) continue
      return gives === 'base'
        ? { order, baseAmount: paid, quoteAmount: received }
        : { order, baseAmount: received, quoteAmount: paid }
    }
    return undefined
  }
}

function ordered(order: Order, leg: 'base' | 'quote'): Amount {
  return leg === 'base' ? order.baseAmount : order.quoteAmount
}

function left(order: Order, leg: 'base' | 'quote'): Amount {
  return leg === 'base'
    ? order.baseAmount.minus(order.filledBaseAmount)
    : order.quoteAmount.minus(order.filledQuoteAmount)
}

function owed(order: Order): Amount {
  return left(order, legs(order).gives)
}

// Credit: how much an account may owe in an asset, what its open on-credit orders owe now, and the
// next part of such an order that the available balance pays down.
import { truncateTo } from './amount.ts'
import type { Ledger } from './ledger.ts'
import { legs } from './order-book.ts'
import type { Order } from './records.ts'

export class Credit {
  /** Capacity by settled code; absent where the account has none. */
  readonly #totals = new Map<string, bigint>()
  /** On-credit orders that are not yet filled, oldest first. */
  readonly #open = new Set<Order>()

  setTotal(asset: string, total: bigint): void {
    this.#totals.set(asset, total)
  }

  open(order: Order): void {
    this.#open.add(order)
  }

  /** Undefined where the account never had any capacity. */
  capacity(asset: string): { readonly total: bigint; readonly spent: bigint; readonly available: bigint } | undefined {
    const total = this.#totals.get(asset)
    if (total === undefined) return undefined
    let spent = 0n
    for (const order of this.#open) {
      const { market, gives } = legs(order)
      if (market[gives].symbol === asset) spent += owed(order)
    }
    return { total, spent, available: total > spent ? total - spent : 0n }
  }

  /** The part of one order that can be paid now, or undefined. Forgets orders that are done. */
  findPayable(
    ledger: Ledger,
  ): { readonly order: Order; readonly baseAmount: bigint; readonly quoteAmount: bigint } | undefined {
    for (const order of this.#open) {
      const owes = owed(order)
      if (owes === 0n) {
        this.#open.delete(order)
        continue
      }
      const { market, gives, gets } = legs(order)
      const { available } = ledger.position(market[gives].symbol)
      const paid = available < owes ? available : owes
      // The last part takes what is left of the other leg, so that truncation leaves no remainder.
      const received =
        paid === owes
          ? left(order, gets)
          : truncateTo((ordered(order, gets) * paid) / ordered(order, gives), market[gets].increment)
      if (received === 0n) continue
      return gives === 'base'
        ? { order, baseAmount: paid, quoteAmount: received }
        : { order, baseAmount: received, quoteAmount: paid }
    }
    return undefined
  }
}

function ordered(order: Order, leg: 'base' | 'quote'): bigint {
  return leg === 'base' ? order.baseAmount : order.quoteAmount
}

function left(order: Order, leg: 'base' | 'quote'): bigint {
  return leg === 'base' ? order.baseAmount - order.filledBaseAmount : order.quoteAmount - order.filledQuoteAmount
}

function owed(order: Order): bigint {
  return left(order, legs(order).gives)
}

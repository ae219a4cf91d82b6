// Owns quotes, orders and fills, and the ledger transfers of each fact about them. It only applies facts; the action
// that commits a fact has decided before whether it may happen. Counts the credit of an account: how much it may owe,
// owes now, and can pay.
import { Agenda } from './agenda.ts'
import { type Amount, truncateTo, ZERO } from './amount.ts'
import type { Account, Ledger, Source, Transfer } from './ledger.ts'
import { type Market, marketOf } from './markets.ts'
import type { Fill, Order, PlacedOrder, Quote, Step, Terms } from './records.ts'

/** An unused quote is forgotten this long after its expiry. Then its id is unknown. */
const QUOTE_KEPT_MS = 24 * 3_600_000
/** Maximum quotes that one call forgets. */
const FORGET_AT_ONCE = 16

export class OrderBook {
  /** Oldest first. */
  readonly list: Order[] = []
  readonly fills: Fill[] = []
  readonly agenda = new Agenda<{ readonly order: Order; readonly stepIndex: number }>()
  readonly #byId = new Map<string, Order>()
  readonly #quotes = new Map<string, Quote>()
  readonly #ledger: Ledger

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  addQuote(quote: Quote): void {
    this.#forgetQuotes(quote.quotedAtMs)
    this.#quotes.set(quote.id, quote)
  }

  findQuote(id: string): Quote | undefined {
    return this.#quotes.get(id)
  }

  findOrder(id: string): Order | undefined {
    return this.#byId.get(id)
  }

  /** Records an order and posts its transfers. `fill`: set when the order fills at placement. */
  place(placed: PlacedOrder, fill: Fill | undefined): Order {
    const order: Order = {
      ...placed,
      status: 'NEW',
      filledBaseAmount: ZERO,
      filledQuoteAmount: ZERO,
      stepsDone: 0,
      fills: [],
    }
    if (isReserved(order)) {
      const source = { type: 'order', id: order.id } as const
      this.#ledger.post(transfersOf('reserve', order, { source, amounts: order, atMs: order.createdAtMs }))
    }
    this.list.push(order)
    this.#byId.set(order.id, order)
    for (const [stepIndex, step] of order.steps.entries()) this.agenda.add(step.atMs, { order, stepIndex })
    // From here the order itself shows that the quote is used.
    this.#quotes.delete(order.id)
    if (fill !== undefined) {
      this.fill(fill)
      // A fill at placement is not one of the order's steps.
      order.stepsDone = 0
    }
    return order
  }

  fill(fill: Fill): void {
    const order = this.#orderOf(fill.orderId)
    const source = { type: 'fill', id: fill.id } as const
    const stage = isReserved(order) ? 'settle' : 'pay'
    this.#ledger.post(transfersOf(stage, order, { source, amounts: fill, atMs: fill.executedAtMs }))
    order.fills.push(fill)
    this.fills.push(fill)
    order.stepsDone += 1
    order.filledBaseAmount = order.filledBaseAmount.plus(fill.baseAmount)
    order.filledQuoteAmount = order.filledQuoteAmount.plus(fill.quoteAmount)
    order.status = order.filledBaseAmount.eq(order.baseAmount) ? 'FILLED' : 'PARTIALLY_FILLED'
  }

  fail(orderId: string, atMs: number): void {
    const order = this.#orderOf(orderId)
    if (isReserved(order)) {
      const source = { type: 'order', id: order.id } as const
      this.#ledger.post(transfersOf('release', order, { source, amounts: unfilled(order), atMs }))
    }
    order.status = 'FAILED'
    order.stepsDone = order.steps.length
  }

  /** Returns the next due step of any order, or undefined. Each step is returned once. */
  takeDueStep(nowMs: number): { readonly order: Order; readonly step: Step } | undefined {
    for (let due = this.agenda.takeDue(nowMs); due !== undefined; due = this.agenda.takeDue(nowMs)) {
      const { order, stepIndex } = due
      // After a restart the agenda holds steps again that have happened. They are skipped.
      if (stepIndex >= order.stepsDone) return { order, step: order.steps[stepIndex] as Step }
    }
    return undefined
  }

  #orderOf(id: string): Order {
    const order = this.#byId.get(id)
    if (order === undefined) throw new Error('a fact about an order that was never placed')
    return order
  }

  #forgetQuotes(nowMs: number): void {
    let forgotten = 0
    for (const [id, quote] of this.#quotes) {
      if (forgotten === FORGET_AT_ONCE || quote.expiresAtMs + QUOTE_KEPT_MS > nowMs) return
      this.#quotes.delete(id)
      forgotten += 1
    }
  }
}

/** Which leg the customer gives, and which it gets. */
export function legs(order: Pick<Order, 'marketId' | 'side'>): {
  readonly market: Market
  readonly gives: 'base' | 'quote'
  readonly gets: 'base' | 'quote'
} {
  const buys = order.side === 'BUY'
  return { market: marketOf(order.marketId), gives: buys ? 'quote' : 'base', gets: buys ? 'base' : 'quote' }
}

function isReserved({ onCredit, isUnreserved = false }: PlacedOrder): boolean {
  return !onCredit && !isUnreserved
}

/** The transfers of each stage, for the leg that the customer gives and for the leg that it gets. */
const STAGES = {
  /** Freezes what the customer gives and promises what it gets, until fills settle both. */
  reserve: { gives: ['HOLD', 'available', 'frozen'], gets: ['PROMISE', 'dealer', 'pending'] },
  settle: { gives: ['CONVERSION_DEBIT', 'frozen', 'dealer'], gets: ['CONVERSION_CREDIT', 'pending', 'available'] },
  /** Nothing was reserved: an order on credit pays as funds arrive, and another order pays when it fills. */
  pay: { gives: ['CONVERSION_DEBIT', 'available', 'dealer'], gets: ['CONVERSION_CREDIT', 'dealer', 'available'] },
  /** Releases what no fill has settled, and withdraws the promise for it. */
  release: { gives: ['RELEASE', 'frozen', 'available'], gets: ['PROMISE_WITHDRAWN', 'pending', 'dealer'] },
} as const satisfies Record<string, Record<'gives' | 'gets', readonly [type: string, from: Account, to: Account]>>

function transfersOf(
  stage: keyof typeof STAGES,
  order: Order,
  { source, amounts, atMs }: { source: Source; amounts: Pick<Terms, 'baseAmount' | 'quoteAmount'>; atMs: number },
): Transfer[] {
  const orderLegs = legs(order)
  return (['gives', 'gets'] as const).map((role) => {
    const [type, from, to] = STAGES[stage][role]
    const leg = orderLegs[role]
    const amount = leg === 'base' ? amounts.baseAmount : amounts.quoteAmount
    return { type, source, orderId: order.id, atMs, asset: orderLegs.market[leg].symbol, from, to, amount }
  })
}

function unfilled(order: Order): Pick<Terms, 'baseAmount' | 'quoteAmount'> {
  return {
    baseAmount: order.baseAmount.minus(order.filledBaseAmount),
    quoteAmount: order.quoteAmount.minus(order.filledQuoteAmount),
  }
}

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

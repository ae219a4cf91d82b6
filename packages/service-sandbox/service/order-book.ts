// Quotes, orders and fills, and the ledger transfers that each fact about them means. Applies
// facts; whether a thing may happen is decided before, by the action that commits the fact.

import { Agenda } from './agenda.ts'
import { ZERO } from './amount.ts'
import type { Account, Ledger, Source, Transfer } from './ledger.ts'
import { type Market, marketOf } from './markets.ts'
import type { Fill, Order, PlacedOrder, Quote, Step, Terms } from './records.ts'

/** An unused quote is forgotten this long after it expired; its id is then unknown. */
const QUOTE_KEPT_MS = 24 * 3_600_000
/** Forgetting looks at no more than this many quotes at a time. */
const FORGET_AT_ONCE = 16

export class OrderBook {
  /** Oldest first. */
  readonly list: Order[] = []
  /** In the order of execution. */
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

  /** Posts the order's transfers and records it; `fill` when it fills at placement. */
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
    // The order itself now says that the quote is used.
    this.#quotes.delete(order.id)
    if (fill !== undefined) {
      this.fill(fill)
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

  /** The next step of any order that is due, or undefined. Each is given once. */
  takeDueStep(nowMs: number): { readonly order: Order; readonly step: Step } | undefined {
    for (let due = this.agenda.takeDue(nowMs); due !== undefined; due = this.agenda.takeDue(nowMs)) {
      const { order, stepIndex } = due
      // A step that happened before a restart is on the agenda again: pass over it.
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
    let looked = 0
    for (const [id, quote] of this.#quotes) {
      if (looked === FORGET_AT_ONCE || quote.expiresAtMs + QUOTE_KEPT_MS > nowMs) return
      this.#quotes.delete(id)
      looked += 1
    }
  }
}

/** Which leg the customer gives and which it gets. */
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

/** What a stage of an order does to the leg that is given and to the one that is got. */
const STAGES = {
  /** What is given is frozen and what is promised is pending, until fills settle both. */
  reserve: { gives: ['HOLD', 'available', 'frozen'], gets: ['PROMISE', 'dealer', 'pending'] },
  settle: { gives: ['CONVERSION_DEBIT', 'frozen', 'dealer'], gets: ['CONVERSION_CREDIT', 'pending', 'available'] },
  /** Nothing was reserved: an order on credit pays as funds come in, another one when it fills. */
  pay: { gives: ['CONVERSION_DEBIT', 'available', 'dealer'], gets: ['CONVERSION_CREDIT', 'dealer', 'available'] },
  /** What was frozen and no fill settled comes back, and the promise for it is withdrawn. */
  release: { gives: ['RELEASE', 'frozen', 'available'], gets: ['PROMISE_WITHDRAWN', 'pending', 'dealer'] },
} as const satisfies Record<string, Record<'gives' | 'gets', readonly [type: string, from: Account, to: Account]>>

function transfersOf(
  stage: keyof typeof STAGES,
  order: Order,
  { source, amounts, atMs }: { source: Source; amounts: Pick<Terms, 'baseAmount' | 'quoteAmount'>; atMs: number },
): Transfer[] {
  const of = legs(order)
  return (['gives', 'gets'] as const).map((role) => {
    const [type, from, to] = STAGES[stage][role]
    const leg = of[role]
    const amount = leg === 'base' ? amounts.baseAmount : amounts.quoteAmount
    return { type, source, orderId: order.id, atMs, asset: of.market[leg].symbol, from, to, amount }
  })
}

function unfilled(order: Order): Pick<Terms, 'baseAmount' | 'quoteAmount'> {
  return {
    baseAmount: order.baseAmount.minus(order.filledBaseAmount),
    quoteAmount: order.quoteAmount.minus(order.filledQuoteAmount),
  }
}

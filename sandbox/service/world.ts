// The state of the sandbox, and the one way to change it: commit a fact. Owns the opening
// balances, the clock's offset and the steps that fall due. Serves no requests.
import { hash } from 'node:crypto'
import { ASSETS, assetOf } from './assets.ts'
import { type Contact, seededContacts } from './contacts.ts'
import type { Fact } from './facts.ts'
import { KeyRing } from './keys.ts'
import { Ledger } from './ledger.ts'
import { Nonces } from './nonces.ts'
import { OrderBook } from './order-book.ts'
import { Prices } from './prices.ts'
import type { Deposit, Fill, Order, Step } from './records.ts'
import { seededUuid } from './seeded.ts'
import type { Origin } from './state-log.ts'

export interface WallClock {
  nowMs(): number
}

export class World {
  readonly origin: Origin
  readonly keys: KeyRing
  readonly nonces = new Nonces()
  readonly ledger = new Ledger()
  readonly book: OrderBook
  readonly prices: Prices
  readonly contacts: Contact[]
  readonly deposits: Deposit[] = []
  readonly accountId: string
  /** Every route but health answers 503. */
  inMaintenance = false
  readonly #clock: WallClock
  readonly #record: (fact: Fact) => void
  #clockOffsetMs = 0
  #factsApplied = 0

  /** `record` keeps each fact; it throws when it cannot. */
  constructor(origin: Origin, clock: WallClock, record: (fact: Fact) => void) {
    this.origin = origin
    this.#clock = clock
    this.#record = record
    this.keys = new KeyRing(origin.seed)
    this.book = new OrderBook(this.ledger)
    this.prices = new Prices(origin.seed, origin.openedAtMs)
    this.contacts = seededContacts(origin.seed, origin.openedAtMs)
    this.accountId = seededUuid(origin.seed, 'account')
    this.#open()
  }

  /** Service time: the machine's clock and what control calls have added to it. */
  nowMs(): number {
    return this.#clock.nowMs() + this.#clockOffsetMs
  }

  get clockOffsetMs(): number {
    return this.#clockOffsetMs
  }

  /** An id for something that the next fact will bring into the world: opaque, unique, and repeatable. */
  newId(what: string): string {
    const { seed, openedAtMs } = this.origin
    const hex = hash('sha256', `${seed}\n${openedAtMs}\n${this.#factsApplied}\n${what}`, 'hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
  }

  commit(fact: Fact): void {
    this.apply(fact)
    this.#record(fact)
  }

  /** Applies a fact that is already recorded. */
  apply(fact: Fact): void {
    switch (fact.kind) {
      case 'clock.moved':
        this.#clockOffsetMs = fact.offsetMs
        break
      case 'nonce.used':
        this.nonces.use(fact.keyName, fact.nonce, fact.keepUntilMs)
        break
      case 'quote.made':
        this.book.addQuote(fact.quote)
        break
      case 'order.placed':
        this.book.place(fact.order, fact.fill)
        break
      case 'order.filled':
        this.book.fill(fact.fill)
        break
      case 'order.failed':
        this.book.fail(fact.orderId, fact.atMs)
        break
      case 'deposit.credited':
        this.#credit(fact.deposit)
        break
      case 'balance.lowered':
        this.#lower(fact)
        break
      case 'price.fixed':
        this.prices.fix(fact.marketId, fact.mid)
        break
    }
    this.#factsApplied += 1
  }

  /** Lets happen what is due by now. Called before anything is read or decided. */
  settleDue(nowMs: number): void {
    this.nonces.forgetExpired(nowMs)
    for (let due = this.book.takeDueStep(nowMs); due !== undefined; due = this.book.takeDueStep(nowMs)) {
      this.#take(due.order, due.step)
    }
  }

  #take(order: Order, step: Step): void {
    if (step.do === 'fail') {
      this.commit({ kind: 'order.failed', orderId: order.id, atMs: step.atMs })
      return
    }
    this.commit({ kind: 'order.filled', fill: this.newFill(order, step, step.atMs) })
  }

  /** The next fill of an order, with the order's multiplier. */
  newFill(
    order: Pick<Order, 'id' | 'multiplier' | 'onCredit'> & { readonly fills?: readonly Fill[] },
    amounts: { readonly baseAmount: bigint; readonly quoteAmount: bigint },
    executedAtMs: number,
  ): Fill {
    return {
      id: this.newId('fill'),
      orderId: order.id,
      sequence: (order.fills?.length ?? 0) + 1,
      baseAmount: amounts.baseAmount,
      quoteAmount: amounts.quoteAmount,
      multiplier: order.multiplier,
      onCredit: order.onCredit,
      executedAtMs,
    }
  }

  /** The factor in force now: '1' for everything but tokenised equities. */
  multiplier(symbol: string): bigint {
    return assetOf(symbol).openingMultiplier
  }

  #open(): void {
    this.ledger.post(
      ASSETS.map((asset) => ({
        type: 'OPENING_BALANCE',
        source: { type: 'opening', id: this.accountId },
        atMs: this.origin.openedAtMs,
        asset: asset.symbol,
        from: 'opening',
        to: 'available',
        amount: asset.openingBalance,
      })),
    )
  }

  #credit(deposit: Deposit): void {
    this.ledger.post([
      {
        type: 'DEPOSIT',
        source: { type: 'deposit', id: deposit.id },
        atMs: deposit.createdAtMs,
        asset: deposit.assetSymbol,
        from: 'outside',
        to: 'available',
        amount: deposit.amount,
      },
    ])
    this.deposits.push(deposit)
  }

  #lower(fact: Extract<Fact, { kind: 'balance.lowered' }>): void {
    this.ledger.post([
      {
        type: 'ADJUSTMENT',
        source: { type: 'adjustment', id: fact.id },
        atMs: fact.atMs,
        asset: fact.assetSymbol,
        from: 'available',
        to: 'outside',
        amount: fact.amount,
      },
    ])
  }
}

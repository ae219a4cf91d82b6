// Holds the state of the sandbox. Only facts change the account and the markets; the counts of requests and expired nonces are
// no facts. Owns the opening balances, the clock's offset and what falls due. Serves no requests and decides nothing.
import { hash } from 'node:crypto'
import type { Amount } from './amount.ts'
import { ASSETS, type Asset, assetOf, withFee } from './assets.ts'
import { type Contact, seededContacts } from './contacts.ts'
import type { Fact, Listing } from './facts.ts'
import { KeyRing } from './keys.ts'
import { Ledger } from './ledger.ts'
import { Lists, mintId, type RowKind, rowDate } from './lists.ts'
import { type Manners, TIDY } from './manners/manners.ts'
import { Nonces } from './nonces.ts'
import { Credit, legs, OrderBook } from './order-book.ts'
import { Prices } from './prices.ts'
import type { Pace } from './profiles.ts'
import { RateLimit } from './rate-limit.ts'
import type { Deposit, Fill, Order } from './records.ts'
import { seededUuid } from './seeded.ts'
import type { Origin } from './state-log.ts'
import { WithdrawalBook } from './withdrawal-book.ts'

export interface WallClock {
  nowMs(): number
}

export interface Listeners {
  /** Called before a fact is applied. When it throws, the fact does not happen. */
  readonly record: (fact: Fact) => void
  /** Called after the fact was applied. */
  readonly report: (fact: Fact) => void
}

export const NOBODY: Listeners = { record: () => {}, report: () => {} }

export class World {
  readonly origin: Origin
  readonly pace: Pace
  readonly keys: KeyRing
  readonly nonces = new Nonces()
  readonly rateLimit = new RateLimit()
  readonly ledger = new Ledger((atMs) => this.rowDate('entry', atMs))
  readonly credit = new Credit()
  readonly book = new OrderBook(this.ledger)
  readonly withdrawals = new WithdrawalBook(this.ledger)
  readonly prices: Prices
  readonly lists: Lists
  readonly contacts: ReadonlyMap<string, Contact>
  readonly deposits: Deposit[] = []
  readonly accountId: string
  /** When true, every route except health answers 503. */
  inMaintenance = false
  apiAccess = true
  twoFactor = true
  manners: Manners = TIDY
  /** The profile that the manners came with. */
  profile: string | undefined
  readonly #clock: WallClock
  readonly #listeners: Listeners
  readonly #contacts: Map<string, Contact>
  readonly #multipliers = new Map<string, Amount>()
  readonly #listings = new Map<string, Listing>()
  /** Assets with changed fees. */
  readonly #assets = new Map<string, Asset>()
  #clockOffsetMs = 0
  #factsApplied = 0
  /** How many items of each kind the facts have created, for counted ids. */
  readonly #made = new Map<string, number>()

  constructor(origin: Origin, clock: WallClock, pace: Pace, listeners: Listeners) {
    this.origin = origin
    this.pace = pace
    this.#clock = clock
    this.#listeners = listeners
    this.keys = new KeyRing(origin.seed)
    this.prices = new Prices(origin.seed, origin.openedAtMs)
    this.lists = new Lists(origin.seed, () => this.manners.rows)
    this.#contacts = new Map(seededContacts(origin.seed, origin.openedAtMs).map((contact) => [contact.id, contact]))
    this.contacts = this.#contacts
    this.accountId = seededUuid(origin.seed, 'account')
    for (const { symbol, openingBalance } of ASSETS) {
      this.#book('OPENING_BALANCE', 'opening', this.accountId, symbol, openingBalance, origin.openedAtMs)
    }
  }

  /** Service time: the machine's clock plus the offset set by control calls. */
  nowMs(): number {
    return this.#clock.nowMs() + this.#clockOffsetMs
  }

  get clockOffsetMs(): number {
    return this.#clockOffsetMs
  }

  /** Returns the multiplier in force now: 1 for everything except tokenised equities. */
  multiplier(symbol: string): Amount {
    return this.#multipliers.get(symbol) ?? assetOf(symbol).openingMultiplier
  }

  /** Returns the asset with the fees in force now. */
  asset(symbol: string): Asset {
    return this.#assets.get(symbol) ?? assetOf(symbol)
  }

  listing(symbol: string): Listing {
    return this.#listings.get(symbol) ?? 'full'
  }

  /** Returns the id of what the next fact creates: opaque, unique and repeatable. */
  newId(kind: string): string {
    return mintId(this.manners.ids, { kind, made: this.#made.get(kind) ?? 0, hex: this.newHex(kind) })
  }

  /** Returns the date that a row of this moment shows. */
  rowDate(kind: RowKind, atMs: number): number {
    return rowDate(this.manners, this.origin.seed, kind, atMs)
  }

  /** Returns 64 hexadecimal digits, with the properties of `newId`. */
  newHex(label: string): string {
    const { seed, openedAtMs } = this.origin
    return hash('sha256', `${seed}\n${openedAtMs}\n${this.#factsApplied}\n${label}`, 'hex')
  }

  commit(fact: Fact): void {
    this.#listeners.record(fact)
    this.apply(fact)
    this.#listeners.report(fact)
  }

  /** Applies a fact that is recorded already. */
  apply(fact: Fact): void {
    const change = this.#changes[fact.kind] as (fact: Fact) => void
    change(fact)
    this.#factsApplied += 1
    const made = madeBy(fact)
    if (made !== undefined) this.#made.set(made, (this.#made.get(made) ?? 0) + 1)
  }

  get factsApplied(): number {
    return this.#factsApplied
  }

  /** Applies everything that is due. Called before every read or decision, and after funds arrive. */
  settleDue(nowMs: number): void {
    this.nonces.forgetExpired(nowMs)
    for (let due = this.book.takeDueStep(nowMs); due !== undefined; due = this.book.takeDueStep(nowMs)) {
      const { order, step } = due
      if (step.do === 'fail' || !this.#canPay(order, step))
        this.commit({ kind: 'order.failed', orderId: order.id, atMs: step.atMs })
      else this.commit({ kind: 'order.filled', fill: this.newFill(order, step, order.multiplier, step.atMs) })
    }
    for (let due = this.withdrawals.takeDueStep(nowMs); due !== undefined; due = this.withdrawals.takeDueStep(nowMs)) {
      this.commit({ kind: 'withdrawal.moved', withdrawalId: due.withdrawal.id, step: due.step })
    }
    this.#payDebts(nowMs)
  }

  #canPay(order: Order, amounts: Pick<Fill, 'baseAmount' | 'quoteAmount'>): boolean {
    if (!order.isUnreserved) return true
    const { market, gives } = legs(order)
    const needed = gives === 'base' ? amounts.baseAmount : amounts.quoteAmount
    return this.ledger.position(market[gives].symbol).available.gte(needed)
  }

  newFill(
    order: Pick<Order, 'id' | 'onCredit'> & { readonly fills?: readonly Fill[] },
    { baseAmount, quoteAmount }: Pick<Fill, 'baseAmount' | 'quoteAmount'>,
    multiplier: Amount,
    executedAtMs: number,
  ): Fill {
    const { id: orderId, onCredit, fills = [] } = order
    const [id, sequence] = [this.newId('fill'), fills.length + 1]
    const datedMs = this.rowDate('fill', executedAtMs)
    return { id, orderId, sequence, baseAmount, quoteAmount, multiplier, onCredit, executedAtMs: datedMs }
  }

  /** Fills on-credit orders as far as the available balance pays. Each fill has the multiplier of its own time. */
  #payDebts(nowMs: number): void {
    for (let part = this.credit.findPayable(this.ledger); part; part = this.credit.findPayable(this.ledger)) {
      const multiplier = this.multiplier(part.order.marketId.split('-', 1)[0] as string)
      this.commit({ kind: 'order.filled', fill: this.newFill(part.order, part, multiplier, nowMs) })
    }
  }

  /** How each kind of fact changes the world. */
  readonly #changes: { readonly [K in Fact['kind']]: (fact: Extract<Fact, { readonly kind: K }>) => void } = {
    'clock.moved': ({ offsetMs }) => {
      this.#clockOffsetMs = offsetMs
    },
    'nonce.used': ({ keyName, nonce, keepUntilMs }) => this.nonces.use(keyName, nonce, keepUntilMs),
    'quote.made': ({ quote }) => this.book.addQuote(quote),
    'order.placed': ({ order, fill }) => {
      const placed = this.book.place(order, fill)
      if (placed.onCredit) this.credit.open(placed)
    },
    'order.filled': ({ fill }) => this.book.fill(fill),
    'order.failed': ({ orderId, atMs }) => this.book.fail(orderId, atMs),
    'deposit.credited': ({ deposit }) => {
      this.#book('DEPOSIT', 'deposit', deposit.id, deposit.assetSymbol, deposit.amount, deposit.createdAtMs)
      this.deposits.push(deposit)
    },
    'balance.lowered': ({ id, assetSymbol, amount, atMs }) =>
      this.#book('ADJUSTMENT_DEBIT', 'adjustment', id, assetSymbol, amount, atMs),
    'price.fixed': ({ marketId, mid }) => this.prices.fix(marketId, mid),
    'listing.set': ({ assetSymbol, listing }) => {
      this.#listings.set(assetSymbol, listing)
    },
    'multiplier.set': ({ assetSymbol, multiplier }) => {
      this.#multipliers.set(assetSymbol, multiplier)
    },
    'fee.set': ({ assetSymbol, networkId, fee }) => {
      this.#assets.set(assetSymbol, withFee(this.asset(assetSymbol), networkId, fee))
    },
    'capacity.set': ({ assetSymbol, total }) => this.credit.setTotal(assetSymbol, total),
    'withdrawal.accepted': ({ withdrawal }) => this.withdrawals.accept(withdrawal),
    'withdrawal.moved': ({ withdrawalId, step }) => this.withdrawals.move(withdrawalId, step),
    'contact.labelled': ({ contactId, reference, alias, atMs }) => {
      const contact = this.#contacts.get(contactId) as Contact
      this.#contacts.set(contactId, { ...contact, reference, alias, updatedAtMs: atMs })
    },
    'contact.moved': ({ contactId, destination, networkId, alias, atMs }) => {
      const contact = this.#contacts.get(contactId) as Contact
      this.#contacts.set(contactId, { ...contact, destination, networkId, alias, updatedAtMs: atMs })
    },
    'key.rotated': (fact) => this.keys.change(fact),
    'key.revoked': (fact) => this.keys.change(fact),
    'key.addresses-set': (fact) => this.keys.change(fact),
    'signing-key.added': (fact) => this.keys.change(fact),
    'signing-key.revoked': (fact) => this.keys.change(fact),
    'account.set': ({ apiAccess, twoFactor }) => {
      this.apiAccess = apiAccess
      this.twoFactor = twoFactor
    },
    'maintenance.set': ({ on }) => {
      this.inMaintenance = on
    },
    'limits.set': ({ limits }) => this.rateLimit.set(limits),
    'manners.set': ({ manners, profile }) => {
      this.manners = manners
      this.profile = profile
    },
  }

  #book(
    type: keyof typeof TRANSFERS,
    sourceType: 'opening' | 'deposit' | 'adjustment',
    sourceId: string,
    asset: string,
    amount: Amount,
    atMs: number,
  ): void {
    const [from, to] = TRANSFERS[type]
    this.ledger.post([{ type, source: { type: sourceType, id: sourceId }, atMs, asset, from, to, amount }])
  }
}

/** Returns the kind of item that a fact creates, where its ids are counted. */
function madeBy(fact: Fact): string | undefined {
  if (fact.kind === 'order.placed') return fact.fill && 'fill'
  return MADE[fact.kind]
}

const MADE: Readonly<Partial<Record<Fact['kind'], string>>> = {
  'quote.made': 'quote',
  'order.filled': 'fill',
  'withdrawal.accepted': 'withdrawal',
  'deposit.credited': 'deposit',
  'balance.lowered': 'adjustment',
}

/** Account transfers other than conversions and withdrawals. */
const TRANSFERS = {
  OPENING_BALANCE: ['opening', 'available'],
  DEPOSIT: ['outside', 'available'],
  ADJUSTMENT_DEBIT: ['available', 'outside'],
} as const

// Models the service's side of conversions, judged by what it moves: quotes, orders that show late, and copies of a
// request that arrive late or twice.
import type { ConvertFill, QuotedTerms } from '../../core/contract/convert.ts'
import { type Decimal, formatDecimal, parseDecimal } from '../../core/money/decimal.ts'
import type { OrderState, SendAnswer } from '../../core/service/ports.ts'
import { type Deal, LEGS, LEGS_OF_WITHDRAWN, MARKET, MISQUOTES, MISTOLD_ORDERS, SPELLINGS } from './deals.ts'
import { OWN_ACCOUNT } from './keys.ts'
import { unproven, type Work } from './network.ts'
import { refused, type SignedCopy, type SignedService } from './signed-service.ts'
import { textOf } from './trace.ts'
import { type Detail, START_MS } from './world-state.ts'

export interface OrderTruth {
  /** How long a placed order cannot be read. */
  readonly visibilityMs: number
  readonly quoteLifeMs: number
  readonly saysExpiry: boolean
  /** Whether the service checks the quote before the nonce. */
  readonly quoteCheckedFirst: boolean
  /** Whether a used quote, signed again while it lives, places another order. */
  readonly usedQuoteMovesAgain: boolean
  /** How long an order stays under way. More than 0 is answered with 202. */
  readonly settleMs: number
  /** The status of an order under way; statuses are an open set. */
  readonly movingStatus: string
  readonly endsAs: 'FILLED' | 'FAILED'
  /** When its amount leaves the balance: at the fill, or in parts until then. Absent: at once. */
  readonly takes?: 'at the fill' | 'in parts'
  /** How long the fills of an ended order are not listed. */
  readonly fillsLagMs: number
  readonly side: 'BUY' | 'SELL'
  /** Whether conversions sell the asset that withdrawals send. */
  readonly sellsWithdrawn?: boolean
  /** Whether each quote has another price than the one before. */
  readonly isMoving: boolean
  /** Whether quotes report a better rate than their amounts give. */
  readonly flatters?: boolean
  /** Opening balance of the asset that conversions sell. Absent: more than enough. */
  readonly balance?: string
  /** How quotes and executions differ from the request, after this number of correct quotes. */
  readonly misquotes?: { readonly as: keyof typeof MISQUOTES; readonly after: number }
  /** How shown orders differ from their execution. */
  readonly mistells?: keyof typeof MISTOLD_ORDERS
  /** How requests, quotes and orders spell the market. Absent: with its settled codes. */
  readonly spells?: keyof typeof SPELLINGS
}

export interface SignedOrder extends SignedCopy {
  readonly orderId: string
}

export interface PlacedOrder {
  readonly kind: 'convert'
  readonly id: string
  readonly account: string
  readonly nonce: string
  readonly atMs: number
  readonly deal: Deal
}

interface Quote {
  readonly account: string
  readonly expiresAtMs: number
  readonly deal: Deal
  used: boolean
}

const NOTHING = { base: '0', quote: '0' }
const PARTLY = 'PARTIALLY_FILLED'
/** A failed order was filled in part, which is the worst case to mistake for a zero. */
const FILLED_SHARE = {
  FILLED: ({ baseAmount, quoteAmount }: Deal) => ({ base: baseAmount, quote: quoteAmount }),
  FAILED: ({ baseAmount, quoteAmount }: Deal) => ({
    base: String((Number(baseAmount) * 4) / 10),
    quote: String((Number(quoteAmount) / 5) * 2),
  }),
}
/** Prices of one base unit: cheaper, and dearer, than the quote before. */
const MOVING_QUOTES = ['50100', '49900', '50050', '50000']

export class OrderModel {
  readonly movements: PlacedOrder[] = []
  hasMisquoted = false
  /**
   * The remaining balance of the asset that conversions sell. If withdrawals send the same asset, their model replaces
   * this function.
   */
  left: () => string = () => this.#balanceLess(this.given() + this.open())
  readonly truth: OrderTruth
  readonly #service: SignedService
  readonly #quotes = new Map<string, Quote>()

  constructor(service: SignedService, truth: OrderTruth) {
    this.#service = service
    this.truth = truth
  }

  /** `misquoted`: how the quote differs; by default the service's own way. */
  addQuote(account: string, misquoted = this.#misquotesNow()): QuotedTerms {
    const orderId = this.#service.ids.next('convert')
    const expiresAtMs = this.#service.serviceMs + this.truth.quoteLifeMs
    const price = MOVING_QUOTES[this.truth.isMoving ? this.#quotes.size % MOVING_QUOTES.length : 0] ?? '50000'
    const legs = this.truth.sellsWithdrawn ? LEGS_OF_WITHDRAWN : LEGS
    const market = `${legs.baseAsset}-${legs.quoteAsset}`
    const asked: Deal = { market, ...legs, side: this.truth.side, baseAmount: '1', quoteAmount: price }
    if (misquoted) this.hasMisquoted = true
    const deal = { ...asked, ...(misquoted && MISQUOTES[misquoted](asked)) }
    this.#quotes.set(orderId, { account, expiresAtMs, deal, used: false })
    const expiresAt = this.truth.saysExpiry ? new Date(expiresAtMs).toISOString() : null
    const flattering = this.truth.side === 'BUY' ? '40000' : '60000'
    const rate = this.truth.flatters ? flattering : price
    const { baseAmount, quoteAmount } = deal
    return { orderId, market: this.#spelled(deal), rate, baseAmount, quoteAmount, expiresAt }
  }

  dealOf(orderId: string): Deal | undefined {
    return this.#quotes.get(orderId)?.deal
  }

  #misquotesNow(): keyof typeof MISQUOTES | undefined {
    const { misquotes } = this.truth
    return misquotes && this.#quotes.size >= misquotes.after ? misquotes.as : undefined
  }

  #spelled({ market }: Deal): string {
    const { spells } = this.truth
    return spells && market === MARKET ? SPELLINGS[spells].market : market
  }

  /** Settled balance of the asset that conversions sell, as the service shows it. */
  get balance(): string {
    return this.#balanceLess(this.given())
  }

  #balanceLess(gone: bigint): string {
    const { balance = '1000000' } = this.truth
    return formatDecimal((parseDecimal(balance, 'balance') - gone) as Decimal)
  }

  /** The amount that has left the balance for orders so far. */
  given(): bigint {
    return this.#sum((order) => this.#takenBy(order))
  }

  /** The amount that unfinished orders will still take. */
  open(): bigint {
    return this.#sum((order) => (this.#isMoving(order) ? this.#whole(order) - this.#takenBy(order) : 0n))
  }

  #sum(part: (order: PlacedOrder) => bigint): bigint {
    return this.movements.reduce((sum, order) => (order.account === OWN_ACCOUNT ? sum + part(order) : sum), 0n)
  }

  #whole({ deal }: PlacedOrder): bigint {
    return parseDecimal(this.truth.side === 'SELL' ? deal.baseAmount : deal.quoteAmount, 'given')
  }

  #takenBy(order: PlacedOrder): bigint {
    if (this.truth.takes === undefined) return this.#whole(order)
    const { base, quote } = this.#filled(order, order.deal)
    return parseDecimal(this.truth.side === 'SELL' ? base : quote, 'taken')
  }

  #isMoving({ atMs }: PlacedOrder): boolean {
    return this.#service.serviceMs < atMs + this.truth.settleMs
  }

  /** `deal`: as the service shows it. */
  #filled(order: PlacedOrder, deal: Deal): { readonly base: string; readonly quote: string } {
    if (!this.#isMoving(order)) return FILLED_SHARE[this.truth.endsAs](deal)
    return this.truth.takes === 'in parts' ? FILLED_SHARE.FAILED(deal) : NOTHING
  }

  /**
   * Quotes whose price or content changes depend on their number. Where ids are not mere names, the quotes are listed
   * here.
   */
  text(): string {
    const quotes = this.#service.ids.areNames ? [] : [...this.#quotes].map(textOf)
    const { isMoving, misquotes } = this.truth
    return [isMoving || misquotes ? this.#quotes.size : '', ...quotes, ...this.movements.map(textOf)].join('\n')
  }

  *details(): Iterable<Detail> {
    if (!this.#service.ids.areNames) return
    for (const [name, quote] of this.#quotes) yield { name, text: textOf(quote) }
  }

  /** One copy of a signed request arrives. */
  accept(copy: SignedOrder, isHeard = false): Work<SendAnswer> {
    const service = this.#service
    const { orderId, nonce } = copy
    if (!service.isAuthentic(copy)) return refused(unproven('invalid_signature', 401, false))
    const { account } = service.keys.issued(copy.keyNumber)
    const quote = this.#quotes.get(orderId)
    const isAlive = quote?.account === account && service.serviceMs < quote.expiresAtMs
    const isFree = quote !== undefined && (!quote.used || this.truth.usedQuoteMovesAgain)
    const isSpent = service.isSpent(nonce)
    if (isSpent && (isAlive || !this.truth.quoteCheckedFirst)) return refused(unproven('nonce_reused', 401, true))
    if (!isAlive || !isFree) {
      if (service.truth.nonceSpentOnRefusal) service.spend(nonce)
      return refused(unproven('quotation_expired', 422, false))
    }
    service.spend(nonce)
    quote.used = true
    return service.accept('convert', copy, { isHeard, lagMs: this.truth.visibilityMs }, () =>
      this.#place(orderId, account, nonce, quote.deal),
    )
  }

  #place(id: string, account: string, nonce: string, deal: Deal): SendAnswer {
    const { serviceMs: atMs, witness } = this.#service
    const placed: PlacedOrder = { kind: 'convert', id, account, nonce, atMs, deal }
    this.movements.push(placed)
    witness.noteMovement(placed, this.left())
    return { kind: 'accepted', status: this.truth.settleMs > 0 ? 'PROCESSING' : 'FILLED' }
  }

  findOrder(orderId: string, account: string): OrderState | undefined {
    const { serviceMs } = this.#service
    const moved = this.#find(orderId, account) ?? this.#findElsewhere(orderId, account)
    if (!moved || serviceMs < moved.atMs + this.#service.lasting(this.truth.visibilityMs, moved.atMs)) return undefined
    const { mistells, endsAs, takes } = this.truth
    const movingStatus = takes === 'in parts' ? PARTLY : this.truth.movingStatus
    const status = this.#isMoving(moved) ? movingStatus : endsAs
    const deal: Deal = { ...moved.deal, ...(mistells && MISTOLD_ORDERS[mistells](moved.deal)) }
    const { base, quote } = this.#filled(moved, deal)
    const shown = { ...deal, market: this.#spelled(deal), rate: moved.deal.quoteAmount }
    return { id: orderId, status, ...shown, filledBaseAmount: base, filledQuoteAmount: quote }
  }

  /** The orders that the service shows, oldest first. */
  list(account: string): OrderState[] {
    const own = this.movements.filter((order) => order.account === account)
    return own.flatMap(({ id }) => this.findOrder(id, account) ?? [])
  }

  fillsOf(orderId: string, account: string): readonly ConvertFill[] {
    const { settleMs, fillsLagMs, endsAs } = this.truth
    const moved = this.#find(orderId, account)
    if (!moved || this.#service.serviceMs < moved.atMs + settleMs + fillsLagMs) return []
    const { base, quote } = FILLED_SHARE[endsAs](moved.deal)
    const executedAt = new Date(moved.atMs + settleMs).toISOString()
    return [
      {
        id: `fill of ${orderId}`,
        sequence: 1,
        baseAmount: base,
        quoteAmount: quote,
        rate: moved.deal.quoteAmount,
        executedAt,
      },
    ]
  }

  /** An order of another account that counts its ids as this one does. */
  #findElsewhere(id: string, account: string): PlacedOrder | undefined {
    const { ids, truth } = this.#service
    if (account === OWN_ACCOUNT || ids.areNames || !truth.strayKey?.isBusy) return undefined
    // An account gives an id once.
    if (this.#quotes.get(id)?.account === account) return undefined
    const deal: Deal = { market: MARKET, ...LEGS, side: this.truth.side, baseAmount: '1', quoteAmount: '50000' }
    return { kind: 'convert', id, account, nonce: 'elsewhere', atMs: START_MS, deal }
  }

  #find(orderId: string, account: string): PlacedOrder | undefined {
    return this.movements.find((order) => order.id === orderId && order.account === account)
  }
}

// A model of the service's side of a conversion, judged by what it moved: quotes, orders that become
// visible late, and copies of a request that arrive late or twice.
import type { ConvertFill, QuotedTerms } from '../../functions/contract/convert.ts'
import type { OrderState, SendAnswer } from '../../functions/shared/service/ports.ts'
import { unproven } from './network.ts'
import { type SignedCopy, SignedService, type SignedTruth } from './signed-service.ts'
import { textOf } from './trace.ts'
import type { Detail } from './world-state.ts'

export interface OrderTruth extends SignedTruth {
  readonly quoteLifeMs: number
  readonly saysExpiry: boolean
  /** Whether the quote is looked at before the nonce. */
  readonly quoteCheckedFirst: boolean
  /** Whether a used quote, signed anew while it lives, places another order. */
  readonly usedQuoteMovesAgain: boolean
  /** How long an order moves before it comes to its end; more than 0 is answered 202. */
  readonly settleMs: number
  readonly endsAs: 'FILLED' | 'FAILED'
  /** How long the fills of an order that has ended are not listed. */
  readonly fillsLagMs: number
  /** Whether the signing key is replaced once, when the first request has been signed with the old one. */
  readonly rotatesKey: boolean
  /** BUY unless given. */
  readonly side?: 'BUY' | 'SELL'
  /** Whether each quote asks another price than the one before. */
  readonly isMoving?: boolean
}

export interface SignedOrder extends SignedCopy {
  readonly orderId: string
}

interface PlacedOrder {
  readonly id: string
  readonly nonce: string
  readonly atMs: number
  readonly quoteAmount: string
}

interface Quote {
  readonly expiresAtMs: number
  readonly quoteAmount: string
  used: boolean
}

const NOTHING = { base: '0', quote: '0' }
/** An order that fails has been filled in part: the worst that can be taken for a zero. */
const FILLED_SHARE = {
  FILLED: (quote: string) => ({ base: '1', quote }),
  FAILED: (quote: string) => ({ base: '0.4', quote: String((Number(quote) / 5) * 2) }),
}
/** Of one base unit: cheaper, and dearer, than the quote before. */
const MOVING_QUOTES = ['50000', '50100', '49900', '50050']
const FILL = { id: 'fill-1', sequence: 1 }

export class OrderModel extends SignedService<OrderTruth> {
  override readonly movements: PlacedOrder[] = []
  readonly #quotes = new Map<string, Quote>()

  addQuote(): QuotedTerms {
    const orderId = this.scheduler.newName('order')
    const expiresAtMs = this.serviceMs + this.truth.quoteLifeMs
    const quoteAmount = MOVING_QUOTES[this.truth.isMoving ? this.#quotes.size % MOVING_QUOTES.length : 0] ?? '50000'
    this.#quotes.set(orderId, { expiresAtMs, quoteAmount, used: false })
    const expiresAt = this.truth.saysExpiry ? new Date(expiresAtMs).toISOString() : null
    return { orderId, market: 'BTC-USDC', rate: quoteAmount, baseAmount: '1', quoteAmount, expiresAt }
  }

  /** Quotes that move do so by how many there were. */
  override text(): string {
    return `${this.truth.isMoving ? this.#quotes.size : ''}\n${super.text()}`
  }

  override *details(): Iterable<Detail> {
    yield* super.details()
    for (const [name, quote] of this.#quotes) yield { name, text: textOf(quote) }
  }

  /** One copy of a signed request arrives. */
  accept(copy: SignedOrder): SendAnswer {
    const { orderId, nonce } = copy
    if (!this.isAuthentic(copy)) return unproven('invalid_signature', 401, false)
    const quote = this.#quotes.get(orderId)
    const isAlive = quote !== undefined && this.serviceMs < quote.expiresAtMs
    const isFree = quote !== undefined && (!quote.used || this.truth.usedQuoteMovesAgain)
    const isSpent = this.isSpent(nonce)
    if (isSpent && (isAlive || !this.truth.quoteCheckedFirst)) return unproven('nonce_reused', 401, false)
    if (!isAlive || !isFree) {
      if (this.truth.nonceSpentOnRefusal) this.spend(nonce)
      return unproven('quotation_expired', 422, false)
    }
    this.spend(nonce)
    quote.used = true
    const placed = { id: orderId, nonce, atMs: this.serviceMs, quoteAmount: quote.quoteAmount }
    this.movements.push(placed)
    this.witness.noteMovement(placed)
    return { kind: 'accepted', status: this.truth.settleMs > 0 ? 'PROCESSING' : 'FILLED' }
  }

  findOrder(orderId: string): OrderState | undefined {
    const moved = this.movements.find(({ id }) => id === orderId)
    if (!moved || this.serviceMs < moved.atMs + this.truth.visibilityMs) return undefined
    const isMoving = this.serviceMs < moved.atMs + this.truth.settleMs
    const status = isMoving ? this.truth.movingStatus : this.truth.endsAs
    const { quoteAmount } = moved
    const share = isMoving ? NOTHING : FILLED_SHARE[this.truth.endsAs](quoteAmount)
    const ordered = {
      side: this.truth.side ?? 'BUY',
      market: 'BTC-USDC',
      rate: quoteAmount,
      baseAmount: '1',
      quoteAmount,
    }
    return { id: orderId, status, ...ordered, filledBaseAmount: share.base, filledQuoteAmount: share.quote }
  }

  fillsOf(orderId: string): readonly ConvertFill[] {
    const { settleMs, fillsLagMs, endsAs } = this.truth
    const moved = this.movements.find(({ id }) => id === orderId)
    if (!moved || this.serviceMs < moved.atMs + settleMs + fillsLagMs) return []
    const { base, quote } = FILLED_SHARE[endsAs](moved.quoteAmount)
    const executedAt = new Date(moved.atMs + settleMs).toISOString()
    return [{ ...FILL, baseAmount: base, quoteAmount: quote, rate: moved.quoteAmount, executedAt }]
  }
}

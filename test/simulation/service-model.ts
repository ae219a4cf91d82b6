// A model of the service's side of a conversion, judged by what it moved: quotes, tokens with a
// nonce and an end, orders that become visible late, and copies of a request that arrive late or
// twice. What the description leaves open is drawn from the schedule.
import type { ConvertFill, QuotedTerms } from '../../functions/contract/convert.ts'
import type { OrderState, Said, SendAnswer } from '../../functions/shared/service/ports.ts'
import type { Scheduler } from './scheduler.ts'

/** The service's true behaviour, which the configuration only bounds. */
export interface ServiceTruth {
  /** How long after `exp` a token is still accepted. */
  readonly leewayMs: number
  /** How long an accepted order cannot be read by its id. */
  readonly visibilityMs: number
  readonly quoteLifeMs: number
  readonly saysExpiry: boolean
  readonly nonceSpentOnRefusal: boolean
  /** Whether a used quote, signed anew while it lives, places another order. */
  readonly usedQuoteMovesAgain: boolean
  /** The machines' clocks minus the service's. */
  readonly skewMs: number
  /** `/v2/time` minus the time by which the service judges tokens and quotes. */
  readonly toldAheadMs: number
  /** How long an order moves before it comes to its end; more than 0 is answered 202. */
  readonly settleMs: number
  readonly endsAs: 'FILLED' | 'FAILED'
  /** How long the fills of an order that has ended are not listed. */
  readonly fillsLagMs: number
  /** Whether the signing key is replaced once, when the first request has been signed with the old one. */
  readonly rotatesKey: boolean
  /** How long nothing can be read from the first send on: the worst moment for it. */
  readonly outageMs: number
}

/** A request as it was signed, and as every copy of it arrives. */
export interface SignedCopy {
  readonly orderId: string
  readonly nonce: string
  readonly exp: number
  readonly keyNumber: number
}

export interface Movement {
  readonly orderId: string
  readonly nonce: string
  readonly atMs: number
}

interface Quote {
  readonly expiresAtMs: number
  used: boolean
}

const NOTHING = { base: '0', quote: '0' }
/** An order that fails has been filled in part: the worst that can be taken for a zero. */
const FILLED_SHARE = { FILLED: { base: '1', quote: '50000' }, FAILED: { base: '0.4', quote: '20000' } }
const FILL: ConvertFill = {
  id: 'fill-1',
  sequence: 1,
  baseAmount: '1',
  quoteAmount: '50000',
  rate: '50000',
  executedAt: '2026-01-01T00:00:00Z',
}

const REFUSED: SendAnswer = unproven('quotation_expired', 422, false)

export class ServiceModel {
  readonly movements: Movement[] = []
  readonly sentNonces: string[] = []
  readonly #quotes = new Map<string, Quote>()
  readonly #nonces = new Set<string>()
  readonly scheduler: Scheduler
  readonly truth: ServiceTruth

  constructor(scheduler: Scheduler, truth: ServiceTruth) {
    this.scheduler = scheduler
    this.truth = truth
  }

  /** The signing key in force. Rotation has no grace: what the old one signed is refused at once. */
  keyNumber = 1

  mayGoDown = true
  #outageEndsMs = Number.NEGATIVE_INFINITY

  get toldMs(): number {
    return this.serviceMs + this.truth.toldAheadMs
  }

  get isDown(): boolean {
    return this.mayGoDown && this.serviceMs < this.#outageEndsMs
  }

  noteSend(nonce: string): void {
    if (this.sentNonces.length === 0) this.#outageEndsMs = this.serviceMs + this.truth.outageMs
    this.sentNonces.push(nonce)
  }

  get serviceMs(): number {
    return this.scheduler.nowMs - this.truth.skewMs
  }

  addQuote(): QuotedTerms {
    const orderId = `order-${this.#quotes.size + 1}`
    const expiresAtMs = this.serviceMs + this.truth.quoteLifeMs
    this.#quotes.set(orderId, { expiresAtMs, used: false })
    const expiresAt = this.truth.saysExpiry ? new Date(expiresAtMs).toISOString() : null
    return { orderId, market: 'BTC-USDC', rate: '50000', baseAmount: '1', quoteAmount: '50000', expiresAt }
  }

  /** One copy of a signed request arrives. */
  accept({ orderId, nonce, exp, keyNumber }: SignedCopy): SendAnswer {
    if (keyNumber !== this.keyNumber) return unproven('invalid_signature', 401, false)
    if (this.serviceMs > exp * 1000 + this.truth.leewayMs) return unproven('invalid_signature', 401, false)
    if (this.#nonces.has(nonce)) return unproven('nonce_reused', 401, false)
    const quote = this.#quotes.get(orderId)
    const isSpent = quote?.used && !this.truth.usedQuoteMovesAgain
    const refuse = !quote || isSpent || this.serviceMs >= quote.expiresAtMs
    if (!refuse || this.truth.nonceSpentOnRefusal) this.#nonces.add(nonce)
    if (refuse) return REFUSED
    quote.used = true
    this.movements.push({ orderId, nonce, atMs: this.serviceMs })
    return { kind: 'accepted', status: this.truth.settleMs > 0 ? 'PROCESSING' : 'FILLED' }
  }

  findOrder(orderId: string): OrderState | undefined {
    const moved = this.movements.find((movement) => movement.orderId === orderId)
    if (!moved || this.serviceMs < moved.atMs + this.truth.visibilityMs) return undefined
    const isMoving = this.serviceMs < moved.atMs + this.truth.settleMs
    const status = isMoving ? 'NEW' : this.truth.endsAs
    const share = isMoving ? NOTHING : FILLED_SHARE[this.truth.endsAs]
    const ordered = { side: 'BUY', market: 'BTC-USDC', rate: '50000', baseAmount: '1', quoteAmount: '50000' }
    return { id: orderId, status, ...ordered, filledBaseAmount: share.base, filledQuoteAmount: share.quote }
  }

  fillsOf(orderId: string): readonly ConvertFill[] {
    const { settleMs, fillsLagMs, endsAs } = this.truth
    const moved = this.movements.find((movement) => movement.orderId === orderId)
    if (!moved || this.serviceMs < moved.atMs + settleMs + fillsLagMs) return []
    const { base, quote } = FILLED_SHARE[endsAs]
    return [{ ...FILL, baseAmount: base, quoteAmount: quote }]
  }
}

export function unproven(code: string, status: number | undefined, business: boolean): SendAnswer {
  const said: Said = {
    code,
    ...(status !== undefined && { status }),
    business,
    ...(code === 'invalid_signature' && { keyAtFault: true as const }),
    text: `the service said ${code}`,
  }
  return { kind: 'unproven', said }
}

// A model of the service's side of a conversion, judged by what it moved: quotes, tokens with a
// nonce and an end, orders that become visible late, and copies of a request that arrive late or
// twice. What the description leaves open is drawn from the schedule.
import type { ConvertFill, QuotedTerms } from '../../functions/contract/convert.ts'
import { Transient } from '../../functions/shared/errors.ts'
import type {
  ConversionService,
  OrderSender,
  PreparedSend,
  Said,
  SendAnswer,
} from '../../functions/shared/service/ports.ts'
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
  /** The machine's clock minus the service's. */
  readonly skewMs: number
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
  accept(orderId: string, nonce: string, exp: number): SendAnswer {
    if (this.serviceMs > exp * 1000 + this.truth.leewayMs) return unproven('invalid_signature', 401, false)
    if (this.#nonces.has(nonce)) return unproven('nonce_reused', 401, false)
    const quote = this.#quotes.get(orderId)
    const refuse = !quote || quote.used || this.serviceMs >= quote.expiresAtMs
    if (!refuse || this.truth.nonceSpentOnRefusal) this.#nonces.add(nonce)
    if (refuse) return REFUSED
    quote.used = true
    this.movements.push({ orderId, nonce, atMs: this.serviceMs })
    return { kind: 'accepted', status: 'FILLED' }
  }

  isVisible(orderId: string): boolean {
    const moved = this.movements.find((movement) => movement.orderId === orderId)
    return moved !== undefined && this.serviceMs >= moved.atMs + this.truth.visibilityMs
  }
}

/** What one process sees of the service: each call parks, and may go wrong as the schedule says. */
export function connect(model: ServiceModel, process: string): ConversionService & OrderSender {
  const { scheduler } = model
  let offsetMs: number | undefined

  async function read<T>(look: () => T): Promise<T> {
    await scheduler.park(process)
    if (scheduler.takeFault(0.05)) throw new Transient('503 on a read')
    const seen = look()
    await scheduler.park(process)
    return seen
  }

  return {
    clock: {
      async measure() {
        offsetMs = await read(() => model.serviceMs - scheduler.nowMs)
      },
      async ensure() {
        if (offsetMs === undefined) await this.measure()
      },
      nowMs: () => scheduler.nowMs + (offsetMs ?? Number.NaN),
      reachedMs: () => scheduler.nowMs + (offsetMs ?? Number.NaN),
    },
    amountIncrement: () => read(() => '0.00000001'),
    indicativeRate: () => read(() => '50000'),
    createQuote: () => read(() => model.addQuote()),
    findOrder: (orderId) =>
      read(() => {
        if (!model.isVisible(orderId)) return undefined
        const figures = { baseAmount: '1', filledBaseAmount: '1', quoteAmount: '50000', filledQuoteAmount: '50000' }
        return { id: orderId, status: 'FILLED', side: 'BUY', market: 'BTC-USDC', rate: '50000', ...figures }
      }),
    fillsOf: () => read(() => [FILL]),
    async prepareOrder(orderId, tokenLifeSeconds): Promise<PreparedSend> {
      await scheduler.park(process)
      const nonce = `nonce-${scheduler.random()}`
      const iat = Math.floor((scheduler.nowMs + (offsetMs ?? 0)) / 1000)
      const exp = iat + tokenLifeSeconds
      return {
        facts: { nonce, kid: 'svc_test_0123456789ab', iat, exp, bodySha256: '0'.repeat(64) },
        send: () => sendOnce(model, process, orderId, nonce, exp),
      }
    },
    forgetKeys: () => undefined,
  }
}

/** The network between a send and the service: loses, delays and doubles. */
async function sendOnce(
  model: ServiceModel,
  process: string,
  orderId: string,
  nonce: string,
  exp: number,
): Promise<SendAnswer> {
  const { scheduler } = model
  await scheduler.park(process)
  model.sentNonces.push(nonce)
  const arrive = () => model.accept(orderId, nonce, exp)
  if (!scheduler.takeFault(0.5)) {
    const answer = arrive()
    await scheduler.park(process)
    return answer
  }
  const lost = unproven('no_answer', undefined, false)
  const delayMs = Math.floor(scheduler.random() * 150_000)
  switch (
    scheduler.pick(['request lost', 'answer lost', 'error after', 'late', 'refused, then late', 'doubled'] as const)
  ) {
    case 'request lost':
      return lost
    case 'answer lost':
      arrive()
      return lost
    case 'error after':
      arrive()
      return unproven('internal_error', 500, false)
    case 'late':
      scheduler.later(delayMs, arrive)
      return lost
    case 'refused, then late':
      // An intermediary said no, to a copy that is still on its way.
      scheduler.later(delayMs, arrive)
      return unproven('validation_error', 400, true)
    case 'doubled': {
      const first = arrive()
      const second = arrive()
      return scheduler.chance(0.5) ? first : second
    }
  }
}

function unproven(code: string, status: number | undefined, business: boolean): SendAnswer {
  const said: Said = { code, ...(status !== undefined && { status }), business, text: `the service said ${code}` }
  return { kind: 'unproven', said }
}

// What a decision may ask of the service: interfaces only, so that decisions need neither HTTP
// nor keys, and a simulation can stand in. The client beside this file implements them.
//
// Reads throw `Transient`, `Refused` or `Defect` (see ../errors.ts; the client's ServiceProblem
// carries code and status). Amounts are settled decimal strings that match AMOUNT_PATTERN.

import type { ConvertFill, QuotedTerms } from '../../contract/convert.ts'

/** The service's clock, as measured against `/v2/time` or a `Date` header. */
export interface ServiceClock {
  /** Measures now, over the network. Throws as a read does. */
  measure(): Promise<void>
  /** Measures unless it was done within `maxAgeMs`. */
  ensure(maxAgeMs: number): Promise<void>
  /** Best estimate of service time, epoch ms. Throws Defect when never measured. */
  nowMs(): number
  /** A service time that has certainly been reached, epoch ms: the estimate less its uncertainty. */
  reachedMs(): number
}

/** POST /v2/quotes; amount in settled units of `amountAsset`, already quantised. */
export interface QuoteRequest {
  readonly baseAsset: string
  readonly quoteAsset: string
  readonly side: 'BUY' | 'SELL'
  readonly amountAsset: string
  readonly amount: string
}

export interface OrderState {
  readonly id: string
  /** Open set: an unknown status is "still moving". */
  readonly status: string
  readonly side: string
  readonly market: string
  /** Settled, from the `base` block. */
  readonly baseAmount: string
  readonly filledBaseAmount: string
  readonly quoteAmount: string
  readonly filledQuoteAmount: string
  readonly rate: string
}

export interface ConversionService {
  readonly clock: ServiceClock
  /** The smallest step of an asset, from `GET /v2/assets/{assetSymbol}`. */
  amountIncrement(assetSymbol: string): Promise<string>
  /** Non-binding price at this size, quote per settled base unit. */
  indicativeRate(request: QuoteRequest): Promise<string>
  createQuote(request: QuoteRequest): Promise<QuotedTerms>
  /** `undefined` only on a problem document with code `not_found`: never on a gateway's bare 404. */
  findOrder(orderId: string): Promise<OrderState | undefined>
  /** All fills of one order, oldest first, at most `limit` (Defect beyond it). */
  fillsOf(orderId: string, limit: number): Promise<readonly ConvertFill[]>
}

/** Facts of a signed request, fit for the journal: no token, no body. */
export interface SendFacts {
  readonly nonce: string
  /** The key's prefix, as in `sub` and X-API-Key. */
  readonly kid: string
  /** Epoch seconds, service time. */
  readonly iat: number
  readonly exp: number
  readonly bodySha256: string
}

/** What the service said to a send. Only `accepted` proves anything before the fence. */
export type SendAnswer =
  | { readonly kind: 'accepted'; readonly status: 'FILLED' | 'PROCESSING' }
  | { readonly kind: 'unproven'; readonly said: Said }

/** What was heard instead of a yes: a hint, not a proof. */
export interface Said {
  /** A problem code, or `no_answer`, `cut_off`, `not_a_problem` and the like. */
  readonly code: string
  readonly status?: number
  /** True for codes that say no to the business of the request (see `businessRefusals`). */
  readonly business: boolean
  /** One sentence without secret, token or body. */
  readonly text: string
}

/** A signed request that can be sent once. A second `send` throws Defect. */
export interface PreparedSend {
  readonly facts: SendFacts
  /** Sends on a live connection, no retry, no redirect. Never rejects for what the network or service does. */
  send(): Promise<SendAnswer>
}

export interface OrderSender {
  /** Serialises, hashes and signs `{orderId}` in service time; touches no network. Clock must be measured. */
  prepareOrder(orderId: string, tokenLifeSeconds: number): Promise<PreparedSend>
  /** After a refusal that speaks of the key (expired, revoked, bad signature): read it anew next time. */
  forgetKeys(): void
}

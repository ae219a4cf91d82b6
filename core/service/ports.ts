// Defines the interfaces through which decisions use the service. Decisions need neither HTTP nor keys, and a
// simulation can replace the client that implements these beside this file.
//
// Reads throw `Transient`, `Refused`, `KeyFault` or `Defect` (see ../errors.ts; the client's ServiceProblem carries
// code and status). Amounts are settled decimal strings that match AMOUNT_PATTERN.

import type { ConvertFill, QuotedTerms } from '../contract/convert.ts'
import type { SettledAmount } from '../money/amount.ts'

/** The service's clock, measured against `/v2/time` or a `Date` header. */
export interface ServiceClock {
  /** Measures now, over the network. Throws as a read does. */
  measure(): Promise<void>
  /** Measures unless the last measurement is younger than `maxAgeMs` and nothing has contradicted it since. */
  ensure(maxAgeMs: number): Promise<void>
  /** Best estimate of service time, epoch ms. Throws Defect before the first measurement. */
  nowMs(): number
  /** Lower bound of service time, epoch ms: the estimate minus its uncertainty. */
  reachedMs(): number
  /**
   * Upper bound of service time, epoch ms: the estimate plus its uncertainty. `undefined` where this machine's clocks
   * disagree on the age of the measurement.
   */
  atMostMs(): number | undefined
}

export interface KeyReads {
  /**
   * The key's prefix.
   * @throws KeyFault for a key that cannot be used.
   * @throws Transient
   */
  keyInUse(): Promise<string>
  /** The key's account at the service; `undefined` where the key may not read it. @throws KeyFault, Transient */
  accountOfKey(): Promise<string | undefined>
  /**
   * Drops the cached key after an error about the key, because it may have been replaced. The next use reads it again.
   */
  forgetKeys(): void
}

/** POST /v2/quotes. `amount` is in settled units of `amountAsset`, already quantised. */
export interface QuoteRequest {
  readonly baseAsset: string
  readonly quoteAsset: string
  readonly side: 'BUY' | 'SELL'
  readonly amountAsset: string
  readonly amount: string
}

export interface OrderState {
  readonly id: string
  /** Open set. An unknown status means "still moving". */
  readonly status: string
  readonly side: string
  readonly market: string
  /** Settled code, as the service promises; null where it cannot resolve it. */
  readonly baseAsset: string | null
  readonly quoteAsset: string | null
  /** Settled, from the `base` block. */
  readonly baseAmount: string
  readonly filledBaseAmount: string
  readonly quoteAmount: string
  readonly filledQuoteAmount: string
  readonly rate: string
}

/** The two spellings of an asset. They differ for equities alone. */
export interface Spellings {
  /** Settled code. */
  readonly assetSymbol: string
  /** Rebased ticker. */
  readonly rebasedSymbol: string
}

export interface KnownAsset extends Spellings {
  /** The smallest step of its amounts, in settled units. */
  readonly amountIncrement: string
}

export interface PriceReads {
  /**
   * Non-binding price at the market's smallest size, quote per settled base unit. `undefined` where the market does not
   * exist or has no price now.
   */
  findPrice(baseAsset: string, quoteAsset: string, side: 'BUY' | 'SELL'): Promise<string | undefined>
}

/** Settled. A balance may be below zero. */
export interface BalanceFigures {
  /** Settled code. */
  readonly assetSymbol: string
  readonly balance: string
  readonly balanceFrozen: string
}

export interface BalanceReads {
  /** One entry for each asset that is held. */
  balances(): Promise<readonly BalanceFigures[]>
}

export interface ConversionService extends PriceReads, KeyReads, BalanceReads {
  readonly clock: ServiceClock
  /** An asset by either spelling, in any case. At most 15 minutes old. */
  knownAsset(assetSymbol: string): Promise<KnownAsset>
  /** Non-binding price at this size, quote per settled base unit. */
  indicativeRate(request: QuoteRequest): Promise<string>
  createQuote(request: QuoteRequest): Promise<QuotedTerms>
  /** `undefined` only for a problem document with code `not_found`, never for a gateway's bare 404. */
  findOrder(orderId: string): Promise<OrderState | undefined>
  /** All fills of one order, oldest first, at most `limit` (TooMany beyond it). */
  fillsOf(orderId: string, limit: number): Promise<readonly ConvertFill[]>
}

/** Reads for the check of a floor: the balance, and orders that will still take from it. */
export type FloorReads = BalanceReads & KeyReads & Pick<ConversionService, 'findOrder'>

/** Facts of a signed request that the journal may hold: no token, no body. */
export interface SendFacts {
  readonly nonce: string
  /** The key's prefix, as in `sub` and X-API-Key. */
  readonly kid: string
  /** Epoch seconds, service time. */
  readonly iat: number
  readonly exp: number
  readonly bodySha256: string
}

/** The service's answer to a send. Before the fence only `accepted` proves anything. */
export type SendAnswer =
  | { readonly kind: 'accepted'; readonly status: 'FILLED' | 'PROCESSING' }
  | { readonly kind: 'unproven'; readonly said: ServiceError }

/** Summary of an answer other than a success. It is a hint, not a proof. */
export interface ServiceError {
  /** A problem code, or `no_answer`, `cut_off`, `not_a_problem` and the like. */
  readonly code: string
  readonly status?: number
  /** True for codes that refuse the content of the request (see `businessRefusals`). */
  readonly business: boolean
  /** True for codes about the key, or about what it may do (see `keyRefusals`). */
  readonly keyAtFault?: true
  /** One sentence without secret, token or body. */
  readonly text: string
}

/** A signed request that can be sent once. A second `send` throws Defect. */
export interface Prepared<Heard> {
  readonly facts: SendFacts
  /**
   * Sends on a live connection, without retry or redirect. Never rejects for failures of the network or the service.
   */
  send(): Promise<Heard>
}

export type PreparedSend = Prepared<SendAnswer>

export interface OrderSender extends Pick<KeyReads, 'forgetKeys'> {
  /**
   * Serialises, hashes and signs `{orderId}` in service time, which it measures first where that is due. Sends nothing.
   */
  prepareOrder(orderId: string, tokenLifeSeconds: number): Promise<PreparedSend>
}

/** POST /v2/withdrawals. The contact determines the chain. */
export interface WithdrawalRequest {
  /** Settled, with the asset's settled code, already quantised. */
  readonly amount: SettledAmount
  /** `deduct`: the amount is the total debited, fee included. `add`: the amount is what arrives. */
  readonly feeMode: 'deduct' | 'add'
  /** The contact's id, because anyone may edit its reference. */
  readonly contactId: string
}

/** A row of the withdrawals, settled. The service does not show its contact. */
export interface WithdrawalState {
  readonly id: string
  /** INTERNAL, EXTERNAL_CRYPTO, EXTERNAL_FIAT_BANK or EXTERNAL_FIAT_REDPAY; an open set. */
  readonly subType: string
  /** Settled code; null when the service cannot resolve it. */
  readonly assetSymbol: string | null
  /** The amount that arrives. */
  readonly amount: string
  readonly fee: string
  /** The amount debited: `amount` plus `fee`. */
  readonly total: string
  /** Open set, with PENDING and COMPLETED. An unknown status means "still moving". */
  readonly status: string
  readonly createdAt: string
  /** Null off chain, and before the broadcast. */
  readonly transactionHash: string | null
  /** Set for bank payouts after they were pending, otherwise null. */
  readonly bankReference: string | null
  /** Set for EXTERNAL_CRYPTO, otherwise null. */
  readonly networkId: string | null
}

/** A success answer to a withdrawal. It proves that the withdrawal moves. */
export type WithdrawalYes =
  | { readonly kind: 'accepted'; readonly withdrawal: WithdrawalState }
  /** The row could not be read. The withdrawal certainly moves, and the list must show which row it is. */
  | { readonly kind: 'accepted_unread'; readonly said: ServiceError }

export type WithdrawalAnswer = WithdrawalYes | { readonly kind: 'unproven'; readonly said: ServiceError }
export type PreparedWithdrawal = Prepared<WithdrawalAnswer>

/**
 * Filter for withdrawals of one asset. The dates are optional, in ISO-8601; the description does not say whether they
 * are inclusive.
 */
export interface RowsFilter {
  readonly assetSymbol: string
  readonly startDate?: string
  readonly endDate?: string
}

export interface WithdrawalService extends KeyReads {
  readonly clock: ServiceClock
  /** All matching withdrawals, in no fixed order, at most `limit` (TooMany beyond it). */
  listWithdrawals(filter: RowsFilter, limit: number): Promise<readonly WithdrawalState[]>
  /** `undefined` only for a problem document with code `not_found`. */
  findWithdrawal(withdrawalId: string): Promise<WithdrawalState | undefined>
}

export interface WithdrawalSender extends Pick<KeyReads, 'forgetKeys'> {
  /** Serialises, hashes and signs in service time, which it measures first where that is due. Sends nothing. */
  prepareWithdrawal(request: WithdrawalRequest, tokenLifeSeconds: number): Promise<PreparedWithdrawal>
}

/** The rate limit that the service reported: requests in a window, for the key or the account. */
export interface ReportedLimit {
  readonly limit: number
  readonly left: number
  /** Epoch ms by this machine's clock, at most a minute ahead. */
  readonly endsAtMs: number
  /** Longest reported time to the end of a window. */
  readonly windowMs: number
}

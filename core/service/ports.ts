// What a decision may ask of the service: interfaces only, so that decisions need neither HTTP
// nor keys, and a simulation can stand in. The client beside this file implements them.
//
// Reads throw `Transient`, `Refused`, `KeyFault` or `Defect` (see ../errors.ts; the client's ServiceProblem
// carries code and status). Amounts are settled decimal strings that match AMOUNT_PATTERN.

import type { ConvertFill, QuotedTerms } from '../contract/convert.ts'
import type { SettledAmount } from '../money/amount.ts'

/** The service's clock, as measured against `/v2/time` or a `Date` header. */
export interface ServiceClock {
  /** Measures now, over the network. Throws as a read does. */
  measure(): Promise<void>
  /** Measures unless it was done within `maxAgeMs` and nothing has spoken against it since. */
  ensure(maxAgeMs: number): Promise<void>
  /** Best estimate of service time, epoch ms. Throws Defect when never measured. */
  nowMs(): number
  /** A service time that has certainly been reached, epoch ms: the estimate less its uncertainty. */
  reachedMs(): number
  /**
   * A service time that has certainly not been passed, epoch ms: the estimate and its uncertainty. `undefined` where
   * this machine's clocks do not agree on how long ago it was measured.
   */
  atMostMs(): number | undefined
}

/** Whose key is in use. */
export interface KeyReads {
  /** Its prefix. @throws KeyFault for a key that cannot be used. @throws Transient */
  keyInUse(): Promise<string>
  /** Its account, as the service says; `undefined` where the key may not read it. @throws KeyFault, Transient */
  accountOfKey(): Promise<string | undefined>
  /** After what speaks against the key: it is read anew next time, as another may have been put in its place. */
  forgetKeys(): void
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
  /** By the settled code, as is promised; null where the service cannot resolve it. */
  readonly baseAsset: string | null
  readonly quoteAsset: string | null
  /** Settled, from the `base` block. */
  readonly baseAmount: string
  readonly filledBaseAmount: string
  readonly quoteAmount: string
  readonly filledQuoteAmount: string
  readonly rate: string
}

/** How an asset is called: the same for all but equities. */
export interface Spellings {
  /** Settled code. */
  readonly assetSymbol: string
  /** Rebased ticker. */
  readonly rebasedSymbol: string
}

/** What a conversion goes by of an asset. */
export interface KnownAsset extends Spellings {
  /** The smallest step of its amounts, in settled units. */
  readonly amountIncrement: string
}

/** What guards ask about assets. */
export interface PriceReads {
  /**
   * Non-binding price at the market's smallest size, quote per settled base unit. `undefined` where there is
   * no such market, or none that tells a price now.
   */
  findPrice(baseAsset: string, quoteAsset: string, side: 'BUY' | 'SELL'): Promise<string | undefined>
}

/** Settled; the ledger may allow less than zero. */
export interface BalanceFigures {
  /** Settled code. */
  readonly assetSymbol: string
  readonly balance: string
  readonly balanceFrozen: string
}

export interface BalanceReads {
  /** One for each asset that is held. */
  balances(): Promise<readonly BalanceFigures[]>
}

export interface ConversionService extends PriceReads, KeyReads, BalanceReads {
  readonly clock: ServiceClock
  /** An asset by either spelling, in any case, as it was within the last quarter of an hour. */
  knownAsset(assetSymbol: string): Promise<KnownAsset>
  /** Non-binding price at this size, quote per settled base unit. */
  indicativeRate(request: QuoteRequest): Promise<string>
  createQuote(request: QuoteRequest): Promise<QuotedTerms>
  /** `undefined` only on a problem document with code `not_found`: never on a gateway's bare 404. */
  findOrder(orderId: string): Promise<OrderState | undefined>
  /** All fills of one order, oldest first, at most `limit` (Defect beyond it). */
  fillsOf(orderId: string, limit: number): Promise<readonly ConvertFill[]>
}

/** What a floor is held against: the balance, and orders that will still take of it. */
export type FloorReads = BalanceReads & KeyReads & Pick<ConversionService, 'findOrder'>

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
  /** True for codes that speak of the key, or of what it may do (see `keyRefusals`). */
  readonly keyAtFault?: true
  /** One sentence without secret, token or body. */
  readonly text: string
}

/** A signed request that can be sent once. A second `send` throws Defect. */
export interface Prepared<Heard> {
  readonly facts: SendFacts
  /** Sends on a live connection, no retry, no redirect. Never rejects for what the network or service does. */
  send(): Promise<Heard>
}

export type PreparedSend = Prepared<SendAnswer>

export interface OrderSender extends Pick<KeyReads, 'forgetKeys'> {
  /** Serialises, hashes and signs `{orderId}` in service time, measured first where that is due; sends nothing. */
  prepareOrder(orderId: string, tokenLifeSeconds: number): Promise<PreparedSend>
}

/** POST /v2/withdrawals. The chain is the contact's own. */
export interface WithdrawalRequest {
  /** Settled, of the asset by its settled code, already quantised. */
  readonly amount: SettledAmount
  /** `deduct`: the amount is the total debited, fee included. `add`: it is what arrives. */
  readonly feeMode: 'deduct' | 'add'
  /** The contact's id: its reference is a label that anyone may edit. */
  readonly contactId: string
}

/** A row of the withdrawals, settled. It does not show the contact. */
export interface WithdrawalState {
  readonly id: string
  /** INTERNAL, EXTERNAL_CRYPTO, EXTERNAL_FIAT_BANK, EXTERNAL_FIAT_REDPAY; open. */
  readonly subType: string
  /** Settled code; null when the service cannot resolve it. */
  readonly assetSymbol: string | null
  /** What arrives. */
  readonly amount: string
  readonly fee: string
  /** What was debited: amount and fee. */
  readonly total: string
  /** PENDING, COMPLETED and others: an open set; an unknown status is "still moving". */
  readonly status: string
  readonly createdAt: string
  /** Null off chain, and until it is broadcast. */
  readonly transactionHash: string | null
  /** Null but for bank payouts, and while pending. */
  readonly bankReference: string | null
  /** Null but for EXTERNAL_CRYPTO. */
  readonly networkId: string | null
}

/** A yes to a withdrawal proves that it moves. */
export type WithdrawalYes =
  | { readonly kind: 'accepted'; readonly withdrawal: WithdrawalState }
  /** Its row could not be read: that it moves is certain, which row it is the list must tell. */
  | { readonly kind: 'accepted_unread'; readonly said: Said }

export type WithdrawalAnswer = WithdrawalYes | { readonly kind: 'unproven'; readonly said: Said }
export type PreparedWithdrawal = Prepared<WithdrawalAnswer>

/** Withdrawals of one asset; made between the dates, where they are given (ISO-8601; inclusive or not is not said). */
export interface RowsFilter {
  readonly assetSymbol: string
  readonly startDate?: string
  readonly endDate?: string
}

export interface WithdrawalService extends KeyReads {
  readonly clock: ServiceClock
  /** All of them, in no certain order, at most `limit` (Defect beyond it). */
  listWithdrawals(filter: RowsFilter, limit: number): Promise<readonly WithdrawalState[]>
  /** `undefined` only on a problem document with code `not_found`. */
  findWithdrawal(withdrawalId: string): Promise<WithdrawalState | undefined>
}

export interface WithdrawalSender extends Pick<KeyReads, 'forgetKeys'> {
  /** Serialises, hashes and signs in service time, measured first where that is due; sends nothing. */
  prepareWithdrawal(request: WithdrawalRequest, tokenLifeSeconds: number): Promise<PreparedWithdrawal>
}

/** What the service said of its limit: requests in a window, of the key or the account. */
export interface ToldLimit {
  readonly limit: number
  readonly left: number
  /** Epoch ms by this machine's clock; a minute ahead at most. */
  readonly endsAtMs: number
  /** The longest time to the end of a window that was told. */
  readonly windowMs: number
}

// Defines the data that a plan is made from: balances, markets, prices, payees and what guards leave. One moment dates
// it; payees may be read before, prices after. Amounts are settled units throughout; values are in the snapshot's
// valuation asset. Names figures that the service wrote in another notation: no plan uses what has one.
import { UNREADABLE } from '../../contract/amount.ts'
import type { PayeeFacts } from '../../contract/payee.ts'
import type { Decimal } from '../../money/decimal.ts'

export interface AssetFacts {
  /** Settled code. */
  readonly assetSymbol: string
  /** FIAT, STABLECOIN, STOCK or CRYPTO; the set is open. */
  readonly assetClass: string
  readonly increment: Decimal
  /** The largest amount that has an indicative price. Zero: the service does not say. */
  readonly maxIndicativeAmount: Decimal
  readonly minimumWithdrawal: Decimal
  readonly minimumInternalWithdrawal: Decimal
  readonly networks: readonly {
    readonly networkId: string | null
    readonly withdrawalFee: Decimal
    readonly minimumWithdrawal: Decimal
  }[]
}

export interface Position {
  readonly asset: AssetFacts
  /** max(0, balance - frozen): the amount that may be spent now. */
  readonly spendable: Decimal
  /** The balance once all movements under way have arrived or left: never below zero. */
  readonly holding: Decimal
  /** An intent in doubt that touches this asset: the figures may change soon, so nothing is planned with the asset. */
  readonly inDoubt?: string
}

/** A market in which the base is bought or sold for the quote. */
export interface MarketFacts {
  /** `BASE-QUOTE`, settled spelling. */
  readonly id: string
  readonly baseAsset: string
  readonly quoteAsset: string
  readonly minBaseAmount: Decimal
  readonly minQuoteAmount: Decimal
}

export interface PriceObservation {
  readonly marketId: string
  /** Side of the base asset: BUY is the dearer one. */
  readonly side: 'BUY' | 'SELL'
  readonly baseAmount: Decimal
  /** Quote units per settled base unit. */
  readonly rate: Decimal
}

export interface ContactFacts {
  readonly payee: PayeeFacts
  /** Whether a withdrawal to the contact has COMPLETED since the contact last changed. */
  readonly isProven: boolean
  /** Id of an own withdrawal to the contact that has not ended: then no further canary goes. People see the id. */
  readonly onItsWay?: string
}

/** The tightest bound of each kind that guards leave for this run. Absent: no bound. */
export interface PlanLimits {
  readonly largestValue?: Decimal
  readonly leftTodayValue?: Decimal
  readonly assets: ReadonlyMap<string, { readonly largest?: Decimal; readonly leftToday?: Decimal }>
  readonly contacts: ReadonlyMap<string, { readonly largestValue?: Decimal; readonly leftTodayValue?: Decimal }>
  /** Units that withdrawals may still take of an asset today (`dailyOutflow`), fee included; conversions do not count. */
  readonly outflow?: ReadonlyMap<string, Decimal>
  readonly allowedMarkets?: ReadonlySet<string>
  readonly allowedContacts?: ReadonlySet<string>
  readonly worstSlippageBps?: number
}

/** How far a payment with an id of its own has come over all runs of its policy. */
export interface PaymentFacts {
  /** The name from which the id of its next intent is made. */
  readonly once: string
  /** Its earlier intent, unless that is certain to move nothing. */
  readonly earlier?: {
    readonly intentId: string
    /** The run that made it. */
    readonly runId?: string
    /** Whether money has certainly left; otherwise it still may. */
    readonly isPaid: boolean
    /** The terms in which it differs from the row, for people. Absent: it has the same terms. */
    readonly otherTerms?: string
    /** Further intents of it that have moved it or still may. Nothing in the product makes them. */
    readonly again?: readonly string[]
  }
  /** Its earlier withdrawal that failed, and whose refund only the balance of the account shows. */
  readonly backByBalance?: string
  /** The id under which the same payee is paid the same with the same reference, now or in the last days. */
  readonly paidAs?: string
  /** How many intents of it ended as certified zeros, if no further intent may begin. */
  readonly usedUp?: number
}

export interface Snapshot {
  /** Epoch ms, service time. */
  readonly takenAtMs: number
  readonly valuationAsset: string
  /** By settled code. An absent asset is not held. */
  readonly positions: ReadonlyMap<string, Position>
  /** By settled code, including assets that are not held. */
  readonly assets: ReadonlyMap<string, AssetFacts>
  /** Held assets that no plan can move, with the reason, by settled code. They have no position. */
  readonly leftOut?: ReadonlyMap<string, string>
  readonly markets: readonly MarketFacts[]
  readonly prices: readonly PriceObservation[]
  /** Requested prices that the service does not have. Absent: it had each. */
  readonly missingPrices?: readonly RequiredPrice[]
  readonly contacts: ReadonlyMap<string, ContactFacts>
  readonly limits: PlanLimits
  /** By the id of a row. Absent: the policy's movements have ids of their runs only. */
  readonly payments?: ReadonlyMap<string, PaymentFacts>
  /**
   * How many more withdrawals of an asset may be sent now, by settled code: an attempt records the others of two days. Read for
   * the assets of payments.
   */
  readonly sendsLeft?: ReadonlyMap<string, number>
  /**
   * Stranded balances that earlier runs of this policy left, in units, by the key of contract/records.ts. Absent: nothing.
   */
  readonly stranded?: ReadonlyMap<string, Decimal>
  /** Value that runs of this policy have sold and withdrawn today (UTC). */
  readonly turnoverToday: Decimal
  /** Epoch ms: when a run of this policy last traded. */
  readonly lastTradedAtMs?: number
}

/** An indicative price that would improve a plan: read it, add it to the snapshot, plan again. */
export interface RequiredPrice {
  readonly marketId: string
  readonly side: 'BUY' | 'SELL'
  /** Settled units of `amountAsset`, within its maxIndicativeAmount. Absent: the market's minimum. */
  readonly amount?: string
  readonly amountAsset?: string
}

interface AssetFigures {
  readonly assetSymbol: string
  readonly amountIncrement: string
  readonly maxIndicativeQuoteAmount: string
  readonly minimumWithdrawal: string
  readonly minimumInternalWithdrawal: string
  readonly networks: readonly { readonly withdrawalFee: string; readonly minimumWithdrawal: string }[]
}

/** One sentence. `undefined`: each figure that a plan needs can be read. */
export function unreadableAsset({ assetSymbol, networks, amountIncrement, ...more }: AssetFigures): string | undefined {
  const { maxIndicativeQuoteAmount, minimumWithdrawal, minimumInternalWithdrawal } = more
  const own = { amountIncrement, maxIndicativeQuoteAmount, minimumWithdrawal, minimumInternalWithdrawal }
  const ofNetworks = networks.map((each) => ({
    withdrawalFee: each.withdrawalFee,
    minimumWithdrawal: each.minimumWithdrawal,
  }))
  return [own, ...ofNetworks].map((each) => unreadableIn(assetSymbol, each)).find((each) => each !== undefined)
}

/** The same for other figures. `name`: of the asset or the market that has these. */
export function unreadableIn(name: string, figures: Readonly<Record<string, string>>): string | undefined {
  const found = Object.entries(figures).find(([, figure]) => figure.startsWith(UNREADABLE))
  return found && `${found[0]} of ${name} is ${found[1]}`
}

// What a plan is made from: balances, markets, prices and what guards leave, all of one moment. Shapes only.
// Settled units throughout; values in the snapshot's valuation asset.
import type { PayeeFacts } from '../../contract/payee.ts'
import type { Decimal } from '../../money/decimal.ts'

export interface AssetFacts {
  /** Settled code. */
  readonly assetSymbol: string
  /** FIAT, STABLECOIN, STOCK or CRYPTO; open. */
  readonly assetClass: string
  readonly increment: Decimal
  /** Most that an indicative price is told for. Zero: not said. */
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
  /** max(0, balance - frozen): what may be given up now. */
  readonly spendable: Decimal
  /** What there will be once all that is under way has arrived or left: never below zero. */
  readonly holding: Decimal
  /** An intent of this asset that is in doubt: its figures may be about to change, so nothing is planned with it. */
  readonly inDoubt?: string
}

/** Directional: the base is bought or sold for the quote. */
export interface MarketFacts {
  /** `BASE-QUOTE`, settled spelling. */
  readonly id: string
  readonly baseAsset: string
  readonly quoteAsset: string
  readonly minBaseAmount: Decimal
  readonly minQuoteAmount: Decimal
}

/** An indicative price, at one size. */
export interface PriceObservation {
  readonly marketId: string
  /** Of the base asset: BUY is the dearer one. */
  readonly side: 'BUY' | 'SELL'
  readonly baseAmount: Decimal
  /** Quote units per settled base unit. */
  readonly rate: Decimal
}

export interface ContactFacts {
  readonly payee: PayeeFacts
  /** A withdrawal to it has COMPLETED since it was last changed. */
  readonly isProven: boolean
  /** A withdrawal of ours to it that has not come to its end: no further canary goes ahead of it. Its id, for people. */
  readonly onItsWay?: string
}

/** What guards leave for this run: the least of all that apply. Absent: no bound. */
export interface PlanLimits {
  readonly largestValue?: Decimal
  readonly leftTodayValue?: Decimal
  readonly assets: ReadonlyMap<string, { readonly largest?: Decimal; readonly leftToday?: Decimal }>
  readonly contacts: ReadonlyMap<string, { readonly largestValue?: Decimal; readonly leftTodayValue?: Decimal }>
  /** Left of what withdrawals may take of an asset today (`dailyOutflow`), fee included; conversions are not counted. */
  readonly outflow?: ReadonlyMap<string, Decimal>
  readonly allowedMarkets?: ReadonlySet<string>
  readonly allowedContacts?: ReadonlySet<string>
  readonly worstSlippageBps?: number
}

export interface Snapshot {
  /** Epoch ms, service time. */
  readonly takenAtMs: number
  readonly valuationAsset: string
  /** By settled code. What is not there is not held. */
  readonly positions: ReadonlyMap<string, Position>
  /** By settled code, also of assets that are not held. */
  readonly assets: ReadonlyMap<string, AssetFacts>
  readonly markets: readonly MarketFacts[]
  readonly prices: readonly PriceObservation[]
  /** Prices that were asked for and that the service does not tell. Absent: none. */
  readonly untold?: readonly RequiredPrice[]
  readonly contacts: ReadonlyMap<string, ContactFacts>
  readonly limits: PlanLimits
  /** In units, by the key of treasury/policy-hubs.ts: the stranded balances, which earlier runs of this policy left on its way. Absent: nothing. */
  readonly stranded?: ReadonlyMap<string, Decimal>
  /** Value that runs of this policy have given up today (UTC). */
  readonly turnoverToday: Decimal
  /** When a run of this policy last traded; epoch ms. */
  readonly lastTradedAtMs?: number
}

/** An indicative price that a plan would be better with: ask, add it to the snapshot, plan again. */
export interface RequiredPrice {
  readonly marketId: string
  readonly side: 'BUY' | 'SELL'
  /** Absent: at the market's minimum. Settled units of `amountAsset`, within its maxIndicativeAmount. */
  readonly amount?: string
  readonly amountAsset?: string
}

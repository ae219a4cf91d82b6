// Computes one conversion of a plan: what an exact amount brings at the indicative rate of about its size, what it costs, and
// whether it is large enough. It does not know the purpose of the conversion. Pure.
import { type ConvertLeg, NonLegCode } from '../../contract/plan.ts'
import { IntentKind } from '../../contract/records.ts'
import {
  type Decimal,
  divide,
  formatDecimal,
  minus,
  multiply,
  partOf,
  quantiseDown,
  ZERO,
} from '../../money/decimal.ts'
import { hashParams } from '../../params-hash.ts'
import type { Cut } from '../market/bounds.ts'
import type { Hop } from '../market/market-index.ts'
import type { Snapshot } from '../market/snapshot.ts'
import type { Valuation } from '../market/valuation.ts'

export interface ConversionTerms {
  readonly snapshot: Snapshot
  readonly valuation: Valuation
  /** Value of the smallest conversion that is worth making. */
  readonly smallestTrade: Decimal
  /**
   * Settled units of an asset that must stay, whatever else moves meanwhile: each leg is checked against them until it is sent.
   */
  staysOf(asset: string): Decimal
}

interface Priced {
  /** Quote units per base unit. */
  readonly rate: Decimal
  /** Cut to the increment of the received asset. */
  readonly brings: Decimal
}

/** Undefined where no market has a price, or where the received asset is not known. */
export function priceConversion(hop: Hop, gives: Decimal, terms: ConversionTerms): Priced | undefined {
  const { rates } = terms.valuation
  const rate = rates.rateFor(hop, gives)
  const brings = rates.bringsFor(hop, gives)
  const asset = terms.snapshot.assets.get(hop.brings)
  if (rate === undefined || brings === undefined || !asset) return undefined
  return { rate, brings: quantiseDown(brings, asset.increment) }
}

export interface Conversion {
  readonly hop: Hop
  readonly phase: number
  readonly gives: Decimal
}

/** The leg, or the reason why it cannot be made. The leg's own reason is empty: the planner fills it in. */
export function makeConversion({ hop, phase, gives }: Conversion, terms: ConversionTerms): ConvertLeg | Cut {
  const { market, side } = hop
  const { snapshot, valuation, smallestTrade } = terms
  const floor = terms.staysOf(hop.gives)
  const below = (code: NonLegCode, description: string): Cut => ({
    code,
    message: `${formatDecimal(gives)} ${hop.gives} is ${description}`,
  })
  if (gives === 0n) return below(NonLegCode.BelowMinimum, 'less than one increment')
  const priced = priceConversion(hop, gives, terms)
  if (!priced) return below(NonLegCode.NoPrice, `more than ${market.id} tells a price for`)
  const value = valuation.valueUp(hop.gives, gives) ?? ZERO
  if (value < smallestTrade) {
    return below(
      NonLegCode.BelowSmallest,
      `worth less than ${formatDecimal(smallestTrade)} ${valuation.valuationAsset}, the smallest trade`,
    )
  }
  const [base, quote] = side === 'SELL' ? [gives, priced.brings] : [priced.brings, gives]
  if (base === 0n || quote === 0n || base < market.minBaseAmount || quote < market.minQuoteAmount) {
    const least = `${formatDecimal(market.minBaseAmount)} ${market.baseAsset} and ${formatDecimal(market.minQuoteAmount)} ${market.quoteAsset}`
    return below(NonLegCode.BelowMinimum, `less than ${market.id} takes, ${least}`)
  }
  const slippage = snapshot.limits.worstSlippageBps
  return {
    kind: IntentKind.Convert,
    key: keyOf(hop),
    phase,
    value: formatDecimal(value),
    reason: '',
    request: {
      baseAsset: market.baseAsset,
      quoteAsset: market.quoteAsset,
      side,
      // The amount that is spent is exact. The market decides what it brings.
      amountAsset: hop.gives,
      amount: formatDecimal(gives),
      ...(slippage === undefined ? {} : { maxSlippageBps: slippage }),
      plannedRate: formatDecimal(priced.rate),
      ...(floor > 0n && { keep: formatDecimal(floor) }),
    },
    market: market.id,
    indicativeRate: formatDecimal(priced.rate),
    spreadCost: formatDecimal(spreadCostOf(hop, gives, valuation)),
    gives: { asset: hop.gives, amount: formatDecimal(gives) },
    brings: { asset: hop.brings, amount: formatDecimal(priced.brings) },
  }
}

/** Value lost against the middle of both sides at this size, rounded up; zero where the other side is not known. */
function spreadCostOf({ market, side, gives: asset }: Hop, gives: Decimal, { rates, priceOf }: Valuation): Decimal {
  const sides = rates.sidesAt(market, asset, gives)
  const price = priceOf(market.quoteAsset)
  if (!sides || price === null || sides.buy <= sides.sell) return ZERO
  const half = partOf(minus(sides.buy, sides.sell), 1n, 2n, 'up')
  const base = side === 'SELL' ? gives : divide(gives, sides.buy, 'down')
  return multiply(multiply(base, half, 'up'), price, 'up')
}

/** Value received per value spent, at the size of `amount`. Undefined without a price. */
export function yieldAt(hop: Hop, amount: Decimal, { rates, priceOf }: Valuation): Decimal | undefined {
  const givesPrice = priceOf(hop.gives)
  const bringsPrice = priceOf(hop.brings)
  const rate = rates.rateFor(hop, amount)
  if (rate === undefined || givesPrice === null || bringsPrice === null || givesPrice === 0n) return undefined
  return hop.side === 'SELL'
    ? divide(multiply(rate, bringsPrice, 'down'), givesPrice, 'down')
    : divide(bringsPrice, multiply(rate, givesPrice, 'up'), 'down')
}

const LONGEST_KEY = 64
const HASH_DIGITS = 16

/** The same key for a market and side in every plan: `sell-BTC-USD`. A long key is cut, and its hash makes it distinct. */
function keyOf({ market, side }: Hop): string {
  const key = `${side.toLowerCase()}-${market.id}`.replaceAll(/[^A-Za-z0-9._-]/g, '_')
  if (key.length <= LONGEST_KEY - '-2'.length) return key
  const hash = hashParams(key).slice(0, HASH_DIGITS)
  return `${key.slice(0, LONGEST_KEY - HASH_DIGITS - '--2'.length)}-${hash}`
}

// Plans the conversions that bring what rows of a payouts policy lack of an asset. Each source is asked in the policy's order,
// by the direct market. A source that has enough buys exactly what is lacking; another gives all that it may. Pure.
import { type ConvertLeg, NonLegCode } from '../../contract/plan.ts'
import type { PayoutsPolicy } from '../../contract/policies.ts'
import {
  type Decimal,
  divide,
  formatDecimal,
  greatest,
  least,
  minus,
  multiply,
  parseDecimal,
  partOf,
  quantiseDown,
  quantiseUp,
  WHOLE_BPS,
  ZERO,
} from '../../money/decimal.ts'
import { makeConversion } from '../conversions/conversion.ts'
import type { Hop } from '../market/market-index.ts'
import type { AssetFacts } from '../market/snapshot.ts'
import { requireRates } from '../sweep/conversion-size.ts'
import { findPriceObstacle, type SweepDraft } from '../sweep/draft.ts'
import { availableOf } from '../sweep/floors.ts'
import { isObstacle, type Obstacle } from '../sweep/withdrawal-terms.ts'

interface Lack {
  readonly asset: string
  readonly lacking: Decimal
  /** Units that all rows of the asset take, fees included. */
  readonly needed: Decimal
}

/** Basis points above the market's minimum: the price may move until the send. */
const ABOVE_MINIMUM_BPS = 100n

/** Adds conversions that make up for the lack, or returns why they cannot. */
export function buyLacking(draft: SweepDraft, policy: PayoutsPolicy, lack: Lack): Obstacle | undefined {
  const { asset, needed } = lack
  let { lacking } = lack
  let why = 'the policy has no `from` that could buy it'
  for (const source of policy.from ?? []) {
    if (lacking <= 0n) break
    const bought = buyWith(draft, source, asset, lacking)
    if (isObstacle(bought)) {
      why = bought.reason
      draft.refuse(source.asset, bought)
      continue
    }
    const gives = bought.gives.asset
    const given = parseDecimal(bought.gives.amount, 'gives')
    draft.add(asset, [{ stage: 'convert', leg: bought }])
    draft.take(gives, given)
    draft.limits.take({ asset: gives, price: draft.valuation.priceOf(gives) }, given)
    lacking = minus(lacking, parseDecimal(bought.brings.amount, 'brings'))
    why = `${gives} brings no more`
  }
  if (lacking <= 0n) return undefined
  const reason = `the rows take ${formatDecimal(needed)} ${asset}, and ${formatDecimal(lacking)} are lacking: ${why}`
  return { code: NonLegCode.NothingSpendable, reason }
}

type Source = NonNullable<PayoutsPolicy['from']>[number]

/** How a source buys the asset: by one market, within what the source and the guards leave. */
interface Purchase {
  readonly hop: Hop
  readonly sold: AssetFacts
  readonly bought: AssetFacts
  readonly kept: Decimal
  /** The most units of the sold asset that may go. */
  readonly mayGive: Decimal
}

function buyWith(draft: SweepDraft, source: Source, asset: string, lacking: Decimal): ConvertLeg | Obstacle {
  const purchase = findPurchase(draft, source, asset)
  if (isObstacle(purchase)) return purchase
  const { hop, kept } = purchase
  const size = sizeOf(draft, purchase, lacking)
  if (isObstacle(size)) return size
  const { snapshot, valuation } = draft
  const terms = { snapshot, valuation, smallestTrade: ZERO, staysOf: () => kept }
  const leg = makeConversion({ hop, phase: 1, gives: size.units }, terms)
  if ('code' in leg) return { code: leg.code, reason: leg.message }
  const reason = `${formatDecimal(lacking)} ${asset} more is needed for the rows`
  return size.exactly === undefined ? { ...leg, reason } : buyingExactly({ ...leg, reason }, size.exactly)
}

function findPurchase(draft: SweepDraft, source: Source, asset: string): Purchase | Obstacle {
  const { snapshot, valuation, codeOf, takenOf } = draft
  const gives = codeOf(source.asset)
  const sold = gives === undefined ? undefined : snapshot.assets.get(gives)
  const bought = snapshot.assets.get(asset)
  if (gives === undefined || sold === undefined || bought === undefined)
    return { code: NonLegCode.NothingSpendable, reason: `the service has no asset ${source.asset}` }
  const inDoubt = snapshot.positions.get(gives)?.inDoubt
  if (inDoubt !== undefined) return { code: NonLegCode.InDoubt, reason: `${gives} waits for intent ${inDoubt}` }
  const hop = valuation.markets
    .findHops(gives, asset)
    .find(({ market }) => snapshot.limits.allowedMarkets?.has(market.id) !== false)
  if (hop === undefined)
    return { code: NonLegCode.NoMarket, reason: `no market that may be used sells ${gives} for ${asset}` }
  const move = { asset: gives, price: valuation.priceOf(gives) }
  const unpriced = findPriceObstacle(draft, move)
  if (unpriced) return unpriced
  const kept = parseDecimal(source.keep, 'from.keep')
  const aboveKept = greatest(minus(availableOf(snapshot, gives, takenOf(gives)), kept), ZERO)
  const allowed = draft.limits.allowanceOf(move)?.most ?? aboveKept
  // Zero: the service names no maximum.
  const quotable = sold.maxIndicativeAmount === 0n ? aboveKept : sold.maxIndicativeAmount
  const mayGive = quantiseDown(least(least(aboveKept, allowed), quotable), sold.increment)
  return { hop, sold, bought, kept, mayGive }
}

/** `exactly`: the units that are bought, where the source may give their price and the market takes no more than that. */
interface Size {
  readonly units: Decimal
  readonly exactly: Decimal | undefined
}

function sizeOf(draft: SweepDraft, { hop, sold, bought, mayGive }: Purchase, lacking: Decimal): Size | Obstacle {
  const { rates } = draft.valuation
  const wanted = quantiseUp(lacking, bought.increment)
  const pricedBy = (rate: Decimal) => quantiseUp(costOf(hop, wanted, rate), sold.increment)
  const smallRate = rates.rateFor(hop, ZERO) ?? ZERO
  const smallest = quantiseUp(leastOf(hop, smallRate), sold.increment)
  const guess = least(greatest(pricedBy(smallRate), smallest), mayGive)
  const unquoted = requireRates(draft, hop, guess)
  if (unquoted) return unquoted
  // A larger size has a worse rate, so the guess is priced again.
  const price = pricedBy(rates.rateFor(hop, guess) ?? ZERO)
  const isExact = price >= smallest && price <= mayGive
  return { units: least(greatest(price, smallest), mayGive), exactly: isExact ? wanted : undefined }
}

/** Units of the sold asset that bring this much, by the rate in quote units for one base unit. */
function costOf({ side }: Hop, brings: Decimal, rate: Decimal): Decimal {
  if (rate === 0n) return ZERO
  return side === 'SELL' ? divide(brings, rate, 'up') : multiply(brings, rate, 'up')
}

/** The least that the market takes of the sold asset, with a margin. */
function leastOf({ market, side }: Hop, rate: Decimal): Decimal {
  if (rate === 0n) return ZERO
  const { minBaseAmount: base, minQuoteAmount: quote } = market
  const units =
    side === 'SELL' ? greatest(base, divide(quote, rate, 'up')) : greatest(quote, multiply(base, rate, 'up'))
  return partOf(units, WHOLE_BPS + ABOVE_MINIMUM_BPS, WHOLE_BPS, 'up')
}

/** The amount that is bought is exact. The market decides what it costs, within the floor and the slippage. */
function buyingExactly(leg: ConvertLeg, brings: Decimal): ConvertLeg {
  const amount = formatDecimal(brings)
  return {
    ...leg,
    request: { ...leg.request, amountAsset: leg.brings.asset, amount },
    brings: { ...leg.brings, amount },
  }
}

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
    draft.add(asset, [{ stage: 'convert', leg: bought }])
    draft.take(bought.gives.asset, parseDecimal(bought.gives.amount, 'gives'))
    const { asset: gives, amount } = bought.gives
    draft.limits.take({ asset: gives, price: draft.valuation.priceOf(gives) }, parseDecimal(amount, 'gives'))
    lacking = minus(lacking, parseDecimal(bought.brings.amount, 'brings'))
    why = `${gives} brings no more`
  }
  if (lacking <= 0n) return undefined
  const reason = `the rows take ${formatDecimal(needed)} ${asset}, and ${formatDecimal(lacking)} are lacking: ${why}`
  return { code: NonLegCode.NothingSpendable, reason }
}

type Source = NonNullable<PayoutsPolicy['from']>[number]

function buyWith(draft: SweepDraft, source: Source, asset: string, lacking: Decimal): ConvertLeg | Obstacle {
  const { snapshot, valuation, codeOf, takenOf } = draft
  const gives = codeOf(source.asset)
  const facts = gives === undefined ? undefined : snapshot.assets.get(gives)
  const received = snapshot.assets.get(asset)
  if (gives === undefined || facts === undefined || received === undefined) {
    return { code: NonLegCode.NothingSpendable, reason: `the service has no asset ${source.asset}` }
  }
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
  const above = greatest(minus(availableOf(snapshot, gives, takenOf(gives)), kept), ZERO)
  const allowed = draft.limits.allowanceOf(move)?.most ?? above
  const quotable = facts.maxIndicativeAmount === 0n ? above : facts.maxIndicativeAmount
  const most = quantiseDown(least(least(above, allowed), quotable), facts.increment)
  const exact = quantiseUp(lacking, received.increment)
  const rate = valuation.rates.rateFor(hop, ZERO)
  const priced = rate === undefined ? ZERO : quantiseUp(costOf(hop, exact, rate), facts.increment)
  const smallest = rate === undefined ? ZERO : quantiseUp(leastOf(hop, rate), facts.increment)
  const wanted = greatest(priced, smallest)
  const size = least(wanted, most)
  const priceless = requireRates(draft, hop, size)
  if (priceless) return priceless
  // The rate at the size itself, which is worse than the rate of the smallest size.
  const atSize = quantiseUp(costOf(hop, exact, valuation.rates.rateFor(hop, size) ?? ZERO), facts.increment)
  const units = least(greatest(atSize, smallest), most)
  const terms = { snapshot, valuation, smallestTrade: ZERO, staysOf: () => kept }
  const leg = makeConversion({ hop, phase: 1, gives: units }, terms)
  if ('code' in leg) return { code: leg.code, reason: leg.message }
  const reason = `${formatDecimal(lacking)} ${asset} more is needed for the rows`
  const isExact = atSize >= smallest && atSize <= most
  return isExact ? buyingExactly({ ...leg, reason }, exact) : { ...leg, reason }
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

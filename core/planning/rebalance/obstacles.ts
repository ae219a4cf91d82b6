// Whether an asset's drift is worth a conversion: large enough for the policy and the market, sold from what may
// be given up, and more than what both sides of the market are apart at that size.
import { type NonLeg, NonLegCode } from '../../contract/plan.ts'
import { type Decimal, divide, least, minus, plus } from '../../money/decimal.ts'
import type { Hop } from '../market/market-index.ts'
import type { PlanningContext } from '../planning-context.ts'
import { told } from '../told.ts'
import { type Drift, type Member, sizeOf } from './portfolio.ts'

export interface Worth {
  /** Why not; undefined where it is worth it. A hub's always is: it is traded by trading others. */
  findUnworthy(member: Member, drift: Drift): NonLeg | undefined
  /** How it would be traded, and about how much would be given up. Undefined without a market. */
  findWay(member: Member, drift: Drift): { readonly hop: Hop; readonly gives: Decimal } | undefined
}

/** `byAsset`: the policy's assets. */
export function createWorth(context: PlanningContext, byAsset: ReadonlyMap<string, Member>): Worth {
  const { valuation, smallestTrade } = context
  const { valuationAsset } = valuation
  const others = (asset: string) => byAsset.has(asset)
  const ways = new Map<string, Hop | undefined>()

  function findHop(asset: string, isTooMuch: boolean): Hop | undefined {
    const key = `${isTooMuch ? '-' : '+'}${asset}`
    if (!ways.has(key)) ways.set(key, isTooMuch ? context.findWayOut(asset, others) : context.findWayIn(asset, others))
    return ways.get(key)
  }

  /** Value that could be traded now. */
  function movableOf(member: Member, drift: Drift): Decimal {
    return drift.drift > 0n ? least(sizeOf(drift), context.supplyOf(member.asset).value) : sizeOf(drift)
  }

  function findWay(member: Member, drift: Drift) {
    const hop = findHop(member.asset, drift.drift > 0n)
    const price = hop && valuation.priceOf(hop.gives)
    return hop && price ? { hop, gives: divide(movableOf(member, drift), price, 'down') } : undefined
  }

  function findUnworthy(member: Member, drift: Drift): NonLeg | undefined {
    const { asset } = member
    if (member.isHub) return undefined
    const not = (code: NonLegCode, reason: string): NonLeg => ({ asset, code, reason })
    const movable = movableOf(member, drift)
    if (movable === 0n && drift.drift > 0n) return tellUnspendable(member, not)
    const inWords = () => told(movable, valuationAsset)
    if (movable < smallestTrade) {
      return not(
        NonLegCode.BelowSmallest,
        `${inWords()} could be traded; the smallest trade is ${told(smallestTrade, valuationAsset)}`,
      )
    }
    const way = findWay(member, drift)
    if (!way) return tellNoMarket(asset, not)
    const floor = context.floorOf(way.hop)
    if (movable < floor) {
      return not(
        NonLegCode.BelowMinimum,
        `${inWords()} could be traded; ${way.hop.market.id} takes no less than ${told(floor, valuationAsset)}`,
      )
    }
    const sides = valuation.rates.sidesAt(way.hop.market, way.hop.gives, way.gives)
    if (!sides) return not(NonLegCode.NoPrice, `${way.hop.market.id} tells no price for both sides`)
    const { target } = drift
    if (target === undefined || target === 0n) return undefined
    const spread = minus(sides.buy, sides.sell)
    const middle = (plus(sides.buy, sides.sell) / 2n) as Decimal
    if (sizeOf(drift) * middle >= spread * target) return undefined
    return not(
      NonLegCode.CostsMoreThanDrift,
      `its drift is ${bpsText(sizeOf(drift), target)} bps of its target; at that size the two sides of ${way.hop.market.id} are ${bpsText(spread, middle)} bps apart`,
    )
  }

  function tellUnspendable(member: Member, not: (code: NonLegCode, reason: string) => NonLeg): NonLeg {
    const there = member.position?.spendable ?? (0n as Decimal)
    return there > 0n
      ? not(NonLegCode.Reserved, `all of the ${told(there, member.asset)} that could be given up is to stay`)
      : not(NonLegCode.NothingSpendable, `none of its ${told(member.holding, member.asset)} can be given up now`)
  }

  function tellNoMarket(asset: string, not: (code: NonLegCode, reason: string) => NonLeg): NonLeg {
    const forbidden = context.hubs.find((hub) => context.isForbidden(asset, hub) || context.isForbidden(hub, asset))
    return forbidden === undefined
      ? not(
          NonLegCode.NoMarket,
          `it has no market with ${context.allHubs.join(' or ')}, nor with another asset of the policy`,
        )
      : not(NonLegCode.Guard, `the guards do not allow its market with ${forbidden}`)
  }

  return { findUnworthy, findWay }
}

/** Basis points to one place, cut off. */
function bpsText(part: Decimal, whole: Decimal): string {
  const tenths = (part * 100_000n) / whole
  return `${tenths / 10n}.${tenths % 10n}`
}

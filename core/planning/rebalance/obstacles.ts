// Whether an asset's drift is worth a conversion: large enough for the policy and the market, sold from what may
// be given up, and more than what both sides of the market are apart at that size.
import { type NonLeg, NonLegCode } from '../../contract/plan.ts'
import { type Decimal, divide, least, minus, plus } from '../../money/decimal.ts'
import type { Crossing } from '../market/market-index.ts'
import type { Desk } from '../planning-context.ts'
import { told } from '../told.ts'
import { type Drift, type Stand, sizeOf } from './portfolio.ts'

export interface Worth {
  /** Why not; undefined where it is worth it. A hub's always is: it is traded by trading others. */
  findUnworthy(stand: Stand, drift: Drift): NonLeg | undefined
  /** How it would be traded, and about how much would be given up. Undefined without a market. */
  findWay(stand: Stand, drift: Drift): { readonly crossing: Crossing; readonly gives: Decimal } | undefined
}

/** `byAsset`: the policy's assets. */
export function createWorth(desk: Desk, byAsset: ReadonlyMap<string, Stand>): Worth {
  const { valuation, smallestTrade } = desk
  const { valuationAsset } = valuation
  const others = (asset: string) => byAsset.has(asset)
  const ways = new Map<string, Crossing | undefined>()

  function findCrossing(asset: string, isTooMuch: boolean): Crossing | undefined {
    const key = `${isTooMuch ? '-' : '+'}${asset}`
    if (!ways.has(key)) ways.set(key, isTooMuch ? desk.findWayOut(asset, others) : desk.findWayIn(asset, others))
    return ways.get(key)
  }

  /** Value that could be traded now. */
  function movableOf(stand: Stand, drift: Drift): Decimal {
    return drift.drift > 0n ? least(sizeOf(drift), desk.supplyOf(stand.asset).value) : sizeOf(drift)
  }

  function findWay(stand: Stand, drift: Drift) {
    const crossing = findCrossing(stand.asset, drift.drift > 0n)
    const price = crossing && valuation.priceOf(crossing.gives)
    return crossing && price ? { crossing, gives: divide(movableOf(stand, drift), price, 'down') } : undefined
  }

  function findUnworthy(stand: Stand, drift: Drift): NonLeg | undefined {
    const { asset } = stand
    if (stand.isHub) return undefined
    const not = (code: NonLegCode, reason: string): NonLeg => ({ asset, code, reason })
    const movable = movableOf(stand, drift)
    if (movable === 0n && drift.drift > 0n) return tellUnspendable(stand, not)
    const inWords = () => told(movable, valuationAsset)
    if (movable < smallestTrade) {
      return not(
        NonLegCode.BelowSmallest,
        `${inWords()} could be traded; the smallest trade is ${told(smallestTrade, valuationAsset)}`,
      )
    }
    const way = findWay(stand, drift)
    if (!way) return tellNoMarket(asset, not)
    const floor = desk.floorOf(way.crossing)
    if (movable < floor) {
      return not(
        NonLegCode.BelowMinimum,
        `${inWords()} could be traded; ${way.crossing.market.id} takes no less than ${told(floor, valuationAsset)}`,
      )
    }
    const sides = valuation.rates.sidesAt(way.crossing.market, way.crossing.gives, way.gives)
    if (!sides) return not(NonLegCode.NoPrice, `${way.crossing.market.id} tells no price for both sides`)
    const { target } = drift
    if (target === undefined || target === 0n) return undefined
    const spread = minus(sides.buy, sides.sell)
    const middle = (plus(sides.buy, sides.sell) / 2n) as Decimal
    if (sizeOf(drift) * middle >= spread * target) return undefined
    return not(
      NonLegCode.CostsMoreThanDrift,
      `its drift is ${bpsText(sizeOf(drift), target)} bps of its target; at that size the two sides of ${way.crossing.market.id} are ${bpsText(spread, middle)} bps apart`,
    )
  }

  function tellUnspendable(stand: Stand, not: (code: NonLegCode, reason: string) => NonLeg): NonLeg {
    const there = stand.position?.spendable ?? (0n as Decimal)
    return there > 0n
      ? not(NonLegCode.Reserved, `all of the ${told(there, stand.asset)} that could be given up is to stay`)
      : not(NonLegCode.NothingSpendable, `none of its ${told(stand.holding, stand.asset)} can be given up now`)
  }

  function tellNoMarket(asset: string, not: (code: NonLegCode, reason: string) => NonLeg): NonLeg {
    const forbidden = desk.hubs.find((hub) => desk.isForbidden(asset, hub) || desk.isForbidden(hub, asset))
    return forbidden === undefined
      ? not(
          NonLegCode.NoMarket,
          `it has no market with ${desk.allHubs.join(' or ')}, nor with another asset of the policy`,
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

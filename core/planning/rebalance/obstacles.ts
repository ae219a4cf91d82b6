// What keeps an asset of a rebalance policy from being traded. Some obstacles are there before any figure is compared.
// The others are found by its drift, which must be worth a conversion: large enough for the policy and the market, made
// of what may be given up, and larger than the spread of the market at that size.
import { type NonLeg, NonLegCode } from '../../contract/plan.ts'
import type { RebalancePolicy } from '../../contract/policies.ts'
import { compareScaled, type Decimal, divide, least, middleOf, minus, ZERO } from '../../money/decimal.ts'
import { bpsOf, figureOf } from '../figures.ts'
import type { Hop } from '../market/market-index.ts'
import type { PlanningContext } from '../planning-context.ts'
import { type Drift, type Member, sizeOf } from './portfolio.ts'

/** By asset, why nothing is planned with it. Those that it does not name may be planned with. */
export function findObstacles(
  policy: RebalancePolicy,
  members: readonly Member[],
  context: PlanningContext,
): ReadonlyMap<string, NonLeg> {
  const { snapshot } = context
  const obstacles = new Map<string, NonLeg>()
  const put = (asset: string, code: NonLegCode, reason: string) => obstacles.set(asset, { asset, code, reason })
  for (const asset of policy.leaveAlone) put(asset, NonLegCode.LeftAlone, 'the policy leaves it alone')
  // What is held and has no price could be any part of the total, so that no other target is known either.
  const unpriced = members.find(({ price, holding }) => price === null && holding > 0n)
  const coolMs = coolUntilMs(policy, context)
  for (const { asset, position, price } of members) {
    if (!snapshot.assets.has(asset)) put(asset, NonLegCode.NoMarket, 'the service does not know it')
    else if (price === null) put(asset, NonLegCode.NoPrice, `no market tells its price in ${snapshot.valuationAsset}`)
    else if (position?.inDoubt !== undefined) {
      put(
        asset,
        NonLegCode.InDoubt,
        `intent ${position.inDoubt} is in doubt, so what there is of it may be about to change`,
      )
    } else if (unpriced) {
      put(
        asset,
        NonLegCode.NoPrice,
        `${unpriced.asset} is held and no market tells its price, so the total value is not known`,
      )
    } else if (coolMs !== undefined) {
      put(
        asset,
        NonLegCode.CoolingDown,
        `the policy traded not long ago, and rests until ${new Date(coolMs).toISOString()}`,
      )
    }
  }
  return obstacles
}

function coolUntilMs({ coolDownSeconds }: RebalancePolicy, { snapshot }: PlanningContext): number | undefined {
  if (snapshot.lastTradedAtMs === undefined) return undefined
  const untilMs = snapshot.lastTradedAtMs + coolDownSeconds * 1000
  return untilMs > snapshot.takenAtMs ? untilMs : undefined
}

/** Whether what an asset has too much or too little of is worth a conversion. */
export interface TradeCheck {
  /** Why not; undefined where it is worth it. A hub's drift always is: it is traded by trading others. */
  findObjection(member: Member, drift: Drift): NonLeg | undefined
  /** How it would be traded, and about how much would be given up. Undefined without a market. */
  findWay(member: Member, drift: Drift): { readonly hop: Hop; readonly gives: Decimal } | undefined
}

/** `byAsset`: the policy's assets. */
export function createTradeCheck(context: PlanningContext, byAsset: ReadonlyMap<string, Member>): TradeCheck {
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

  function findObjection(member: Member, drift: Drift): NonLeg | undefined {
    const { asset } = member
    if (member.isHub) return undefined
    const not = (code: NonLegCode, reason: string): NonLeg => ({ asset, code, reason })
    const movable = movableOf(member, drift)
    if (movable === 0n && drift.drift > 0n) return explainUnspendable(member, not)
    const inWords = () => figureOf(movable, valuationAsset)
    if (movable < smallestTrade) {
      return not(
        NonLegCode.BelowSmallest,
        `${inWords()} could be traded; the smallest trade is ${figureOf(smallestTrade, valuationAsset)}`,
      )
    }
    const way = findWay(member, drift)
    if (!way) return explainNoMarket(asset, not)
    const floor = context.floorOf(way.hop)
    if (movable < floor) {
      return not(
        NonLegCode.BelowMinimum,
        `${inWords()} could be traded; ${way.hop.market.id} takes no less than ${figureOf(floor, valuationAsset)}`,
      )
    }
    const sides = valuation.rates.sidesAt(way.hop.market, way.hop.gives, way.gives)
    if (!sides) return not(NonLegCode.NoPrice, `${way.hop.market.id} tells no price for both sides`)
    const { target } = drift
    if (target === undefined || target === 0n) return undefined
    const spread = minus(sides.buy, sides.sell)
    const middle = middleOf(sides.buy, sides.sell, 'down')
    // The drift is no smaller a part of the target than the spread is of the price.
    if (compareScaled(sizeOf(drift), middle, spread, target) >= 0) return undefined
    return not(
      NonLegCode.CostsMoreThanDrift,
      `its drift is ${bpsOf(sizeOf(drift), target)} bps of its target; at that size the two sides of ${way.hop.market.id} are ${bpsOf(spread, middle)} bps apart`,
    )
  }

  function explainUnspendable(member: Member, not: (code: NonLegCode, reason: string) => NonLeg): NonLeg {
    const there = member.position?.spendable ?? ZERO
    return there > 0n
      ? not(NonLegCode.Reserved, `all of the ${figureOf(there, member.asset)} that could be given up is to stay`)
      : not(NonLegCode.NothingSpendable, `none of its ${figureOf(member.holding, member.asset)} can be given up now`)
  }

  function explainNoMarket(asset: string, not: (code: NonLegCode, reason: string) => NonLeg): NonLeg {
    const forbidden = context.hubs.find((hub) => context.isForbidden(asset, hub) || context.isForbidden(hub, asset))
    return forbidden === undefined
      ? not(
          NonLegCode.NoMarket,
          `it has no market with ${context.allHubs.join(' or ')}, nor with another asset of the policy`,
        )
      : not(NonLegCode.Guard, `the guards do not allow its market with ${forbidden}`)
  }

  return { findObjection, findWay }
}

// Finds what keeps an asset of a rebalance policy from being traded. Some obstacles exist before figures are compared. Others
// depend on the drift, which must be worth a conversion. The drift must be large enough for the policy and for a market, and be
// met from what may be sold. It must also exceed the cost of the way there and back at that size. Pure.
import { type NonLeg, NonLegCode } from '../../../contract/plan.ts'
import type { RebalancePolicy } from '../../../contract/policies.ts'
import { compareScaled, type Decimal, greatest, least, minus, ONE_UNIT, plus, ZERO } from '../../../money/decimal.ts'
import type { FlowTerms } from '../../../planning/conversions/flows.ts'
import { hopsOfWay } from '../../../planning/conversions/ways.ts'
import { bpsOf, figureOf } from '../../../planning/figures.ts'
import type { Hop } from '../../../planning/market/market-index.ts'
import type { PlanningContext } from '../../../planning/planning-context.ts'
import { type Drift, type Member, sizeOf } from './portfolio.ts'

/** By asset: why nothing is planned with it. Absent assets may be traded. */
export function findObstacles(
  policy: RebalancePolicy,
  members: readonly Member[],
  context: PlanningContext,
): ReadonlyMap<string, NonLeg> {
  const { snapshot } = context
  const obstacles = new Map<string, NonLeg>()
  const put = (asset: string, code: NonLegCode, reason: string) => obstacles.set(asset, { asset, code, reason })
  for (const asset of policy.leaveAlone) put(asset, NonLegCode.LeftAlone, 'the policy leaves it alone')
  // An asset that is held without a price could be any part of the total, so no target is known.
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

export interface TradeCheck {
  /** Why no way could be worth it; undefined where one could. Always undefined for a hub, which trades only with others. */
  findObjection(member: Member, drift: Drift): NonLeg | undefined
  /** Why a trade by a way with this yield of one value is not worth it. Flows use it. */
  findTradeObjection(driftOf: (member: Member) => Drift): NonNullable<FlowTerms['findObjection']>
}

/** `byAsset`: the policy's assets. */
export function createTradeCheck(context: PlanningContext, byAsset: ReadonlyMap<string, Member>): TradeCheck {
  const { valuation, smallestTrade } = context
  const { valuationAsset } = valuation
  const hops = new Map<string, readonly Hop[]>()

  /** Hops at which a way of the asset could begin, or end. */
  function hopsOf(asset: string, isTooMuch: boolean): readonly Hop[] {
    const key = `${isTooMuch ? '-' : '+'}${asset}`
    let found = hops.get(key)
    if (found === undefined) {
      const others = new Set([...context.hubs, ...context.partnersOf(asset).filter((other) => byAsset.has(other))])
      others.delete(asset)
      found = [...others].flatMap((other) =>
        isTooMuch ? context.findHops(asset, other) : context.findHops(other, asset),
      )
      hops.set(key, found)
    }
    return found
  }

  /** Value that could be traded now; a missing amount counts in full. */
  function movableOf(member: Member, drift: Drift): Decimal {
    return drift.drift > 0n ? least(sizeOf(drift), context.supplyOf(member.asset).value) : sizeOf(drift)
  }

  function findObjection(member: Member, drift: Drift): NonLeg | undefined {
    const { asset } = member
    if (member.isHub) return undefined
    const nonLeg = (code: NonLegCode, reason: string): NonLeg => ({ asset, code, reason })
    const movable = movableOf(member, drift)
    if (movable === 0n && drift.drift > 0n) return explainUnspendable(member, nonLeg)
    const inWords = () => figureOf(movable, valuationAsset)
    if (movable < smallestTrade) {
      return nonLeg(
        NonLegCode.BelowSmallest,
        `${inWords()} could be traded; the smallest trade is ${figureOf(smallestTrade, valuationAsset)}`,
      )
    }
    const all = hopsOf(asset, drift.drift > 0n)
    if (all.length === 0) return explainNoMarket(asset, nonLeg)
    const large = all.filter((hop) => movable >= context.floorOf(hop))
    const [first] = all
    if (large.length === 0 && first) {
      const lowest = all.reduce(
        (lowestHop, hop) => (context.floorOf(hop) < context.floorOf(lowestHop) ? hop : lowestHop),
        first,
      )
      return nonLeg(
        NonLegCode.BelowMinimum,
        `${inWords()} could be traded; ${lowest.market.id} takes no less than ${figureOf(context.floorOf(lowest), valuationAsset)}`,
      )
    }
    const ids = () => large.map(({ market }) => market.id).join(', ')
    const yields = large.flatMap((hop) => context.yieldOf(hop, movable) ?? [])
    const [yielded] = yields
    if (yielded === undefined) return nonLeg(NonLegCode.NoPrice, `no price is told at that size by ${ids()}`)
    // Whatever hop comes before or after it, a way costs at least as much as this hop.
    const cost = costOf(yields.reduce(greatest, yielded))
    if (isWorth(drift, cost)) return undefined
    return nonLeg(
      NonLegCode.CostsMoreThanDrift,
      `${driftText(drift)}; at that size ${ids()} costs no less than ${thereAndBack(cost)}`,
    )
  }

  /** Whether the drift is at least as large a share of the target as the cost there and back is of the traded value. */
  function isWorth(drift: Drift, cost: Decimal): boolean {
    const { target } = drift
    return target === undefined || target === 0n || compareScaled(sizeOf(drift), ONE, target, 2n * cost) >= 0
  }

  function findTradeObjection(driftOf: (member: Member) => Drift): NonNullable<FlowTerms['findObjection']> {
    return (way, brings) => {
      const cost = costOf(brings)
      if (cost === 0n) return undefined
      for (const asset of [way.first.gives, (way.second ?? way.first).brings]) {
        const member = byAsset.get(asset)
        if (member === undefined || member.isHub) continue
        const drift = driftOf(member)
        if (isWorth(drift, cost)) continue
        const ids = hopsOfWay(way).map(({ market }) => market.id)
        return {
          code: NonLegCode.CostsMoreThanDrift,
          message: `${asset}: ${driftText(drift)}; at that size ${ids.join(' and ')} costs ${thereAndBack(cost)}`,
        }
      }
      return undefined
    }
  }

  function driftText(drift: Drift): string {
    return `its drift is ${bpsOf(sizeOf(drift), drift.target ?? ONE_UNIT)} bps of its target`
  }

  function explainUnspendable(member: Member, nonLeg: (code: NonLegCode, reason: string) => NonLeg): NonLeg {
    const spendable = member.position?.spendable ?? ZERO
    return spendable > 0n
      ? nonLeg(NonLegCode.Reserved, `all of the ${figureOf(spendable, member.asset)} that could be spent is to stay`)
      : nonLeg(NonLegCode.NothingSpendable, `none of its ${figureOf(member.holding, member.asset)} can be spent now`)
  }

  function explainNoMarket(asset: string, nonLeg: (code: NonLegCode, reason: string) => NonLeg): NonLeg {
    const forbidden = context.hubs.find((hub) => context.isForbidden(asset, hub) || context.isForbidden(hub, asset))
    if (forbidden !== undefined) return nonLeg(NonLegCode.Guard, `the guards do not allow its market with ${forbidden}`)
    const isJoined = (hub: string) => context.findHops(asset, hub).length + context.findHops(hub, asset).length > 0
    const idle = context.allHubs.find((hub) => !context.hubs.includes(hub) && isJoined(hub))
    if (idle !== undefined && valuation.priceOf(idle) === null) {
      return nonLeg(
        NonLegCode.NoPrice,
        `it could go by way of ${idle}, and no market tells the price of that in ${valuationAsset}`,
      )
    }
    const hubs = context.allHubs.join(' or ')
    return nonLeg(NonLegCode.NoMarket, `it has no market with ${hubs}, nor with another asset of the policy`)
  }

  return { findObjection, findTradeObjection }
}

const ONE: bigint = ONE_UNIT

/** The loss of one value; zero for a gain. */
function costOf(brings: Decimal): Decimal {
  return greatest(ZERO, minus(ONE_UNIT, brings))
}

function thereAndBack(cost: Decimal): string {
  return `${bpsOf(plus(cost, cost), ONE_UNIT)} bps there and back`
}

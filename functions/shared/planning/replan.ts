// The second phase of a plan of conversions, from what the first really brought: each hub passes on what came,
// shared out as planned. What came beyond the plan goes on with it, save where that would break a bound of the
// policy; what did not come is not spent from elsewhere. Pure.
import { type ConvertLeg, type GuardSaying, type NonLeg, NonLegCode } from '../../contract/plan.ts'
import { type Policy, PolicyKind } from '../../contract/policies.ts'
import { IntentKind } from '../../contract/records.ts'
import type { SettledLeg } from '../../contract/runs.ts'
import {
  type Decimal,
  divideDown,
  formatDecimal,
  greatest,
  least,
  minus,
  parseDecimal,
  plus,
  quantiseDown,
  ZERO,
} from '../money/decimal.ts'
import { type Bound, type Cut, createBounds } from './bounds.ts'
import { makeConversion } from './conversion.ts'
import { indexMarkets } from './market-index.ts'
import type { Replanner } from './planner.ts'
import type { Snapshot } from './snapshot.ts'
import { createValuation, type Valuation } from './valuation.ts'

export const replanConversions: Replanner = (plan, phase, snapshot, settled, policy) => {
  const planned = plan.legs.filter((leg): leg is ConvertLeg => leg.kind === IntentKind.Convert)
  const earlier = planned.filter((leg) => leg.phase < phase)
  const due = planned.filter((leg) => leg.phase === phase)
  const valuation = createValuation(snapshot, policy.hubs ?? [snapshot.valuationAsset])
  const legs: ConvertLeg[] = []
  const nonLegs: NonLeg[] = []
  const guards: GuardSaying[] = []
  const room = createRoom(snapshot, valuation, policy, due)
  const hubs = [...new Set(due.map(({ gives }) => gives.asset))]
  const shares = new Map(hubs.map((hub) => [hub, shareOf(hub, earlier, due, settled, snapshot, policy)]))

  for (const leg of due) {
    const { gives, brings } = leg
    const share = shares.get(gives.asset) as Share
    const not = (code: NonLegCode, reason: string) => nonLegs.push({ asset: brings.asset, code, reason })
    const doubt = [gives.asset, brings.asset].find((asset) => snapshot.positions.get(asset)?.inDoubt !== undefined)
    if (doubt !== undefined) {
      not(NonLegCode.InDoubt, `intent ${snapshot.positions.get(doubt)?.inDoubt} of ${doubt} is in doubt`)
      continue
    }
    const crossing = indexMarkets(snapshot.markets.filter(({ id }) => id === leg.market)).findCrossing(
      gives.asset,
      brings.asset,
    )
    if (!crossing) {
      not(NonLegCode.NoMarket, `${leg.market} is no longer there`)
      continue
    }
    if (snapshot.limits.allowedMarkets && !snapshot.limits.allowedMarkets.has(leg.market)) {
      not(NonLegCode.Guard, `the guards do not allow ${leg.market}`)
      continue
    }
    const amount = parseDecimal(gives.amount, 'gives.amount')
    const wish = share.planned === 0n ? ZERO : (((share.available * amount) / share.planned) as Decimal)
    const { units, cut } = room.hold(gives.asset, share.mayExceed ? wish : least(wish, amount))
    const increment = snapshot.assets.get(gives.asset)?.increment
    const exact = increment === undefined ? ZERO : quantiseDown(units, increment)
    const made = makeConversion(crossing, phase, exact, { snapshot, valuation, smallestTrade: smallestOf(policy) })
    if (cut) {
      not(cut.code, cut.says)
      if (cut.guard !== undefined) guards.push({ guard: cut.guard, leg: leg.key, says: cut.says })
    }
    if ('code' in made) {
      if (!cut) not(made.code, `${made.says}; ${formatDecimal(share.available)} ${gives.asset} came to be passed on`)
      continue
    }
    room.take(gives.asset, exact)
    legs.push({ ...made, key: leg.key, reason: leg.reason })
  }
  return guards.length === 0 ? { legs, nonLegs } : { legs, nonLegs, guards }
}

interface Share {
  /** Units of the hub that this phase was to give up. */
  readonly planned: Decimal
  /** Units that it may give up. */
  readonly available: Decimal
  readonly mayExceed: boolean
}

/** What came into a hub: the part that was to be passed on, and what was to be added from what was there. */
function shareOf(
  hub: string,
  earlier: readonly ConvertLeg[],
  due: readonly ConvertLeg[],
  settled: readonly SettledLeg[],
  snapshot: Snapshot,
  policy: Policy,
): Share {
  const into = earlier.filter(({ brings }) => brings.asset === hub)
  const expected = sum(into.map(({ brings }) => parseDecimal(brings.amount, 'brings.amount')))
  const came = sum(into.map(({ key }) => broughtBy(settled.find(({ leg }) => leg.key === key))))
  const planned = sum(
    due.filter(({ gives }) => gives.asset === hub).map(({ gives }) => parseDecimal(gives.amount, 'gives.amount')),
  )
  const own = greatest(ZERO, minus(planned, expected))
  const onward = minus(planned, own)
  const passedOn = expected === 0n ? ZERO : (((came * onward) / expected) as Decimal)
  const there = snapshot.positions.get(hub)?.spendable ?? ZERO
  const keep = keepOf(policy, hub)
  const spendable = greatest(ZERO, minus(there, keep))
  return { planned, available: least(spendable, plus(own, passedOn)), mayExceed: policy.kind !== PolicyKind.Fund }
}

/** What a conversion has really filled so far: nothing that is not certain. */
function broughtBy(settled: SettledLeg | undefined): Decimal {
  const conversion = settled?.conversion
  const text = conversion?.side === 'BUY' ? conversion.baseAmount : conversion?.quoteAmount
  return text === undefined ? ZERO : parseDecimal(text, 'conversion')
}

function keepOf(policy: Policy, asset: string): Decimal {
  if (policy.kind === PolicyKind.Rebalance) {
    return Object.hasOwn(policy.reserve, asset) ? parseDecimal(policy.reserve[asset], `reserve.${asset}`) : ZERO
  }
  if (policy.kind !== PolicyKind.Fund) return ZERO
  const source = policy.from.find((one) => one.asset === asset)
  return source === undefined ? ZERO : parseDecimal(source.keep, `from.${asset}.keep`)
}

function smallestOf(policy: Policy): Decimal {
  return parseDecimal('smallestTrade' in policy ? policy.smallestTrade : '0', 'smallestTrade')
}

/** Bounds as they are now; of turnover, what was planned. */
function createRoom(snapshot: Snapshot, valuation: Valuation, policy: Policy, due: readonly ConvertLeg[]) {
  const isBounded = policy.kind === PolicyKind.Rebalance && (policy.turnover.run ?? policy.turnover.day) !== undefined
  const largest = policy.kind === PolicyKind.Rebalance ? policy.largestTrade : undefined
  const bounds = createBounds(snapshot, valuation, {
    largestTrade: largest === undefined ? undefined : parseDecimal(largest, 'largestTrade'),
    turnoverRun: isBounded ? sum(due.map(({ value }) => parseDecimal(value, 'value'))) : undefined,
  })
  const givenOf = new Map<string, Decimal>()
  let given = ZERO
  return {
    hold(asset: string, wish: Decimal): { readonly units: Decimal; readonly cut?: Cut } {
      const price = valuation.priceOf(asset)
      if (price === null || price === 0n) {
        return { units: ZERO, cut: { code: NonLegCode.NoPrice, says: `no market tells what ${asset} is worth` } }
      }
      let units = wish
      let cut: Cut | undefined
      const consider = (bound: Bound | undefined, used: Decimal) => {
        if (!bound) return
        const most = divideDown(greatest(ZERO, minus(bound.value, used)), price)
        if (most >= units) return
        units = most
        cut = bound.cut
      }
      consider(bounds.ofOne(asset), ZERO)
      consider(bounds.ofAsset(asset), givenOf.get(asset) ?? ZERO)
      consider(bounds.ofAll, given)
      return cut ? { units, cut } : { units }
    },
    take(asset: string, units: Decimal): void {
      const value = valuation.valueUp(asset, units) ?? ZERO
      givenOf.set(asset, plus(givenOf.get(asset) ?? ZERO, value))
      given = plus(given, value)
    },
  }
}

function sum(values: readonly Decimal[]): Decimal {
  return values.reduce(plus, ZERO)
}

// Makes plans that go one way only. The kinds fund and convert-on-arrival share it. Value goes from sources, in their order,
// into one asset, directly or through a hub. Legs are computed in rounds, because rates depend on sizes. Pure.
import { type ConvertLeg, type GuardMessage, type NonLeg, NonLegCode, type PlanTrade } from '../../contract/plan.ts'
import { type Decimal, parseDecimal } from '../../money/decimal.ts'
import type { End, Flows } from '../conversions/flows.ts'
import { draftLegs } from '../conversions/legs.ts'
import type { RequiredPrices } from '../conversions/required-prices.ts'
import { tradesOf } from '../conversions/trades.ts'
import type { Cut } from '../market/bounds.ts'
import { legOf } from '../market/market-index.ts'
import type { PlanningContext } from '../planning-context.ts'

/** Maximum rounds. The legs of the last round are used even if their sizes still change. */
const MOST_ROUNDS = 6

interface OneWay {
  readonly context: PlanningContext
  readonly required: RequiredPrices
  /** Values, in the order in which the plan takes them. */
  readonly sources: readonly Readonly<End>[]
  readonly sink: Readonly<End>
  readonly reasonOf: (leg: ConvertLeg) => string
}

interface OneWayOutcome {
  readonly legs: ConvertLeg[]
  readonly trades: readonly PlanTrade[]
  /** By asset: the reason why no more of it was converted. */
  readonly cuts: ReadonlyMap<string, Cut>
  readonly guards: GuardMessage[]
  /** Value that the sink could still take in. */
  readonly missing: Decimal
}

export function planOneWay({ context, required, sources, sink, reasonOf }: OneWay): OneWayOutcome {
  const banned = new Map<string, Cut>()
  const dropped = new Map<string, Cut>()
  let sizes: ReadonlyMap<string, Decimal> = new Map()
  for (let round = 1; ; round += 1) {
    const flows = context.openFlows({ sizes, banned })
    const missing = carry(flows, sources, sink)
    const draft = draftLegs(flows.flows, context)
    for (const { hop, cut } of draft.dropped) {
      banned.set(hop.leg, cut)
      for (const asset of [hop.gives, hop.brings])
        if (!dropped.has(asset)) dropped.set(asset, flows.cuts.get(asset) ?? cut)
    }
    const drafted = new Map(
      draft.legs.map((leg) => [legOf(leg.request.side, leg.market), parseDecimal(leg.gives.amount, 'gives.amount')]),
    )
    if ((draft.dropped.length === 0 && isSame(sizes, drafted)) || round === MOST_ROUNDS) {
      const legs = draft.legs.map((leg) => ({ ...leg, reason: reasonOf(leg) }))
      const cuts = new Map([...dropped, ...flows.objections, ...flows.cuts])
      const scouts = flows.lacksPrices() ? context.openScoutingFlows({ sizes, banned }) : flows
      if (scouts !== flows) carry(scouts, sources, sink)
      required.requireSizesOf(legs, scouts.valuesToPrice())
      const trades = tradesOf({ context, flows, legs, dropped: banned })
      return { legs, trades, cuts, guards: guardsOf(cuts, legs), missing }
    }
    sizes = drafted
  }
}

/** Returns what the sink still lacks. Each source uses all of its ways before the next source: the policy sets the order. */
function carry(flows: Flows, sources: OneWay['sources'], sink: OneWay['sink']): Decimal {
  const taker: End = { ...sink }
  for (const source of sources) flows.match([{ ...source }], [taker])
  return taker.rest
}

function isSame(left: ReadonlyMap<string, Decimal>, right: ReadonlyMap<string, Decimal>): boolean {
  return left.size === right.size && [...left].every(([key, size]) => right.get(key) === size)
}

function guardsOf(cuts: ReadonlyMap<string, Cut>, legs: readonly ConvertLeg[]): GuardMessage[] {
  const guards: GuardMessage[] = []
  for (const [asset, { guard, message }] of cuts) {
    if (guard === undefined) continue
    const leg = legs.find(({ gives, brings }) => gives.asset === asset || brings.asset === asset)
    guards.push({ guard, ...(leg && { leg: leg.key }), says: `${asset}: ${message}` })
  }
  return guards
}

/** Why the asset must not be touched; undefined where it may be. */
export function findObstacle(context: PlanningContext, asset: string): NonLeg | undefined {
  const { snapshot, valuation } = context
  const doubt = snapshot.positions.get(asset)?.inDoubt
  const nonLeg = (code: NonLegCode, reason: string): NonLeg => ({ asset, code, reason })
  if (!snapshot.assets.has(asset)) return nonLeg(NonLegCode.NoMarket, 'the service does not know it')
  if (doubt !== undefined) {
    return nonLeg(NonLegCode.InDoubt, `intent ${doubt} is in doubt, so what there is of it may be about to change`)
  }
  if (valuation.priceOf(asset) !== null) return undefined
  return nonLeg(NonLegCode.NoPrice, `no market tells its price in ${snapshot.valuationAsset}`)
}

/** Why a source that could have been converted was not: the cut, or a missing market. */
export function explainUnused(context: PlanningContext, asset: string, into: string, cut: Cut | undefined): NonLeg {
  if (cut) return { asset, code: cut.code, reason: cut.message }
  const isPossible = (gives: string, brings: string) =>
    context.findHops(gives, brings).length > 0 || context.isForbidden(gives, brings)
  const direct: Way = [[asset, into]]
  const throughHubs = context.hubs.map(
    (hub): Way => [
      [asset, hub],
      [hub, into],
    ],
  )
  const way = [direct, ...throughHubs].find((hops) => hops.every(([gives, brings]) => isPossible(gives, brings)))
  if (!way) {
    return {
      asset,
      code: NonLegCode.NoMarket,
      reason: `no market converts it into ${into}, nor two by way of ${context.allHubs.join(' or ')}`,
    }
  }
  const forbidden = way.find(([gives, brings]) => context.isForbidden(gives, brings))
  if (forbidden) {
    const [gives, brings] = forbidden
    return { asset, code: NonLegCode.Guard, reason: `the guards do not allow the market of ${gives} and ${brings}` }
  }
  const codes = [asset, ...way.map(([, brings]) => brings)].join(', ')
  return { asset, code: NonLegCode.NoPrice, reason: `the markets by way of ${codes} tell no price` }
}

/** The asset that each hop spends, and the asset that it brings. */
type Way = readonly (readonly [gives: string, brings: string])[]

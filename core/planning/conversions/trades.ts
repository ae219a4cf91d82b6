// Describes the trades of a plan for people: the assets, the value and the way of each trade. It also gives the cost of each
// other way, or the reason why that way was not taken. It decides nothing.
import { type ConvertLeg, MOST_TRADES, NonLegCode, type PlanTrade, type PlanWay } from '../../contract/plan.ts'
import { type Decimal, minus, multiply, plus, ZERO } from '../../money/decimal.ts'
import { figure } from '../figures.ts'
import type { Cut } from '../market/bounds.ts'
import { legOf } from '../market/market-index.ts'
import type { PlanningContext } from '../planning-context.ts'
import type { Flow, Flows, RankedWay } from './flows.ts'
import { hopsOfWay, type Way } from './ways.ts'

/** `dropped`: legs that were not made, with the reason. */
interface TradeTerms {
  readonly context: PlanningContext
  readonly flows: Pick<Flows, 'flows' | 'cuts'>
  readonly legs: readonly ConvertLeg[]
  readonly dropped: ReadonlyMap<string, Cut>
}

interface TradeEntry {
  readonly gives: string
  readonly brings: string
  readonly flow: Flow
  value: Decimal
}

/** Returns the trades with the most value first. */
export function tradesOf(terms: TradeTerms): readonly PlanTrade[] {
  const legs = new Set(terms.legs.map(({ market, request: { side } }) => legOf(side, market)))
  const entries = new Map<string, TradeEntry>()
  for (const flow of terms.flows.flows) {
    const hops = flow.second ? [flow.first.hop, flow.second.hop] : [flow.first.hop]
    if (!hops.every(({ leg }) => legs.has(leg))) continue
    const key = hops.map(({ leg }) => leg).join(' ')
    const { gives } = flow.first.hop
    const { brings } = (flow.second ?? flow.first).hop
    const before = entries.get(key)
    if (before) before.value = plus(before.value, flow.first.value)
    else entries.set(key, { gives, brings, flow, value: flow.first.value })
  }
  return [...entries.values()]
    .sort((left, right) => (left.value === right.value ? 0 : left.value > right.value ? -1 : 1))
    .slice(0, MOST_TRADES)
    .map((entry) => tradeOf(entry, terms))
}

function tradeOf({ gives, brings, flow, value }: TradeEntry, terms: TradeTerms): PlanTrade {
  const { context } = terms
  const ranked = context.rankedWays(gives, brings)
  const isTaken = ({ way }: RankedWay) => way.first === flow.first.hop && way.second === flow.second?.hop
  const taken = ranked.find(isTaken)
  if (taken === undefined) throw new TypeError(`the way from ${gives} to ${brings} was never compared`)
  const missing = context.missingWays(gives, brings).map(({ hub, cut: { code, message } }): PlanWay => {
    return { ...(hub !== undefined && { hub }), markets: [], code, reason: message }
  })
  const others = ranked
    .filter((other) => !isTaken(other))
    .map((other) => otherWay(other, { taken, value, gives, brings }, terms))
  return { gives, brings, value: figure(value), way: planWay(taken, value), others: [...others, ...missing] }
}

function planWay({ way, brings }: RankedWay, value: Decimal): PlanWay {
  const cost = brings === undefined ? undefined : minus(value, multiply(value, brings, 'down'))
  const { hub } = way
  return {
    ...(hub !== undefined && { hub }),
    markets: hopsOfWay(way).map(({ market }) => market.id),
    ...(cost !== undefined && { cost: figure(cost) }),
  }
}

interface Comparison {
  readonly taken: RankedWay
  readonly value: Decimal
  readonly gives: string
  readonly brings: string
}

function otherWay(other: RankedWay, comparison: Comparison, terms: TradeTerms): PlanWay {
  const cut = findHindrance(other, comparison, terms)
  return { ...planWay(other, comparison.value), ...(cut && { code: cut.code, reason: cut.message }) }
}

/** Why another way was not taken; undefined where its cost is the reason. */
function findHindrance({ way, brings }: RankedWay, comparison: Comparison, terms: TradeTerms): Cut | undefined {
  const { context, dropped, flows } = terms
  if (brings === undefined) return { code: NonLegCode.NoPrice, message: noPriceText(way) }
  if (brings <= (comparison.taken.brings ?? ZERO)) return undefined
  const hops = hopsOfWay(way)
  const banned = hops.map(({ leg }) => dropped.get(leg)).find((cut) => cut !== undefined)
  if (banned) return banned
  const short = hops.find((hop) => comparison.value < context.floorOf(hop))
  if (short) return context.belowFloor(short)
  return flows.cuts.get(comparison.gives) ?? flows.cuts.get(comparison.brings)
}

function noPriceText(way: Way): string {
  return `no price at that size by ${hopsOfWay(way)
    .map(({ market }) => market.id)
    .join(' and ')}`
}

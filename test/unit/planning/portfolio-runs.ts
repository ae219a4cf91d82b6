// Consecutive runs of a rebalance policy over a random portfolio. Each plan is priced as a run prices it, and carried
// out at the service's rates for the sent sizes. Then the holdings are judged with separate arithmetic: each asset is
// within its band, or the plan gives a true reason.
import type { ConvertLeg, Plan } from '../../../core/contract/plan.ts'
import type { Decimal } from '../../../core/money/decimal.ts'
import type { MarketFacts, Position, Snapshot } from '../../../core/planning/market/snapshot.ts'
import type { planRebalance } from '../../../core/policies/rebalance/planner.ts'
import { describePortfolio, type Portfolio, randomPortfolio } from './random-portfolio.ts'
import { parse, UNIT } from './random-world.ts'

const MOST_ROUNDS_OF_PRICES = 5
const MOST_RUNS = 10

type Plans = typeof planRebalance

/** The faults in the runs of this seed's portfolio. Empty: no fault. */
export function judgePortfolio(seed: number, plans: Plans): readonly string[] {
  const portfolio = randomPortfolio(seed)
  const found: string[] = []
  let { snapshot } = portfolio
  for (let run = 1; run <= MOST_RUNS; run += 1) {
    const { plan, priced } = planPriced(portfolio, snapshot, plans)
    const legs = plan.legs.filter((leg): leg is ConvertLeg => leg.kind === 'convert')
    // A cut trade was compared at a size that is not sent.
    const isCut = plan.nonLegs.some(({ code }) => BOUNDED_CODES.includes(code))
    if (!isCut) found.push(...judgeWay(legs, portfolio, priced))
    snapshot = { ...snapshot, positions: carryOut(legs, portfolio, snapshot) }
    if (legs.length === 0 || run === MOST_RUNS) found.push(...judgeEnd(plan, portfolio, snapshot))
    if (legs.length === 0) break
  }
  return found.length === 0 ? [] : [...new Set(found), describePortfolio(portfolio)]
}

function planPriced(portfolio: Portfolio, unpriced: Snapshot, plans: Plans) {
  let priced = unpriced
  let planned = plans('mix', portfolio.policy, priced)
  for (let round = 0; round < MOST_ROUNDS_OF_PRICES && planned.required.length > 0; round += 1) {
    const { required } = planned
    const observed = required.flatMap((each) => portfolio.observe(each) ?? [])
    const missingPrices = required.filter((each) => portfolio.observe(each) === undefined)
    priced = {
      ...priced,
      prices: [...priced.prices, ...observed],
      missingPrices: [...(priced.missingPrices ?? []), ...missingPrices],
    }
    planned = plans('mix', portfolio.policy, priced)
  }
  return { plan: planned.plan, priced }
}

/** Carries the legs out at the rates of the sent sizes. A leg sells at most the holding at that point. */
function carryOut(legs: readonly ConvertLeg[], { rate }: Portfolio, snapshot: Snapshot): ReadonlyMap<string, Position> {
  const held = new Map([...snapshot.positions].map(([code, { holding }]) => [code, holding as bigint]))
  const add = (code: string, units: bigint) => held.set(code, (held.get(code) ?? 0n) + units)
  for (const { gives, market, request } of legs.toSorted((left, right) => left.phase - right.phase)) {
    const facts = snapshot.markets.find(({ id }) => id === market) as MarketFacts
    const hop: Hop = { market: facts, side: request.side, gives: gives.asset }
    const there = held.get(gives.asset) ?? 0n
    const wish = parse(gives.amount)
    const given = wish < there ? wish : there
    const brings = bringsOf(hop, given, { rate }, snapshot)
    if (brings === undefined) continue
    add(gives.asset, -given)
    add(bringsAssetOf(hop), brings)
  }
  return new Map(
    [...held].map(([code, units]) => {
      const asset = snapshot.assets.get(code) as Position['asset']
      return [code, { asset, spendable: units as Decimal, holding: units as Decimal }]
    }),
  )
}

interface Hop {
  readonly market: MarketFacts
  readonly side: 'BUY' | 'SELL'
  readonly gives: string
}

function bringsAssetOf({ market, side }: Hop): string {
  return side === 'SELL' ? market.quoteAsset : market.baseAsset
}

/** Undefined if the service would refuse the amount. */
function bringsOf(hop: Hop, given: bigint, { rate }: Pick<Portfolio, 'rate'>, { assets }: Snapshot) {
  const { market, side, gives } = hop
  const increment = assets.get(bringsAssetOf(hop))?.increment ?? 1n
  const most = assets.get(gives)?.maxIndicativeAmount ?? 0n
  const at = rate(market, side, gives, given)
  if (at === undefined || given > most) return undefined
  const whole = side === 'SELL' ? (given * at) / UNIT : (given * UNIT) / at
  const brings = whole - (whole % increment)
  const [base, quote] = side === 'SELL' ? [given, brings] : [brings, given]
  return base < market.minBaseAmount || quote < market.minQuoteAmount ? undefined : brings
}

/** Every path from one asset to another: by their own markets, and by each hub of the policy. */
function waysOf(from: string, to: string, portfolio: Portfolio, { markets, limits }: Snapshot): readonly Hop[][] {
  const { policy } = portfolio
  const hopsOf = (gives: string, brings: string) =>
    markets
      .filter(({ id }) => limits.allowedMarkets?.has(id) !== false)
      .flatMap((market): Hop[] => {
        if (market.baseAsset === gives && market.quoteAsset === brings) return [{ market, side: 'SELL', gives }]
        if (market.baseAsset === brings && market.quoteAsset === gives) return [{ market, side: 'BUY', gives }]
        return []
      })
  // Bounds are values, so a hub with an unknown price offers no path.
  const hubs = (policy.hubs ?? ['USD']).filter(
    (hub) => hub !== from && hub !== to && isValued(hub, portfolio, { markets }),
  )
  return [
    ...hopsOf(from, to).map((hop) => [hop]),
    ...hubs.flatMap((hub) =>
      hopsOf(from, hub).flatMap((first) => hopsOf(hub, to).map((second): Hop[] => [first, second])),
    ),
  ]
}

function bringsOfWay(way: readonly Hop[], given: bigint, portfolio: Portfolio, snapshot: Snapshot) {
  let amount: bigint | undefined = given
  for (const hop of way) amount = amount === undefined ? undefined : bringsOf(hop, amount, portfolio, snapshot)
  return amount
}

/** Two basis points: increments, and a size slightly off the priced size. */
const SLACK_BPS = 2n

/** If all legs are one trade, no other path would have brought more at that size. */
function judgeWay(legs: readonly ConvertLeg[], portfolio: Portfolio, snapshot: Snapshot): string[] {
  const [first, second] = legs
  if (first === undefined || legs.length > 2 || hasBounds(portfolio)) return []
  if (second !== undefined && (second.phase === 1 || second.gives.asset !== first.brings.asset)) return []
  const to = (second ?? first).brings.asset
  const given = parse(first.gives.amount)
  // The second leg spends more or less than the first brought: then the legs are two trades.
  if (second !== undefined && !isAbout(parse(second.gives.amount), parse(first.brings.amount))) return []
  const brought = (way: readonly Hop[]) => bringsOfWay(way, given, portfolio, snapshot) ?? 0n
  const taken = (second === undefined ? [first] : [first, second]).map(({ market, request, gives }) => ({
    market: snapshot.markets.find(({ id }) => id === market) as MarketFacts,
    side: request.side,
    gives: gives.asset,
  }))
  const came = brought(taken)
  const better = waysOf(first.gives.asset, to, portfolio, snapshot).find(
    (way) => brought(way) * (10_000n - SLACK_BPS) > came * 10_000n,
  )
  if (better === undefined) return []
  const named = (way: readonly Hop[]) => way.map(({ market }) => market.id).join(', ')
  return [
    `${first.gives.amount} ${first.gives.asset} goes to ${to} by ${named(taken)}, and ${named(better)} brings more`,
  ]
}

function isAbout(one: bigint, other: bigint): boolean {
  const difference = one < other ? other - one : one - other
  return difference * 1_000n < other
}

function hasBounds({ policy, snapshot: { limits } }: Portfolio): boolean {
  const { largestTrade, turnover } = policy
  const own = [largestTrade, turnover.run, turnover.day]
  return (
    own.some((bound) => bound !== undefined) ||
    limits.largestValue !== undefined ||
    limits.leftTodayValue !== undefined ||
    limits.assets.size > 0
  )
}

interface Standing {
  readonly asset: string
  /** US dollars. */
  readonly drift: bigint
  readonly target: bigint
  readonly band: bigint
}

function standingsOf({ policy, usd }: Portfolio, { positions }: Snapshot): readonly Standing[] {
  const values = Object.entries(policy.weights ?? {}).map(([asset, weight]) => {
    const value = ((positions.get(asset)?.holding ?? 0n) * (usd.get(asset) as bigint)) / UNIT
    return { asset, value, weight: parse(weight) }
  })
  const total = values.reduce((sum, { value }) => sum + value, 0n)
  const bps = BigInt(policy.band.bps)
  return values.map(({ asset, value, weight }) => {
    const target = (total * weight) / UNIT
    return {
      asset,
      target,
      drift: value - target,
      band: ((policy.band.of === 'absolute' ? total : target) * bps) / 10_000n,
    }
  })
}

/** The service quotes at an asset's minimum, so the plan's prices may be off the middle by this much. */
const MIDDLE_BPS = 30n
const BOUNDED_CODES: readonly string[] = ['guard', 'turnover_spent', 'cut_short']

function judgeEnd(plan: Plan, portfolio: Portfolio, snapshot: Snapshot): string[] {
  const standings = standingsOf(portfolio, snapshot)
  const size = (value: bigint) => (value < 0n ? -value : value)
  return standings.flatMap((one) => {
    const { asset, drift, band, target } = one
    if (size(drift) <= band + (target * MIDDLE_BPS) / 10_000n + UNIT) return []
    const off = `${asset} ends ${size(drift) / UNIT} USD off, more than ${band / UNIT}`
    const not = plan.nonLegs.find((each) => each.asset === asset)
    if (not === undefined || not.code === 'within_band') return [`${off}, and the plan has no reason`]
    const trade = standings
      .map((other) => findTrade(one, other, portfolio, snapshot))
      .find((each) => each !== undefined)
    if (BOUNDED_CODES.includes(not.code)) {
      const isTwoHubsAway = not.reason.includes('third phase') && trade === undefined
      const isBounded =
        isTwoHubsAway ||
        hasBounds(portfolio) ||
        snapshot.limits.allowedMarkets !== undefined ||
        isCapped(snapshot) ||
        portfolio.isShallow(asset)
      return isBounded ? [] : [`${off}: ${not.code}, and nothing bounds it`]
    }
    if (hasBounds(portfolio) || !standings.every((each) => isValued(each.asset, portfolio, snapshot))) return []
    return trade === undefined ? [] : [`${off}: ${not.code}, ${not.reason}; though ${trade}`]
  })
}

function isCapped({ assets, positions }: Snapshot): boolean {
  return [...positions].some(([code, { holding }]) => holding > (assets.get(code)?.maxIndicativeAmount ?? 0n) / 4n)
}

/** True if a market gives the asset's value in US dollars, or if two do by a hub. */
function isValued(asset: string, { policy, observe }: Portfolio, { markets }: Pick<Snapshot, 'markets'>): boolean {
  const hasBoth = (left: string, right: string) =>
    left === right ||
    markets.some(
      ({ id, baseAsset, quoteAsset }) =>
        [baseAsset, quoteAsset].includes(left) &&
        [baseAsset, quoteAsset].includes(right) &&
        observe({ marketId: id, side: 'BUY' }) !== undefined,
    )
  return hasBoth(asset, 'USD') || (policy.hubs ?? []).some((hub) => hasBoth(asset, hub) && hasBoth(hub, 'USD'))
}

/** A trade of the two that is large enough and cheap enough by a wide margin, and that nothing forbids. */
function findTrade(one: Standing, other: Standing, portfolio: Portfolio, snapshot: Snapshot): string | undefined {
  const [over, under] = one.drift > 0n ? [one, other] : [other, one]
  if (over.drift <= 0n || under.drift >= 0n) return undefined
  const { usd, policy } = portfolio
  const value = over.drift < -under.drift ? over.drift : -under.drift
  // A counterpart within its band could take little: it need not help.
  if (4n * value < (one.drift < 0n ? -one.drift : one.drift)) return undefined
  if (value < 2n * parse(policy.smallestTrade) || value < UNIT) return undefined
  const increment = snapshot.assets.get(over.asset)?.increment ?? 1n
  const exact = (value * UNIT) / (usd.get(over.asset) as bigint)
  const given = exact - (exact % increment)
  for (const way of waysOf(over.asset, under.asset, portfolio, snapshot)) {
    // Half of the size must be accepted, too: then no minimum is near.
    if (bringsOfWay(way, given / 2n - ((given / 2n) % increment), portfolio, snapshot) === undefined) continue
    const brought = bringsOfWay(way, given, portfolio, snapshot)
    if (brought === undefined) continue
    const cost = value - (brought * (usd.get(under.asset) as bigint)) / UNIT
    const isCheap = [over, under].every(({ drift, target }) => {
      const size = drift < 0n ? -drift : drift
      return cost * target * 3n < size * value
    })
    if (isCheap)
      return `${value / UNIT} USD of ${over.asset} could go to ${under.asset} by ${way.map(({ market }) => market.id).join(', ')}`
  }
  return undefined
}

// Carries a plan out at its indicative prices, with its own arithmetic, and returns the refusals that a service or a
// guard would give. Legs of a phase start together: no leg may spend the proceeds of another.
import type { ConvertLeg, Plan } from '../../../core/contract/plan.ts'
import type { Decimal } from '../../../core/money/decimal.ts'
import type { Position, Snapshot } from '../../../core/planning/market/snapshot.ts'
import { parse, UNIT } from './random-world.ts'

export interface CarriedOut {
  readonly positions: ReadonlyMap<string, Position>
  readonly faults: readonly string[]
}

export function legsOf(plan: Plan): readonly ConvertLeg[] {
  return plan.legs.filter((leg): leg is ConvertLeg => leg.kind === 'convert')
}

export function carryOut(plan: Plan, snapshot: Snapshot, keepOf: (asset: string) => bigint = () => 0n): CarriedOut {
  const faults: string[] = []
  const spendable = new Map([...snapshot.positions].map(([code, position]) => [code, position.spendable as bigint]))
  const change = new Map<string, bigint>()
  const add = (map: Map<string, bigint>, code: string, amount: bigint) => map.set(code, (map.get(code) ?? 0n) + amount)
  const legs = legsOf(plan)
  for (const phase of [...new Set(legs.map((leg) => leg.phase))].sort()) {
    const arrived = new Map<string, bigint>()
    for (const leg of legs.filter((one) => one.phase === phase)) {
      const { gives, brings } = carryOutOne(leg, snapshot, faults)
      add(spendable, leg.gives.asset, -gives)
      add(arrived, leg.brings.asset, brings)
      add(change, leg.gives.asset, -gives)
      add(change, leg.brings.asset, brings)
    }
    for (const [code, left] of spendable) {
      if (left < 0n) faults.push(`phase ${phase} spends ${code} that is not there`)
      else if (change.has(code) && (change.get(code) as bigint) < 0n && left < keepOf(code))
        faults.push(`${code} falls below what is to stay`)
    }
    for (const [code, brought] of arrived) add(spendable, code, brought)
  }
  const positions = new Map<string, Position>()
  for (const code of new Set([...snapshot.positions.keys(), ...change.keys()])) {
    const asset = snapshot.assets.get(code)
    const before = snapshot.positions.get(code)
    if (!asset) continue
    const holding = (before?.holding ?? 0n) + (change.get(code) ?? 0n)
    if (holding < 0n) faults.push(`${code} is spent that will not be there`)
    positions.set(code, {
      ...before,
      asset,
      spendable: (spendable.get(code) ?? 0n) as Decimal,
      holding: holding as Decimal,
    })
  }
  return { positions, faults }
}

function carryOutOne(leg: ConvertLeg, snapshot: Snapshot, faults: string[]): { gives: bigint; brings: bigint } {
  const { request } = leg
  const market = snapshot.markets.find(
    ({ baseAsset, quoteAsset }) => baseAsset === request.baseAsset && quoteAsset === request.quoteAsset,
  )
  const gives = parse(request.amount)
  const fault = (what: string) => faults.push(`${leg.key}: ${what}`)
  if (!market || market.id !== leg.market) {
    fault('no such market')
    return { gives, brings: 0n }
  }
  const sold = request.side === 'SELL' ? market.baseAsset : market.quoteAsset
  if (request.amountAsset !== sold || leg.gives.asset !== sold || leg.gives.amount !== request.amount)
    fault('what is spent is not what is asked for')
  const facts = snapshot.assets.get(sold)
  const to = snapshot.assets.get(leg.brings.asset)
  if (!facts || !to) {
    fault('no such asset')
    return { gives, brings: 0n }
  }
  if (gives % facts.increment !== 0n) fault('finer than the increment')
  if (facts.maxIndicativeAmount !== 0n && gives > facts.maxIndicativeAmount) fault('more than is quoted')
  const rate = parse(leg.indicativeRate)
  const whole = request.side === 'SELL' ? (gives * rate) / UNIT : (gives * UNIT) / rate
  const brings = whole - (whole % to.increment)
  if (brings !== parse(leg.brings.amount)) fault(`brings ${brings}, not ${leg.brings.amount}`)
  const [base, quote] = request.side === 'SELL' ? [gives, brings] : [brings, gives]
  if (base < market.minBaseAmount || quote < market.minQuoteAmount) fault('below the minimum of its market')
  if (snapshot.limits.allowedMarkets && !snapshot.limits.allowedMarkets.has(market.id))
    fault('a market that is not allowed')
  if (request.maxSlippageBps !== snapshot.limits.worstSlippageBps) fault('not the slippage that the guards allow')
  for (const asset of [leg.gives.asset, leg.brings.asset]) {
    if (snapshot.positions.get(asset)?.inDoubt) fault(`${asset} is in doubt`)
  }
  return { gives, brings }
}

/** The guards and limits that a plan breaks, by the plan's own prices. */
export function brokenBounds(
  plan: Plan,
  snapshot: Snapshot,
  own: { largestTrade?: string | undefined; run?: string | undefined; day?: string | undefined; smallest: string },
): string[] {
  const broken: string[] = []
  const { limits } = snapshot
  const legs = legsOf(plan)
  const values = legs.map(({ value }) => parse(value))
  const turnover = values.reduce((sum, value) => sum + value, 0n)
  const over = (what: string, value: bigint, most: bigint | undefined) => {
    if (most !== undefined && value > most) broken.push(`${what}: ${value} over ${most}`)
  }
  if (turnover !== parse(plan.turnover)) broken.push('the turnover is not the sum of the legs')
  for (const [index, leg] of legs.entries()) {
    over(`${leg.key} largest value`, values[index] as bigint, limits.largestValue)
    over(
      `${leg.key} largest trade`,
      values[index] as bigint,
      own.largestTrade === undefined ? undefined : parse(own.largestTrade),
    )
    over(`${leg.key} largest`, parse(leg.gives.amount), limits.assets.get(leg.gives.asset)?.largest)
    if ((values[index] as bigint) < parse(own.smallest)) broken.push(`${leg.key} is below the smallest trade`)
  }
  over('value of the day', turnover, limits.leftTodayValue)
  over('turnover of a run', turnover, own.run === undefined ? undefined : parse(own.run))
  over(
    'turnover of a day',
    turnover + snapshot.turnoverToday,
    own.day === undefined || turnover === 0n ? undefined : parse(own.day),
  )
  for (const [code, { leftToday }] of limits.assets) {
    const given = legs
      .filter(({ gives }) => gives.asset === code)
      .reduce((sum, { gives }) => sum + parse(gives.amount), 0n)
    over(`${code} of the day`, given, leftToday)
  }
  if (new Set(legs.map(({ key }) => key)).size !== legs.length) broken.push('two legs of one key')
  return broken
}

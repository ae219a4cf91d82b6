// Whatever the figures are, a rebalance keeps its bounds and comes to rest.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Plan } from '../../../core/contract/plan.ts'
import type { RebalancePolicy } from '../../../core/contract/policies.ts'
import type { Decimal } from '../../../core/money/decimal.ts'
import type { Snapshot } from '../../../core/planning/market/snapshot.ts'
import { planRebalance } from '../../../core/policies/rebalance/planner.ts'
import { cases } from '../../helpers/cases.ts'
import { brokenBounds, carryOut, legsOf } from './carry-out.ts'
import {
  allPrices,
  parse,
  randomLimits,
  randomPositions,
  randomRebalance,
  randomWorld,
  snapshotOf,
  UNIT,
  type World,
} from './random-world.ts'

// Fixed, so that a commit always has the same result. Another seed explores other worlds.
const SEED = 20_260_105

interface Case {
  readonly world: World
  readonly policy: RebalancePolicy
  readonly snapshot: Snapshot
}

/** Every other world has guards and limits. */
function caseOf(seed: number): Case {
  const world = randomWorld(seed)
  const isBounded = seed % 2 === 0
  const positions = randomPositions(world)
  const policy = randomRebalance(world, isBounded)
  return { world, policy, snapshot: snapshotOf(world, positions, isBounded ? { limits: randomLimits(world) } : {}) }
}

function faultsOf(plan: Plan, { policy, snapshot }: Case): readonly string[] {
  const reserveOf = (asset: string) => (policy.reserve[asset] === undefined ? 0n : parse(policy.reserve[asset]))
  const { turnover, largestTrade, smallestTrade } = policy
  return [
    ...carryOut(plan, snapshot, reserveOf).faults,
    ...brokenBounds(plan, snapshot, { largestTrade, smallest: smallestTrade, run: turnover.run, day: turnover.day }),
  ]
}

/** Assets that end outside their bands, or that are missing from the plan, though the plan gives no reason. */
function unexplained(plan: Plan, { policy, snapshot }: Case): readonly string[] {
  const { positions } = carryOut(plan, snapshot)
  const values = new Map(
    plan.positions.map(({ asset, price }) => [
      asset,
      ((positions.get(asset)?.holding ?? 0n) * parse(price ?? '0')) / UNIT,
    ]),
  )
  const total = [...values.values()].reduce((sum, value) => sum + value, 0n)
  const weights = Object.entries(policy.weights ?? {}).filter(([asset]) => values.has(asset))
  const weightSum = weights.reduce((sum, [, weight]) => sum + parse(weight), 0n)
  const restHub = policy.amounts && (policy.hubs ?? ['USD'])[0]
  const found: string[] = []
  for (const [asset, value] of values) {
    const against = plan.nonLegs.find((one) => one.asset === asset)
    const isTouched = legsOf(plan).some(({ gives, brings }) => gives.asset === asset || brings.asset === asset)
    if (!against && !isTouched) found.push(`${asset} is not told of`)
    if (against && against.code !== 'within_band') continue
    const text = policy.weights?.[asset] ?? policy.amounts?.[asset]
    if (text === undefined) continue
    const target = policy.weights ? (total * parse(text)) / weightSum : parse(text)
    if (asset === restHub && value > target) continue
    const band = ((policy.band.of === 'absolute' ? total : target) * BigInt(policy.band.bps)) / 10_000n
    const drift = value > target ? value - target : target - value
    // Two of the last place: both sides round.
    if (drift > band + 2n) found.push(`${asset} is ${drift} off, more than ${band}`)
  }
  return found
}

function replannedLegs(plan: Plan, { policy, snapshot }: Case): readonly string[] {
  const { positions } = carryOut(plan, snapshot)
  const turnoverToday = (snapshot.turnoverToday + parse(plan.turnover)) as Decimal
  return planRebalance('again', policy, { ...snapshot, positions, turnoverToday }).plan.legs.map(({ key }) => key)
}

/** A bound held something back, or the rest would take a third phase: the next run continues with it. */
function hasMoreToDo(plan: Plan, { policy }: Case): boolean {
  const goesOn = ['guard', 'turnover_spent', 'cut_short']
  const byWayOfTwo = ['no_counterpart', 'nothing_spendable']
  const codes = (policy.hubs?.length ?? 1) > 1 ? [...goesOn, ...byWayOfTwo] : goesOn
  return plan.nonLegs.some(({ code }) => codes.includes(code))
}

test('a plan never overspends, never breaks a bound, lands within the bands, and is not followed by another', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const random = caseOf(seed)
      const one = { ...random, snapshot: { ...random.snapshot, prices: allPrices(random.world) } }
      const { plan } = planRebalance('any', one.policy, one.snapshot)
      expect(faultsOf(plan, one)).toEqual([])
      expect(unexplained(plan, one)).toEqual([])
      if (!hasMoreToDo(plan, one)) expect(replannedLegs(plan, one)).toEqual([])
    }),
    // Each planted one-word fault of the planner that was ever found was found within 5.
    { numRuns: cases(400), seed: SEED },
  )
})

test('a plan that asks for its prices asks for few, and in three rounds has them at its sizes', () => {
  let unsettled = 0
  const runs = cases(500)
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const random = caseOf(seed)
      let one = random
      let planned = planRebalance('any', one.policy, one.snapshot)
      for (let round = 0; round < 3 && planned.required.length > 0; round += 1) {
        expect(planned.required.length).toBeLessThanOrEqual(4 * one.snapshot.assets.size)
        const prices = [...one.snapshot.prices, ...planned.required.map(one.world.observe)]
        one = { ...one, snapshot: { ...one.snapshot, prices } }
        planned = planRebalance('any', one.policy, one.snapshot)
      }
      if (planned.required.length > 0) unsettled += 1
      expect(faultsOf(planned.plan, one)).toEqual([])
      expect(unexplained(planned.plan, one)).toEqual([])
      if (!hasMoreToDo(planned.plan, one)) expect(replannedLegs(planned.plan, one)).toEqual([])
    }),
    { numRuns: runs, seed: SEED },
  )
  // A useless market is replaced by the next: once in thousands of plans.
  expect(unsettled).toBeLessThanOrEqual(Math.ceil(runs / 1_000))
})

test('consecutive runs come to rest, and no run reverses another', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      // Without bounds of its own: the smallest bounds would need thousands of runs.
      const random = caseOf(2 * Math.floor(seed / 2) + 1)
      let one = { ...random, snapshot: { ...random.snapshot, prices: allPrices(random.world) } }
      const sold = new Set<string>()
      const bought = new Set<string>()
      const hubs = new Set(one.policy.hubs ?? ['USD'])
      let runs = 0
      for (; runs < 100; runs += 1) {
        const { plan } = planRebalance('any', one.policy, one.snapshot)
        if (plan.legs.length === 0) break
        for (const { gives, brings } of legsOf(plan)) {
          if (!hubs.has(gives.asset)) sold.add(gives.asset)
          if (!hubs.has(brings.asset)) bought.add(brings.asset)
        }
        one = { ...one, snapshot: { ...one.snapshot, positions: carryOut(plan, one.snapshot).positions } }
      }
      expect(runs).toBeLessThan(100)
      expect([...sold].filter((asset) => bought.has(asset))).toEqual([])
    }),
    { numRuns: cases(120), seed: SEED },
  )
})

test('the order in which figures arrive changes nothing', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const { world, policy, snapshot } = caseOf(seed)
      const prices = allPrices(world)
      const backwards = <Value>(map: ReadonlyMap<string, Value>) => new Map([...map].reverse())
      const turned = <Value>(record: Readonly<Record<string, Value>>) =>
        Object.fromEntries(Object.entries(record).reverse())
      const straight = planRebalance('any', policy, { ...snapshot, prices })
      const reversed = planRebalance(
        'any',
        {
          ...policy,
          ...(policy.weights && { weights: turned(policy.weights) }),
          ...(policy.amounts && { amounts: turned(policy.amounts) }),
        },
        {
          ...snapshot,
          prices: prices.toReversed(),
          markets: snapshot.markets.toReversed(),
          positions: backwards(snapshot.positions),
          assets: backwards(snapshot.assets),
        },
      )
      expect(reversed).toEqual(straight)
    }),
    { numRuns: cases(60), seed: SEED },
  )
})

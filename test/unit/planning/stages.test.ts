// Runs the example that core/policies/rebalance/planning/stages.ts explains: its table, and the plan that comes of it.
import { expect, test } from 'vitest'
import type { RebalancePolicy } from '../../../core/contract/policies.ts'
import { formatDecimal, minus, ZERO } from '../../../core/money/decimal.ts'
import type { End, Flows } from '../../../core/planning/conversions/flows.ts'
import { openPlanningContext } from '../../../core/planning/planning-context.ts'
import { planRebalance } from '../../../core/policies/rebalance/planner.ts'
import { portfolioOf } from '../../../core/policies/rebalance/planning/portfolio.ts'
import { runStages } from '../../../core/policies/rebalance/planning/stages.ts'
import { legsOf } from './carry-out.ts'
import { d, policyOf, snapshotOf } from './small-world.ts'

const POLICY = policyOf<RebalancePolicy>({
  kind: 'rebalance',
  amounts: { BTC: '2000', ETH: '2000', SOL: '2000', USD: '2000' },
  band: { of: 'relative', bps: 2000 },
})
const FREE = ['1', '1'] as const
const SNAPSHOT = snapshotOf({
  held: { BTC: '3700', ETH: '1500', SOL: '1750', USD: '1500' },
  rates: { 'BTC-USD': FREE, 'ETH-USD': FREE, 'SOL-USD': FREE },
})

/** Adds to `trades` what each end of a match has given or received, in the order of the matches. */
function noting(flows: Flows, trades: string[]): Flows {
  return {
    ...flows,
    match(sources, sinks) {
      const before = [...sources, ...sinks].map(({ rest }) => rest)
      flows.match(sources, sinks)
      const moved = [...sources, ...sinks].map((end: End, at) => minus(before[at] ?? ZERO, end.rest))
      const said = (ends: readonly End[], from: number) =>
        ends.map(({ asset }, at) => `${asset} ${formatDecimal(moved[from + at] ?? ZERO)}`).join(', ')
      if (moved.some((value) => value > 0n)) trades.push(`${said(sources, 0)} > ${said(sinks, sources.length)}`)
    },
  }
}

test('the example of the stages: who trades with whom, and how much', () => {
  const context = openPlanningContext(SNAPSHOT, { hubs: undefined, smallestTrade: d('10'), keepOf: () => ZERO })
  const { members } = portfolioOf(POLICY, context, [])
  const others = members.filter(({ isHub }) => !isHub)
  const trades: string[] = []
  runStages(noting(context.openFlows({ sizes: new Map(), banned: new Map() }), trades), {
    context,
    hubs: members.filter(({ isHub }) => isHub),
    others,
    calm: others.filter(({ before }) => !before.isOutside),
    driftOf: ({ before }) => before,
    isTriggered: ({ before }) => before.isOutside,
    isWorthTrading: () => true,
  })
  expect(trades).toEqual([
    'BTC 800 > ETH 500, USD 300',
    'BTC 200 > USD 200',
    'BTC 200 > USD 200',
    'BTC 250 > SOL 250',
    'BTC 250 > USD 250',
  ])
})

test('the example of the stages: one sale and two purchases', () => {
  const { plan } = planRebalance('mix', POLICY, SNAPSHOT)
  expect(legsOf(plan).map(({ key, phase, request }) => [key, phase, request.amount])).toEqual([
    ['sell-BTC-USD', 1, '1700'],
    ['buy-ETH-USD', 2, '500'],
    ['buy-SOL-USD', 2, '250'],
  ])
  expect(plan.positions.map(({ asset, afterHolding }) => [asset, afterHolding])).toEqual([
    ['BTC', '2000'],
    ['ETH', '2000'],
    ['SOL', '2000'],
    ['USD', '2450'],
  ])
})

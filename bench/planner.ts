// Times the planning of a rebalance of 10,000 assets, and how the time grows with ten times the assets. Prices of all
// assets are known at their minimum, so that one plan does all the work.
import { policy, type RebalancePolicy } from '../core/contract/policies.ts'
import { parseDecimal, ZERO } from '../core/money/decimal.ts'
import type { AssetFacts, Snapshot } from '../core/planning/market/snapshot.ts'
import { planRebalance } from '../core/policies/rebalance/planner.ts'
import { timePaired } from './paired.ts'
import type { Report } from './report.ts'

const FEW = 1_000
const MANY = 10_000
const LIMIT_MS = 100
/** The number of plans before Node has fully compiled the planner: until then each dozen is faster than the last. */
const WARM_AFTER = 60
const LIMIT_RATIO = 13
const PAIRS = 41

export async function benchPlanner(report: Report): Promise<void> {
  const few = portfolioOf(FEW)
  const many = portfolioOf(MANY)
  const planFew = () => planRebalance('bench', few.policy, few.snapshot)
  const planMany = () => planRebalance('bench', many.policy, many.snapshot)
  const startMs = performance.now()
  const { legs } = planMany().plan
  const firstMs = performance.now() - startMs
  for (let plan = 1; plan < WARM_AFTER; plan += 1) {
    planMany()
    planFew()
  }
  const { leftMs, ratios, rightMs } = await timePaired(planMany, planFew, PAIRS)
  const verdict = (isKept: boolean) => (isKept ? 'PASS' : 'FAIL')
  report.note(
    `${MANY} assets, ${legs.length} legs: ${leftMs.toFixed(1)} ms; limit ${LIMIT_MS}: ${verdict(leftMs < LIMIT_MS)} (the first one, not yet compiled: ${firstMs.toFixed(1)} ms)`,
  )
  report.figure({
    name: `a plan of ${MANY} assets`,
    unit: 'ms',
    value: leftMs,
    baseline: { name: `of ${FEW} assets`, value: rightMs },
    ratio: ratios,
    goal: LIMIT_RATIO,
  })
}

/** Half of the assets hold more than their equal share, half less, by very different amounts. */
function portfolioOf(count: number): { policy: RebalancePolicy; snapshot: Snapshot } {
  const decimal = (text: string) => parseDecimal(text, 'bench')
  const facts = (assetSymbol: string): AssetFacts => ({
    assetSymbol,
    assetClass: 'CRYPTO',
    increment: decimal('0.00000001'),
    maxIndicativeAmount: decimal('1000000'),
    minimumWithdrawal: decimal('0'),
    minimumInternalWithdrawal: decimal('0'),
    networks: [],
  })
  const codes = Array.from({ length: count - 1 }, (_, index) => `A${index}`)
  const assets = new Map(['USD', ...codes].map((code) => [code, facts(code)]))
  const unitsOf = (index: number) => decimal(`${100 + ((index * 7_919) % 101)}.${index}`)
  const positions = new Map(
    ['USD', ...codes].map((code, index) => {
      const units = unitsOf(index)
      return [code, { asset: facts(code), spendable: units, holding: units }]
    }),
  )
  const market = (code: string) => ({
    id: `${code}-USD`,
    baseAsset: code,
    quoteAsset: 'USD',
    minBaseAmount: decimal('0.01'),
    minQuoteAmount: decimal('1'),
  })
  const prices = codes.flatMap((code, index) =>
    (['BUY', 'SELL'] as const).map((side) => ({
      marketId: `${code}-USD`,
      side,
      baseAmount: decimal('0.01'),
      rate: decimal(`${10 + (index % 90)}.${side === 'BUY' ? '03' : '01'}`),
    })),
  )
  const share = (1 / count).toFixed(12)
  return {
    policy: policy.parse({
      kind: 'rebalance',
      weights: Object.fromEntries([...assets.keys()].map((code) => [code, share])),
      band: { of: 'relative', bps: 100 },
    }) as RebalancePolicy,
    snapshot: {
      takenAtMs: 0,
      valuationAsset: 'USD',
      positions,
      assets,
      markets: codes.map(market),
      prices,
      contacts: new Map(),
      limits: { assets: new Map(), contacts: new Map(), outflow: new Map() },
      turnoverToday: ZERO,
    },
  }
}

// Judges where a rebalance leaves the portfolio: within its bands by the witness's books, or with a reason. Pure.
import { RunEnd } from '../../../core/contract/runs.ts'
import type { Books } from './books.ts'
import type { RunEvidence } from './evidence.ts'
import { REBALANCE } from './treasury.ts'

/** Share of the total, for differences between script and service prices, and for spreads. */
const SLACK = 0.004

export function judgeWeights(runs: readonly RunEvidence[], books: Books): string[] {
  return runs
    .filter(({ policy, outcome }) => policy === 'balanced' && isWhole(outcome))
    .flatMap((run) => judgeAfter(run, books))
}

/** Whether a run settled completely, or had nothing to do. Other runs have not reached the target yet. */
function isWhole(outcome: string | undefined): boolean {
  return outcome === RunEnd.Settled || outcome === RunEnd.NothingToDo
}

function judgeAfter({ name, report, startedAt }: RunEvidence, books: Books): string[] {
  if (report?.plan === undefined) return [`run ${name} settled, and keeps no plan`]
  const atMs = Date.parse(report.endedAt ?? startedAt)
  const values = Object.keys(REBALANCE.weights).map(
    (asset) => [asset, books.heldAt(asset, atMs) * books.priceAt(asset, atMs)] as const,
  )
  const total = values.reduce((sum, [, value]) => sum + value, 0)
  // Whether the plan gives a reason for stopping before a target. A reason for one asset covers all assets, because
  // every trade has two sides.
  const isExplained = report.plan.nonLegs.some(({ code }) => code !== 'within_band')
  if (isExplained) return []
  return values.flatMap(([asset, value]) => {
    const target = Number(REBALANCE.weights[asset as keyof typeof REBALANCE.weights])
    const drift = value / total - target
    if (Math.abs(drift) <= REBALANCE.bandBps / 10_000 + SLACK) return []
    return [`run ${name} of balanced, ${report.outcome} at ${startedAt}, leaves ${asset} off by ${drift.toFixed(4)}`]
  })
}

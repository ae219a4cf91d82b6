// The breaker of a policy: after so many runs in a row that did not settle, or a fall of what the policy's assets
// are worth, the policy halts itself, with the reason. Pure but for throwing the switch.
import type { Plan } from '../../contract/plan.ts'
import type { Policy } from '../../contract/policies.ts'
import { BREAKER, RunEnd } from '../../contract/runs.ts'
import type { Halt } from '../../journal/halts.ts'
import { compareScaled, parseDecimal, WHOLE_BPS } from '../../money/decimal.ts'
import type { RunPorts, Trip } from '../ports.ts'
import type { LastValue, PolicyRecord } from '../record/policy-record.ts'
import type { RunRecord } from '../record/run-record.ts'

/** Runs that held their policy and moved nothing of what they should, or cannot say so. */
const FAILURES: ReadonlySet<string> = new Set([
  RunEnd.NothingMoved,
  RunEnd.Failed,
  RunEnd.OwnFault,
  RunEnd.NeedsAttention,
])
/** What ends the row. A run that settled in part does neither: money moves, and something does not work. */
const SUCCESSES: ReadonlySet<string> = new Set([RunEnd.Settled, RunEnd.NothingToDo])

export function failuresAfter(failures: number, outcome: string): number {
  if (SUCCESSES.has(outcome)) return 0
  return failures + (FAILURES.has(outcome) ? 1 : 0)
}

/** One sentence where the policy is to halt after that many failures. */
export function failuresTrip(failures: number, { breaker }: Policy, why: string | undefined): string | undefined {
  if (failures < breaker.failures) return undefined
  const last = why === undefined ? '' : `; the last: ${why}`
  return `${failures} ${failures === 1 ? 'run' : 'runs in a row'} did not settle${last}`
}

/** How the sentence begins; `isFallTrip` goes by it. */
const FELL = 'the total value fell from'

/** Whether the breaker halted the policy over a fall, and not over runs that did not settle. */
export function isFallTrip({ by, because }: Pick<Halt, 'by' | 'because'>): boolean {
  return by === BREAKER && because.startsWith(FELL)
}

/** One sentence where the total value fell further since the last run than the policy allows. */
export function fallTrip(
  { lastValue }: PolicyRecord,
  { asPlanned, policyHash }: Pick<RunRecord, 'asPlanned' | 'policyHash'>,
  plan: Plan,
): string | undefined {
  const bound = asPlanned.breaker.largestFallBps
  const worth = worthOf(plan, policyHash)
  if (bound === undefined || lastValue === undefined || worth === undefined) return undefined
  // The value of another policy, or in another asset, is no measure.
  if (lastValue.policyHash !== policyHash || lastValue.asset !== worth.asset) return undefined
  const now = parseDecimal(worth.value, 'totalValue')
  const then = parseDecimal(lastValue.value, 'lastValue')
  if (compareScaled(now, WHOLE_BPS, then, WHOLE_BPS - BigInt(bound)) >= 0) return undefined
  return `${FELL} ${lastValue.value} to ${worth.value} ${worth.asset} since the last run, by more than ${bound} bps`
}

/** Undefined where something that is held has no price: a total without it would pass for a fall, now or later. */
export function worthOf(plan: Plan, policyHash: string): LastValue | undefined {
  const isWhole =
    plan.unpriced === undefined &&
    plan.positions.every(({ price, holding }) => price !== null || !/[1-9]/.test(holding))
  return isWhole ? { policyHash, asset: plan.valuationAsset, value: plan.totalValue } : undefined
}

/** Halts the policy. A trip that nobody has let go on stands as it is. @throws Transient, Defect */
export async function trip(
  tripped: Trip,
  at: string,
  { halts, logTrip }: Pick<RunPorts, 'halts' | 'logTrip'>,
): Promise<void> {
  const because = `${tripped.because} (run ${tripped.runId})`
  await halts.trip({ scope: tripped.policy, by: BREAKER, because, at })
  logTrip(tripped)
}

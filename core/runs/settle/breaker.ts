// The breaker of a policy: after so many runs in a row that did not settle, or where prices took too much of what the
// policy holds, the policy halts itself, with the reason. Pure but for throwing the switch.
import type { Plan } from '../../contract/plan.ts'
import type { Policy } from '../../contract/policies.ts'
import { BREAKER, RunEnd } from '../../contract/runs.ts'
import type { Halt } from '../../journal/halts.ts'
import {
  compareScaled,
  type Decimal,
  formatDecimal,
  greatest,
  least,
  minus,
  multiply,
  parseDecimal,
  sumOf,
  WHOLE_BPS,
  ZERO,
} from '../../money/decimal.ts'
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
const FELL = 'what is held fell by'

/** Whether the breaker halted the policy over a fall, and not over runs that did not settle. */
export function isFallTrip({ by, because }: Pick<Halt, 'by' | 'because'>): boolean {
  return by === BREAKER && because.startsWith(FELL)
}

/** Assets whose prices are compared, those that are worth most: some 20 KB of the policy's record. */
const MOST_COMPARED = 300

/** One sentence where prices took more of what is held since the last run than the policy allows. */
export function fallTrip(
  { lastValue }: PolicyRecord,
  { asPlanned, policyHash }: Pick<RunRecord, 'asPlanned' | 'policyHash'>,
  plan: Plan,
): string | undefined {
  const bound = asPlanned.breaker.largestFallBps
  if (bound === undefined || lastValue === undefined || worthOf(plan, policyHash) === undefined) return undefined
  // The value of another policy, or in another asset, is no measure.
  if (lastValue.policyHash !== policyHash || lastValue.asset !== plan.valuationAsset) return undefined
  const fall = fallOf(lastValue.held, plan)
  const then = parseDecimal(lastValue.value, 'lastValue')
  if (compareScaled(fall, WHOLE_BPS, then, BigInt(bound)) <= 0) return undefined
  return `${FELL} ${formatDecimal(fall)} of ${lastValue.value} ${lastValue.asset} since the last run, by more than ${bound} bps`
}

/**
 * How much less is worth now what was there both times. What came in or went out meanwhile, by whomever, is neither gain
 * nor loss.
 */
function fallOf(held: LastValue['held'], { positions }: Plan): Decimal {
  return sumOf(
    positions.map(({ asset, holding, price }) => {
      const then = held[asset]
      if (then === undefined || price === null) return ZERO
      const common = least(parseDecimal(then.units, 'units'), parseDecimal(holding, 'holding'))
      const before = multiply(common, parseDecimal(then.price, 'price'), 'up')
      return minus(before, multiply(common, parseDecimal(price, 'price'), 'down'))
    }),
  )
}

/** Undefined where something that is held has no price: a total without it would pass for a fall, now or later. */
export function worthOf(plan: Plan, policyHash: string): LastValue | undefined {
  const priced = plan.positions.filter(({ holding }) => /[1-9]/.test(holding))
  if (plan.unpriced !== undefined || priced.some(({ price }) => price === null)) return undefined
  return { policyHash, asset: plan.valuationAsset, value: plan.totalValue, held: heldOf(plan.positions) }
}

/** What a leg is to bring counts from its run on, and what it takes until it is gone. */
function heldOf(positions: Plan['positions']): LastValue['held'] {
  const held = positions.flatMap(({ asset, holding, afterHolding, price }) => {
    if (price === null) return []
    const units = greatest(parseDecimal(holding, 'holding'), parseDecimal(afterHolding, 'afterHolding'))
    const value = multiply(units, parseDecimal(price, 'price'), 'down')
    return value === 0n ? [] : [{ asset, price, units: formatDecimal(units), value }]
  })
  const most = held.sort((one, other) => compareScaled(other.value, 1n, one.value, 1n)).slice(0, MOST_COMPARED)
  return Object.fromEntries(most.map(({ asset, price, units }) => [asset, { units, price }]))
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

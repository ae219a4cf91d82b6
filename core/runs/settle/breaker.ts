// The breaker of a policy halts the policy, with the reason. It trips after too many runs in a row that did not settle, or
// after prices took too much of what the policy holds. Pure, except for the halt itself.
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
import type { LastValue, PolicyMove, PolicyRecord } from '../record/policy-record.ts'
import { holdingOf, type RunRecord } from '../record/run-record.ts'

/** Outcomes of runs that held their policy and moved nothing of what they should, or cannot say what they moved. */
const FAILURES: ReadonlySet<string> = new Set([
  RunEnd.NothingMoved,
  RunEnd.Failed,
  RunEnd.OwnFault,
  RunEnd.NeedsAttention,
])
/**
 * Outcomes that end a row of failures. A partly settled run neither ends nor extends it: money moves, and something does not
 * work.
 */
const SUCCESSES: ReadonlySet<string> = new Set([RunEnd.Settled, RunEnd.NothingToDo])

/** `isOthers`: another run has begun all rows of the run. It is then neither a failure nor a success. */
export function failuresAfter(failures: number, outcome: string, isOthers: boolean): number {
  if (SUCCESSES.has(outcome)) return 0
  return failures + (FAILURES.has(outcome) && !isOthers ? 1 : 0)
}

/**
 * Maximum runs of a row that may still be taken off its count. A run beyond them stays counted: the breaker then trips too
 * early rather than too late.
 */
const MOST_IN_DOUBT = 20

/** The runs of the row of failures that may still be taken off its count. `failures`: the row with this run. */
export function failedInDoubtAfter(
  run: Pick<RunRecord, 'runId' | 'entry'>,
  outcome: string,
  failures: number,
  { failedInDoubt }: PolicyRecord,
): PolicyRecord['failedInDoubt'] {
  if (failures === 0) return undefined
  return outcome === RunEnd.NeedsAttention
    ? [...(failedInDoubt ?? []), holdingOf(run)].slice(-MOST_IN_DOUBT)
    : failedInDoubt
}

/**
 * The count after a run that failed with a leg in doubt is settled again. Undefined where nothing changes. It is taken off
 * where it turned out not to have failed. It ends the row like any success only if no run was counted after it. A trip stays:
 * a person resumes the policy. `isOthers`: as in `failuresAfter`.
 */
export function recount(
  run: Pick<RunRecord, 'runId' | 'entry'>,
  outcome: string,
  { failedInDoubt = [], failuresInRow, lastRunId }: PolicyRecord,
  isOthers = false,
): Pick<PolicyMove, 'failuresInRow' | 'failedInDoubt'> | undefined {
  const name = holdingOf(run)
  if (outcome === RunEnd.NeedsAttention || !failedInDoubt.includes(name)) return undefined
  const isEndOfRow = lastRunId === name && SUCCESSES.has(outcome)
  if (isEndOfRow) return { failuresInRow: 0, failedInDoubt: undefined }
  const others = failedInDoubt.filter((each) => each !== name)
  return {
    failuresInRow: FAILURES.has(outcome) && !isOthers ? failuresInRow : Math.max(0, failuresInRow - 1),
    failedInDoubt: others.length === 0 ? undefined : others,
  }
}

/** One sentence where this number of failures halts the policy. */
export function failuresTrip(failures: number, { breaker }: Policy, why: string | undefined): string | undefined {
  if (failures < breaker.failures) return undefined
  const last = why === undefined ? '' : `; the last: ${why}`
  return `${failures} ${failures === 1 ? 'run' : 'runs in a row'} did not settle${last}`
}

/** First words of the reason; `isFallTrip` recognises it by them. */
const FELL = 'what is held fell by'

/** Whether the breaker halted the policy because of a fall in value, and not because of failed runs. */
export function isFallTrip({ by, because }: Halt): boolean {
  return by === BREAKER && because.startsWith(FELL)
}

/** Maximum assets whose prices are compared, those worth most: some 20 KB of the policy's record. */
const MOST_COMPARED = 300

/** One sentence where falling prices took more of the value since the last run than the policy allows. */
export function fallTrip(
  { lastValue }: PolicyRecord,
  { asPlanned, policyHash }: Pick<RunRecord, 'asPlanned' | 'policyHash'>,
  plan: Plan,
): string | undefined {
  const bound = asPlanned.breaker.largestFallBps
  if (bound === undefined || lastValue === undefined || worthOf(plan, policyHash) === undefined) return undefined
  // A value of another policy, or in another asset, cannot be compared.
  if (lastValue.policyHash !== policyHash || lastValue.asset !== plan.valuationAsset) return undefined
  const fall = fallOf(lastValue.held, plan)
  const then = parseDecimal(lastValue.value, 'lastValue')
  if (compareScaled(fall, WHOLE_BPS, then, BigInt(bound)) <= 0) return undefined
  return `${FELL} ${formatDecimal(fall)} of ${lastValue.value} ${lastValue.asset} since the last run, by more than ${bound} bps`
}

/**
 * The loss in value of units that were held both times. Units that came in or went out meanwhile are neither gain nor loss,
 * whoever moved them.
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

/** Undefined where a held asset has no price: a total without it would look like a fall, now or later. */
export function worthOf(plan: Plan, policyHash: string): LastValue | undefined {
  const priced = plan.positions.filter(({ holding }) => /[1-9]/.test(holding))
  if (plan.unpriced !== undefined || priced.some(({ price }) => price === null)) return undefined
  return { policyHash, asset: plan.valuationAsset, value: plan.totalValue, held: heldOf(plan.positions) }
}

/** Units that a leg brings count from its run on, and units that it takes count until they are gone. */
function heldOf(positions: Plan['positions']): LastValue['held'] {
  const held = positions.flatMap(({ asset, holding, afterHolding, price }) => {
    if (price === null) return []
    const units = greatest(parseDecimal(holding, 'holding'), parseDecimal(afterHolding, 'afterHolding'))
    const value = multiply(units, parseDecimal(price, 'price'), 'down')
    return value === 0n ? [] : [{ asset, price, units: formatDecimal(units), value }]
  })
  const most = held.sort((left, right) => compareScaled(right.value, 1n, left.value, 1n)).slice(0, MOST_COMPARED)
  return Object.fromEntries(most.map(({ asset, price, units }) => [asset, { units, price }]))
}

/** Halts the policy. A halt that nobody has resumed stays unchanged. @throws Transient, Defect */
export async function trip(
  tripped: Trip,
  at: string,
  { halts, logTrip }: Pick<RunPorts, 'halts' | 'logTrip'>,
): Promise<void> {
  const because = `${tripped.because} (run ${tripped.runId})`
  await halts.trip({ scope: tripped.policy, by: BREAKER, because, at })
  logTrip(tripped)
}

// Measures one call about a run, from its answer and the run's record. It is separate from figures.ts, so that steps
// that move money do not load plans. Decides nothing. Pure, except for watching the port.
import { secondsSince } from '../../core/clock.ts'
import { NonLegCode, type Plan } from '../../core/contract/plan.ts'
import { RunEnd } from '../../core/contract/runs.ts'
import { Verb } from '../../core/contract/states.ts'
import { trackingErrorBps } from '../../core/planning/figures.ts'
import type { RunRecord } from '../../core/runs/record/run-record.ts'
import type { Runs } from '../../core/runs/record/runs.ts'
import { figure, MOVED, measured, policyDimension, round } from './figures.ts'
import type { Measured } from './log.ts'
import { type Answer, currentCall } from './observation.ts'

const RUN_ENDS: ReadonlySet<string> = new Set(Object.values(RunEnd))
/** Matches the guards of a plan that bound a day. */
const OF_A_DAY = /daily|turnover/i

export function watchedRuns(runs: Runs): Runs {
  const note = <Run extends RunRecord | undefined>(run: Run): Run => {
    const seen = currentCall()
    if (run !== undefined && seen !== undefined && run.runId === seen.about) {
      seen.run = run
      seen.measureRun = (verb, answer, nowMs) => measuredOfRun({ verb, answer, run, nowMs })
    }
    return run
  }
  return {
    find: async (runId) => note(await runs.find(runId)),
    open: async (run) => note(await runs.open(run)),
    advance: async (run, move) => note(await runs.advance(run, move)),
  }
}

interface RunCall {
  readonly verb: string
  readonly answer: Answer
  /** The record as last read. */
  readonly run: RunRecord
  readonly nowMs: number
}

export function measuredOfRun({ verb, answer: { outcome, phase }, run, nowMs }: RunCall): Measured {
  const isEnd = RUN_ENDS.has(outcome)
  const isSettled = verb === Verb.SettleRun
  const isPlanned = !isSettled && phase === 1 && run.plan !== undefined
  const { plan } = run
  const error = isPlanned && plan !== undefined ? measured(() => trackingErrorBps(plan)) : undefined
  return {
    dimensions: {
      Kind: run.kind,
      Outcome: outcome,
      Policy: policyDimension(run.policy),
      ...(plan !== undefined && { ValuationAsset: plan.valuationAsset }),
    },
    values: {
      ...(isEnd && { Ends: 1, SettleTime: secondsSince(Date.parse(run.startedAt), nowMs) }),
      ...(isSettled && outcome === RunEnd.NeedsAttention && { RunsInNeed: 1 }),
      ...(isSettled && plan !== undefined && { Value: movedValue(run, plan) }),
      ...(error !== undefined && { TrackingError: error }),
      ...(isPlanned && isHeldByBudget(plan) && { BudgetsSpent: 1 }),
    },
  }
}

/** Planned value of the legs that moved. What they really brought differs by the slippage, which is its own metric. */
function movedValue({ results, phases }: RunRecord, plan: Plan): number {
  const values = new Map(plan.legs.map(({ key, value }) => [key, value]))
  const legs = phases.flatMap((phase) => phase.legs)
  const moved = legs.filter(({ intentId }) => MOVED.has(results[intentId]?.outcome ?? ''))
  return round(moved.reduce((sum, { key, leg }) => sum + (figure(leg?.value ?? values.get(key)) ?? 0), 0))
}

function isHeldByBudget(plan: Plan | undefined): boolean {
  if (plan === undefined) return false
  const isSpent = plan.nonLegs.some(({ code }) => code === NonLegCode.TurnoverSpent)
  return isSpent || plan.guards.some(({ guard }) => OF_A_DAY.test(guard))
}

// Models the state machines Sweep and Rebalance around their planning step, SettleRun and the executions of a run's legs, as
// infra defines them.
import { intentIdOf } from '../../../core/contract/fields.ts'
import {
  planInput,
  RunEnd,
  RunStep,
  type RunSummary,
  type StartLeg,
  settleRunInput,
} from '../../../core/contract/runs.ts'
import { StateMachine, Verb } from '../../../core/contract/states.ts'
import type { RunPorts } from '../../../core/runs/ports.ts'
import { planRebalance } from '../../../functions/plan-rebalance/plan-rebalance.ts'
import { planSweep } from '../../../functions/plan-sweep/plan-sweep.ts'
import { settleRun } from '../../../functions/settle-run/settle-run.ts'
import { Broken, type Steps, Stopped } from '../steps.ts'

const RETRIES = 5

export interface BegunRun {
  readonly execution: string
  readonly startedAt: string
  readonly request: unknown
}

/** How an execution of a run ended: with SettleRun's summary, or with the answer of PlanSweep that ends it. */
export type RunReport = Pick<RunSummary, 'outcome' | 'runId' | 'why'> & Partial<Pick<RunSummary, 'legs'>>

/** The second phase of a rebalance, which spends what the first has brought. */
const LAST_PHASE = 2

export interface Surroundings {
  /** Runs all legs of a phase, and resolves once each has ended or broken. */
  startLegs(legs: readonly StartLeg[]): Promise<void>
  /** The time as Step Functions writes it into an input. */
  nowText(): string
}

export function runMachine(
  machine: StateMachine,
  steps: Steps<RunPorts>,
  begun: BegunRun,
  surroundings: Surroundings,
): Promise<RunReport> {
  return (machine === StateMachine.Rebalance ? runRebalance : runSweep)(steps, begun, surroundings)
}

async function runRebalance(
  steps: Steps<RunPorts>,
  begun: BegunRun,
  { startLegs, nowText }: Surroundings,
): Promise<RunReport> {
  const plan = async (phase: unknown) =>
    asJson(await steps.run(Verb.PlanRebalance, RETRIES, planInput.parse({ ...begun, phase }), planRebalance))
  try {
    for (;;) {
      const answer = await plan({})
      if (answer.outcome === RunStep.Wait) {
        await steps.wait(answer.waitSeconds)
        continue
      }
      const { outcome, runId, why } = answer
      if (outcome !== RunStep.First && outcome !== RunStep.Last && outcome !== RunStep.Settle)
        return { outcome, runId, ...(why && { why }) }
      if (outcome !== RunStep.Settle) await startLegs(answer.legs)
      if (outcome === RunStep.First) await startLegs((await plan(LAST_PHASE)).legs)
      return await settled(steps, begun, {}, nowText)
    }
  } catch (error) {
    return settledAfter(error, steps, begun, nowText)
  }
}

async function runSweep(
  steps: Steps<RunPorts>,
  begun: BegunRun,
  { startLegs, nowText }: Surroundings,
): Promise<RunReport> {
  let state: object = {}
  try {
    for (;;) {
      const input = planInput.parse({ ...begun, phase: state })
      const answer = asJson(await steps.run(Verb.PlanSweep, RETRIES, input, planSweep))
      state = answer
      if (answer.outcome === RunStep.Withdraw) await startLegs(answer.legs)
      else if (answer.outcome === RunStep.Wait) await steps.wait(answer.waitSeconds)
      else if (answer.outcome === RunStep.Settle) return await settled(steps, begun, state, nowText)
      else return { outcome: answer.outcome, runId: answer.runId, ...(answer.why && { why: answer.why }) }
    }
  } catch (error) {
    return settledAfter(error, steps, begun, nowText)
  }
}

/** The state SettleBrokenRun. */
function settledAfter(
  error: unknown,
  steps: Steps<RunPorts>,
  begun: BegunRun,
  nowText: () => string,
): Promise<RunReport> {
  if (error instanceof Stopped || error instanceof Broken) throw error
  const { name, message } = error as Error
  return settled(steps, begun, { Error: name, Cause: message }, nowText)
}

/** SettleRun, entered again while legs are left to read. */
async function settled(
  steps: Steps<RunPorts>,
  begun: BegunRun,
  state: object,
  nowText: () => string,
): Promise<RunReport> {
  for (let fault = state; ; ) {
    const input = settleRunInput.parse({ ...begun, enteredAt: nowText(), fault })
    const settling = steps.run(Verb.SettleRun, RETRIES, input, settleRun)
    const answer = asJson(await settling.catch((error: unknown) => unsettled(error, begun)))
    if (answer.outcome !== RunStep.Settle) return answer as RunReport
    fault = answer
  }
}

/** The state Unsettled: it asks a person. */
function unsettled(error: unknown, { execution }: BegunRun): RunReport {
  if (error instanceof Stopped || error instanceof Broken) throw error
  return { outcome: RunEnd.NeedsAttention, runId: intentIdOf(execution), why: String(error) }
}

/** An output crosses Step Functions as JSON. */
function asJson<Output>(output: Output): Output {
  return JSON.parse(JSON.stringify(output)) as Output
}

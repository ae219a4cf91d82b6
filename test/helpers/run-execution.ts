// Drives one execution of the Rebalance state machine over the world of run-world.ts, as Step Functions would. It waits
// for its turn, retries failed steps and children, and always settles at the end.
import type { PlanOutput, RunSummary, StartLeg } from '../../core/contract/runs.ts'
import { Transient } from '../../core/errors.ts'
import { planRun } from '../../core/runs/plan/plan-run.ts'
import type { RunPorts } from '../../core/runs/ports.ts'
import { settleRun } from '../../functions/settle-run/settle-run.ts'
import { carryOut, planning, type RunWorld, START } from './run-world.ts'

const TRIES = 4
/** More than the patience of any run in these worlds. */
const MOST_WAITS = 50

export interface Execution {
  readonly name: string
  readonly request: unknown
  /** Somebody stops it once it has its first legs, and nothing of it continues. */
  readonly isStopped?: boolean
  /** The error of a step that fails for good. Default: Transient. */
  readonly failsBy?: 'Transient' | 'OwnFault'
}

export type Ended = PlanOutput | RunSummary

export interface Passing {
  readonly wait: (seconds: number) => Promise<void>
  /** Runs before a leg moves anything. */
  readonly legTakes: () => Promise<void>
}

/** Time passes at once, for all executions. */
function atOnce({ account }: RunWorld): Passing {
  return {
    wait: async (seconds) => {
      account.nowMs += seconds * 1000
    },
    legTakes: async () => undefined,
  }
}

/** Returns the output of the execution; `undefined` if even settling failed, which alarms. */
export async function execute(
  execution: Execution,
  world: RunWorld,
  ports: RunPorts,
  passing: Passing = atOnce(world),
): Promise<Ended | undefined> {
  const input = { execution: execution.name, startedAt: START, request: execution.request }
  const again = retrying(world.account.retryWaitSeconds, passing)
  const plan = (phase?: number) => again(() => planRun({ ...input, ...(phase && { phase }) }, planning, ports))
  const carry = (legs: readonly StartLeg[]) =>
    Promise.all(
      legs.map(async (leg) => {
        await passing.legTakes()
        await again(() => carryOut(leg, world, ports))
      }),
    )
  let fault: { Error: string; Cause: string } | undefined
  try {
    let first = await plan()
    for (let waits = 0; first.outcome === 'WAIT'; waits += 1) {
      if (waits === MOST_WAITS) throw new Error(`${execution.name} waits for good`)
      await passing.wait(first.waitSeconds ?? Number.NaN)
      first = await plan()
    }
    if (first.outcome !== 'FIRST' && first.outcome !== 'LAST' && first.outcome !== 'SETTLE') return first
    if (execution.isStopped) return first
    await carry(first.legs).catch(ignoreTransient)
    if (first.outcome === 'FIRST') {
      const second = await plan(2)
      await carry(second.legs).catch(ignoreTransient)
    }
  } catch (error) {
    ignoreTransient(error)
    fault = { Error: execution.failsBy ?? 'Transient', Cause: 'a step failed for good' }
  }
  return again(() => settleRun({ ...input, ...(fault && { fault }) }, ports)).catch(ignoreTransient)
}

/** Retries as a state's Retry does. Only the wait passes time. */
function retrying(waitSeconds: number, { wait }: Passing) {
  return async <Result>(step: () => Promise<Result>): Promise<Result> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await step()
      } catch (error) {
        if (!(error instanceof Transient) || attempt === TRIES) throw error
        await wait(waitSeconds)
      }
    }
  }
}

function ignoreTransient(error: unknown): undefined {
  if (!(error instanceof Transient)) throw error
  return undefined
}

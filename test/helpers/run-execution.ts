// Runs one execution of the Rebalance state machine in the world of run-world.ts, as Step Functions would. It waits
// until the policy is free, retries failed steps and legs, and settles at the end, even after a failure.
import type { PlanOutput, RunSummary, StartLeg } from '../../core/contract/runs.ts'
import { Transient } from '../../core/errors.ts'
import { planRun } from '../../core/runs/plan/plan-run.ts'
import type { RunPorts } from '../../core/runs/ports.ts'
import { settleRun } from '../../functions/settle-run/settle-run.ts'
import { carryOut, planning, type RunWorld, START } from './run-world.ts'

const TRIES = 4
/** Maximum waits of a run. Any run of these worlds ends after fewer waits. */
const MOST_WAITS = 50

export interface Execution {
  readonly name: string
  readonly request: unknown
  /** True: somebody stops the execution after its first plan is recorded. It starts no leg and does not settle. */
  readonly isStopped?: boolean
  /** Name of the error that SettleRun gets after a step failed its last try. Default: Transient. */
  readonly errorName?: 'Transient' | 'OwnFault'
}

export type Ended = PlanOutput | RunSummary

export interface PassingTime {
  readonly wait: (seconds: number) => Promise<void>
  /** Resolves after the time that a leg needs. It runs before the leg moves anything. */
  readonly legTakes: () => Promise<void>
}

/** A wait moves the shared clock forward at once. A leg takes no time. */
function atOnce({ account }: RunWorld): PassingTime {
  return {
    wait: async (seconds) => {
      account.nowMs += seconds * 1000
    },
    legTakes: async () => undefined,
  }
}

/** Returns the execution's output; `undefined` if settling failed too. A deployed execution would then raise an alarm. */
export async function execute(
  execution: Execution,
  world: RunWorld,
  ports: RunPorts,
  passing: PassingTime = atOnce(world),
): Promise<Ended | undefined> {
  const input = { execution: execution.name, startedAt: START, request: execution.request }
  const withRetries = retrying(world.account.retryWaitSeconds, passing)
  const plan = (phase?: number) => withRetries(() => planRun({ ...input, ...(phase && { phase }) }, planning, ports))
  const carry = (legs: readonly StartLeg[]) =>
    Promise.all(
      legs.map(async (leg) => {
        await passing.legTakes()
        await withRetries(() => carryOut(leg, world, ports))
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
    fault = { Error: execution.errorName ?? 'Transient', Cause: 'a step failed for good' }
  }
  return withRetries(() => settleRun({ ...input, enteredAt: START, ...(fault && { fault }) }, ports)).catch(
    ignoreTransient,
  )
}

/** Retries a step as the Retry field of a state does. Time passes only between two tries. */
function retrying(waitSeconds: number, { wait }: PassingTime) {
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

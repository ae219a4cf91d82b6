// What a state machine brings to the planning of its runs, and the answers that both give.

import type { PayeeFacts } from '../../contract/payee.ts'
import type { PlanLeg } from '../../contract/plan.ts'
import type { Policy } from '../../contract/policies.ts'
import type { PlanOutput, RunEnd, RunStep } from '../../contract/runs.ts'
import type { Snapshot } from '../../planning/market/snapshot.ts'
import type { Planned, Replanner } from '../../planning/planner.ts'
import { startLeg } from '../record/legs.ts'
import { type FrozenPhase, legOf, RUNNING, type RunRecord } from '../record/run-record.ts'

export interface Planning {
  /** Whether runs of this policy are this machine's. */
  takes(policy: Policy): boolean
  plan(name: string, policy: Policy, snapshot: Snapshot): Planned
  readonly replan: Replanner
  /** Where the machine goes with these legs. @throws Defect for legs that cannot go together */
  stepOf(legs: readonly PlanLeg[], isLast: boolean): RunStep
}

/** The result of a run that ended with its plan, or goes no further for now. */
export function saying(runId: string, phase: number, outcome: RunEnd | RunStep, why?: string): PlanOutput {
  return { outcome, runId, legs: [], phase, ...(why !== undefined && { why }) }
}

/** As recorded. A run that is under way has no end to tell: a programming error. */
export function sayingOf(run: RunRecord, phase: number): PlanOutput {
  const { runId, outcome, why, policy, kind } = run
  if (outcome === RUNNING) throw new TypeError(`run ${runId} is under way`)
  return { ...saying(runId, phase, outcome, why), policy, kind }
}

export function startingLegs(run: RunRecord, frozen: FrozenPhase, outcome: RunStep, entry: number): PlanOutput {
  const payees = payeesOf(frozen.legs.map((leg) => legOf(run, leg)))
  return {
    ...{ outcome, runId: run.runId, policy: run.policy, kind: run.kind, phase: frozen.phase },
    legs: frozen.legs.map((leg) => startLeg(run, leg, entry)),
    ...(payees.size > 0 && { payees: [...payees.values()] }),
  }
}

/** By contact's id: the first leg to each names it. */
function payeesOf(legs: readonly PlanLeg[]): ReadonlyMap<string, PayeeFacts> {
  const payees = new Map<string, PayeeFacts>()
  for (const leg of legs) {
    if ('payee' in leg && leg.payee !== undefined && !payees.has(leg.contactId)) payees.set(leg.contactId, leg.payee)
  }
  return payees
}

// Defines the form of every planner: a pure function from a policy and a snapshot to a plan. Types only.
import type { Plan, PlanLeg } from '../contract/plan.ts'
import type { Policy } from '../contract/policies.ts'
import type { SettledLeg } from '../contract/runs.ts'
import type { RequiredPrice, Snapshot } from './market/snapshot.ts'

export interface Planned {
  readonly plan: Plan
  /** Prices that were missing or of another size. Empty where further prices would change nothing. Bounded. */
  readonly required: readonly RequiredPrice[]
}

/** `name`: the policy's. @throws TypeError only for a programming error: a bad figure becomes a non-leg with its reason. */
export type Planner<Kind extends Policy> = (name: string, policy: Kind, snapshot: Snapshot) => Planned

export interface Replanned {
  readonly legs: readonly PlanLeg[]
  readonly nonLegs: Plan['nonLegs']
  /** Absent: no guard cut anything. */
  readonly guards?: Plan['guards']
}

export interface PhaseToReplan<Kind extends Policy = Policy> {
  readonly plan: Plan
  readonly phase: number
  /** Balances and prices as they are now. */
  readonly snapshot: Snapshot
  /** The legs of all earlier phases, with what became of them. */
  readonly settled: readonly SettledLeg[]
  /** The policy as it was planned with. */
  readonly policy: Kind
}

export interface KindPlanner<Kind extends Policy = Policy> {
  plan(name: string, policy: Kind, snapshot: Snapshot): Planned
  replan(phaseToReplan: PhaseToReplan<Kind>): Replanned
}

/**
 * Plans the legs of a later phase from what the earlier phases really brought. A leg is smaller than planned where less is
 * there, and larger only by what an earlier leg brought beyond its plan. It is absent, with the reason in `nonLegs`, where it
 * would be below a minimum. Later phases follow a phase without legs: the run ends with the plan's last phase.
 */
export type Replanner<Kind extends Policy = Policy> = (phaseToReplan: PhaseToReplan<Kind>) => Replanned

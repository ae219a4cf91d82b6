// What every planner is: a pure function from a policy and a snapshot to a plan.
import type { Plan, PlanLeg } from '../contract/plan.ts'
import type { Policy } from '../contract/policies.ts'
import type { SettledLeg } from '../contract/runs.ts'
import type { RequiredPrice, Snapshot } from './market/snapshot.ts'

export interface Planned {
  readonly plan: Plan
  /** Prices that were missing or of another size. Empty: asking again would change nothing. Bounded. */
  readonly required: readonly RequiredPrice[]
}

/** `name` is the policy's. @throws TypeError only on a programming error: a bad figure is a non-leg with its reason. */
export type Planner<Kind extends Policy> = (name: string, policy: Kind, snapshot: Snapshot) => Planned

export interface Replanned {
  readonly legs: readonly PlanLeg[]
  readonly nonLegs: Plan['nonLegs']
  /** Absent: the guards said nothing. */
  readonly guards?: Plan['guards']
}

/** A phase of a plan that is to be planned again. */
export interface PhaseToReplan<Kind extends Policy = Policy> {
  readonly plan: Plan
  readonly phase: number
  /** As things are now. */
  readonly snapshot: Snapshot
  /** The legs of all phases before, as they stand. */
  readonly settled: readonly SettledLeg[]
  /** As it was when planned. */
  readonly policy: Kind
}

/** How runs of one policy kind are planned. */
export interface KindPlanner<Kind extends Policy = Policy> {
  plan(name: string, policy: Kind, snapshot: Snapshot): Planned
  replan(asked: PhaseToReplan<Kind>): Replanned
}

/**
 * The legs of a later phase, from what the phases before really brought: less than planned where less is there,
 * more only by what an earlier leg brought beyond its plan, none (with the reason in `nonLegs`) where it would
 * be below a minimum. A phase without legs is not the end: the plan's last phase is.
 */
export type Replanner<Kind extends Policy = Policy> = (asked: PhaseToReplan<Kind>) => Replanned

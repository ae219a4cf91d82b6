// What every planner is: a pure function from a policy and a snapshot to a plan.
import type { Plan, PlanLeg } from '../../contract/plan.ts'
import type { Policy } from '../../contract/policies.ts'
import type { PriceWanted, Snapshot } from './snapshot.ts'

export interface Planned {
  readonly plan: Plan
  /** Prices that were missing or of another size. Empty: asking again would change nothing. Bounded. */
  readonly wanted: readonly PriceWanted[]
}

/** `name` is the policy's. @throws TypeError only on a programming error: a bad figure is a non-leg with its reason. */
export type Planner<Kind extends Policy> = (name: string, policy: Kind, snapshot: Snapshot) => Planned

/**
 * The legs of a later phase, from what the phases before really brought: never more than planned, less where
 * less is there, none (with the reason in `nonLegs`) where it would be below a minimum.
 */
export type Replanner = (
  plan: Plan,
  phase: number,
  snapshot: Snapshot,
) => { readonly legs: readonly PlanLeg[]; readonly nonLegs: Plan['nonLegs'] }

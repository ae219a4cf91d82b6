// Plans a run of a sweep policy, rule by rule. Pure.
import type { SweepPolicy } from '../../contract/policies.ts'
import type { Planner, Replanner } from '../../planning/planner.ts'
import { planTasks } from '../../planning/sweep/plan-tasks.ts'
import { replanTasks } from '../../planning/sweep/replan.ts'
import { withdrawalsOf } from '../kinds.ts'

/**
 * At most three phases: conversions; withdrawals, with canaries to unproven contacts; and what waits for a canary. A second
 * rule for an asset sees what the first rule left. With `convertInto` the proceeds go, and the earlier balance of that asset
 * stays. Only if the rule also takes that asset by `allBut`, everything above `keep` goes.
 */
export const planSweep: Planner<SweepPolicy> = (name, policy, snapshot) =>
  planTasks(name, policy, snapshot, withdrawalsOf(policy))

/** The real proceeds go, or less where the balance above `keep` is smaller. */
export const replanSweep: Replanner<SweepPolicy> = (phase) => replanTasks(phase, withdrawalsOf(phase.policy))

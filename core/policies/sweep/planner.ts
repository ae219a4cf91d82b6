// Plans a run of a sweep policy, rule by rule. Pure.
import type { SweepPolicy } from '../../contract/policies.ts'
import type { Planner, Replanner } from '../../planning/planner.ts'
import { planTasks } from '../../planning/sweep/plan-tasks.ts'
import { replanTasks } from '../../planning/sweep/replan.ts'

/**
 * At most three phases: conversions; withdrawals, and canaries to contacts that are not proven; what waits for
 * a canary. The second rule for an asset sees what the first left of it. With `convertInto` the proceeds go, and
 * what there was of that asset stays, unless the rule takes it by `allBut`: then all above what stays goes along.
 */
export const planSweep: Planner<SweepPolicy> = planTasks

/** Proceeds go as the fills brought them, less where that much is not there above what stays. */
export const replanSweep: Replanner<SweepPolicy> = replanTasks

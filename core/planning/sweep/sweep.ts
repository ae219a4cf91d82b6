// Sweep: what is above a floor goes to a saved contact, rule by rule.
import type { SweepPolicy } from '../../contract/policies.ts'
import type { Planner, Replanner } from '../planner.ts'
import { replanTasks } from './replan.ts'
import { planTasks } from './sweep-tasks.ts'
import { tasksOfSweep } from './task.ts'

/**
 * At most three phases: conversions; withdrawals, and canaries to contacts that are not proven; what waits for
 * a canary. The second rule for an asset sees what the first left of it. With `convertInto` the proceeds go, and
 * what there was of that asset stays, unless the rule takes it by `allBut`: then all above what stays goes along.
 */
export const planSweep: Planner<SweepPolicy> = (name, policy, snapshot) =>
  planTasks(name, policy, tasksOfSweep(policy), snapshot)

/** Proceeds go as the fills brought them, less where that much is not there above what stays. */
export const replanSweep: Replanner<SweepPolicy> = (plan, phase, snapshot, settled, policy) =>
  replanTasks(tasksOfSweep(policy), plan, phase, snapshot, settled, policy)

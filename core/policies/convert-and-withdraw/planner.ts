// Plans a run of a convert-and-withdraw policy: one withdrawal with a conversion before it. Pure.
import type { ConvertAndWithdrawPolicy } from '../../contract/policies.ts'
import type { Planner, Replanner } from '../../planning/planner.ts'
import { planTasks } from '../../planning/sweep/plan-tasks.ts'
import { replanTasks } from '../../planning/sweep/replan.ts'
import { withdrawalsOf } from '../kinds.ts'

/**
 * An amount of one asset, or everything above `keep`, goes to a saved contact as another asset. There are two phases: the
 * conversion, and the withdrawal of its proceeds. An `amount` goes whole or not at all.
 */
export const planConvertAndWithdraw: Planner<ConvertAndWithdrawPolicy> = (name, policy, snapshot) =>
  planTasks(name, policy, snapshot, withdrawalsOf(policy))

/** The real proceeds are withdrawn, whether they are more or less than planned. */
export const replanConvertAndWithdraw: Replanner<ConvertAndWithdrawPolicy> = (phase) =>
  replanTasks(phase, withdrawalsOf(phase.policy))

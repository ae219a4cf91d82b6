// Plans a run of a convert-and-withdraw policy, which is one withdrawal with a conversion ahead of it. Pure.
import type { ConvertAndWithdrawPolicy } from '../../contract/policies.ts'
import type { Planner, Replanner } from '../../planning/planner.ts'
import { planTasks } from '../../planning/sweep/plan-tasks.ts'
import { replanTasks } from '../../planning/sweep/replan.ts'

/**
 * An amount of one asset, or all above what stays of it, goes to a saved contact as another. Two phases: the conversion,
 * and the withdrawal of what it brought. An `amount` goes as a whole or not at all.
 */
export const planConvertAndWithdraw: Planner<ConvertAndWithdrawPolicy> = planTasks

/** What the fills brought goes, also where that is more or less than the plan said. */
export const replanConvertAndWithdraw: Replanner<ConvertAndWithdrawPolicy> = replanTasks

// Convert and withdraw: an amount of one asset, or all above what stays of it, goes to a saved contact as another.
import type { ConvertAndWithdrawPolicy } from '../../contract/policies.ts'
import type { Planner, Replanner } from '../planner.ts'
import { replanTasks } from './replan.ts'
import { planTasks } from './sweep-tasks.ts'
import { taskOfPayment } from './task.ts'

/** Two phases: the conversion, and the withdrawal of what it brought. An `amount` goes as a whole or not at all. */
export const planConvertAndWithdraw: Planner<ConvertAndWithdrawPolicy> = (name, policy, snapshot) =>
  planTasks(name, policy, [taskOfPayment(policy)], snapshot)

/** What the fills brought goes, also where that is more or less than the plan said. */
export const replanConvertAndWithdraw: Replanner<ConvertAndWithdrawPolicy> = (plan, phase, snapshot, settled, policy) =>
  replanTasks([taskOfPayment(policy)], plan, phase, snapshot, settled, policy)

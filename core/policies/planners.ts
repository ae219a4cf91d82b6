// Lists the planners of all policy kinds. Only the steps that plan load this file; all other code uses `kinds.ts`.
import type { Policy, PolicyKind } from '../contract/policies.ts'
import type { KindPlanner, Planner, Replanner } from '../planning/planner.ts'
import { planConvertAndWithdraw, replanConvertAndWithdraw } from './convert-and-withdraw/planner.ts'
import { planConvertOnArrival, replanConvertOnArrival } from './convert-on-arrival/planner.ts'
import { planFund, replanFund } from './fund/planner.ts'
import type { OfKind } from './kind.ts'
import { planPayouts, replanPayouts } from './payouts/planner.ts'
import { planRebalance, replanRebalance } from './rebalance/planner.ts'
import { planSweep, replanSweep } from './sweep/planner.ts'

const planners = {
  rebalance: { plan: planRebalance, replan: replanRebalance },
  fund: { plan: planFund, replan: replanFund },
  'convert-on-arrival': { plan: planConvertOnArrival, replan: replanConvertOnArrival },
  sweep: { plan: planSweep, replan: replanSweep },
  'convert-and-withdraw': { plan: planConvertAndWithdraw, replan: replanConvertAndWithdraw },
  payouts: { plan: planPayouts, replan: replanPayouts },
} satisfies { readonly [K in PolicyKind]: KindPlanner<OfKind<K>> }

export const planPolicy: Planner<Policy> = (name, policy, snapshot) => plannerOf(policy).plan(name, policy, snapshot)

export const replanPolicy: Replanner = (phase) => plannerOf(phase.policy).replan(phase)

/** Returns the planner of this policy. Its methods must get no other policy. */
function plannerOf(policy: Policy): KindPlanner {
  return planners[policy.kind]
}

// Bundle file of the functions for runs of policies. A function's handler is `runs.<verb>`.
import { Verb } from '../core/contract/states.ts'
import { makePlanRebalanceHandler } from './plan-rebalance/handler.ts'
import { makePlanSweepHandler } from './plan-sweep/handler.ts'
import { initialise } from './runtime/initialise.ts'
import { makeSettleRunHandler } from './settle-run/handler.ts'

// The entry of the bundle waits for this before the first event (infra/bundle/bundle.ts).
export { warmedUp } from './runtime/warm-up.ts'

export const planRebalance = initialise(Verb.PlanRebalance, makePlanRebalanceHandler)
export const planSweep = initialise(Verb.PlanSweep, makePlanSweepHandler)
export const settleRun = initialise(Verb.SettleRun, makeSettleRunHandler)

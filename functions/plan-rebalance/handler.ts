// Handler of the states PlanRebalance and PlanAgain. It connects its clients, and passes each event to
// plan-rebalance.ts.
import { planInput } from '../../core/contract/runs.ts'
import { Verb } from '../../core/contract/states.ts'
import { frameHandler, type MakeHandler } from '../runtime/handler.ts'
import { wireRunPorts } from '../runtime/run-wiring.ts'
import { planRebalance } from './plan-rebalance.ts'

export const makePlanRebalanceHandler: MakeHandler = (env) => {
  const portsOfCall = wireRunPorts(env)
  return frameHandler(Verb.PlanRebalance, planInput, (input) => planRebalance(input, portsOfCall()))
}

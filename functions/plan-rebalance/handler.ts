// The function behind the states PlanRebalance and PlanAgain: wires its clients, hands the event to the decision.
import { planInput } from '../contract/runs.ts'
import { Verb } from '../contract/states.ts'
import { frameHandler, type MakeHandler } from '../shared/lambda/handler.ts'
import { wireRunPorts } from '../shared/lambda/run-wiring.ts'
import { planRebalance } from './plan-rebalance.ts'

export const makePlanRebalanceHandler: MakeHandler = (env) => {
  const ports = wireRunPorts(env)
  return frameHandler(Verb.PlanRebalance, planInput, (input) => planRebalance(input, ports))
}

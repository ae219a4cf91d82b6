// The function behind the state PlanSweep: wires its clients, hands the event to the decision.
import { planInput } from '../contract/runs.ts'
import { Verb } from '../contract/states.ts'
import { frameHandler, type MakeHandler } from '../shared/lambda/handler.ts'
import { wireRunPorts } from '../shared/lambda/run-wiring.ts'
import { planSweep } from './plan-sweep.ts'

export const makePlanSweepHandler: MakeHandler = (env) => {
  const ports = wireRunPorts(env)
  return frameHandler(Verb.PlanSweep, planInput, (input) => planSweep(input, ports))
}

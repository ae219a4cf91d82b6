// Handler of the state PlanSweep. It connects its clients, and passes each event to plan-sweep.ts.
import { planInput } from '../../core/contract/runs.ts'
import { Verb } from '../../core/contract/states.ts'
import { frameHandler, type MakeHandler } from '../runtime/handler.ts'
import { wireRunPorts } from '../runtime/run-wiring.ts'
import { planSweep } from './plan-sweep.ts'

export const makePlanSweepHandler: MakeHandler = (env) => {
  const portsOfCall = wireRunPorts(env)
  return frameHandler(Verb.PlanSweep, planInput, (input) => planSweep(input, portsOfCall()))
}

// The function behind the state SettleRun: wires its clients, hands the event to the decision.
import { settleRunInput } from '../contract/runs.ts'
import { Verb } from '../contract/states.ts'
import { frameHandler, type MakeHandler } from '../shared/lambda/handler.ts'
import { wireRunPorts } from '../shared/lambda/run-wiring.ts'
import { settleRun } from './settle-run.ts'

export const makeSettleRunHandler: MakeHandler = (env) => {
  const ports = wireRunPorts(env)
  return frameHandler(Verb.SettleRun, settleRunInput, (input) => settleRun(input, ports))
}

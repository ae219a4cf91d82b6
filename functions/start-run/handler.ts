// The function that schedules and events reach: wires its clients, hands the event to the decision.
import { Verb } from '../contract/states.ts'
import { startRunInput } from '../contract/triggers.ts'
import { readTreasuryFile } from '../shared/lambda/environment.ts'
import { frameHandler, type MakeHandler } from '../shared/lambda/handler.ts'
import { wireStarter } from '../shared/lambda/trigger-wiring.ts'
import { startRun } from './start-run.ts'

export const makeStartRunHandler: MakeHandler = (env) => {
  const ports = { policies: readTreasuryFile(env).policies, starter: wireStarter(env) }
  return frameHandler(Verb.StartRun, startRunInput, (event) => startRun(event, ports))
}

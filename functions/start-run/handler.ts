// The function that schedules and events reach: wires its clients, hands the event to the decision.
import { Verb } from '../../core/contract/states.ts'
import { StartOutcome, startRunInput } from '../../core/contract/triggers.ts'
import { readTreasuryFile } from '../runtime/environment.ts'
import { frameHandler, type MakeHandler } from '../runtime/handler.ts'
import { wireStarter, wireVerification } from '../runtime/trigger-wiring.ts'
import { startRun } from './start-run.ts'

export const makeStartRunHandler: MakeHandler = (env) => {
  const { policies } = readTreasuryFile(env)
  const ports = { policies, starter: wireStarter(env), isVerified: wireVerification(env) }
  return frameHandler(
    Verb.StartRun,
    startRunInput,
    (event) => startRun(event, ports),
    ({ outcome }) => (outcome === StartOutcome.NotVerified ? { UnverifiedStarts: 1 } : {}),
  )
}

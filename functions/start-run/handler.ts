// Handler of StartRun, which schedules and events call. It connects its clients, and passes each event to start-run.ts.
import { systemClock } from '../../core/clock.ts'
import { Verb } from '../../core/contract/states.ts'
import { StartOutcome, startRunInput } from '../../core/contract/triggers.ts'
import { readTreasuryFile } from '../runtime/deployed-configuration.ts'
import { frameHandler, type MakeHandler } from '../runtime/handler.ts'
import { wireStarter, wireStartRecords } from '../runtime/trigger-wiring.ts'
import { startRun } from './start-run.ts'

export const makeStartRunHandler: MakeHandler = (env) => {
  const { policies } = readTreasuryFile(env)
  const ports = { ...wireStartRecords(env), policies, starter: wireStarter(env), clock: systemClock }
  return frameHandler(
    Verb.StartRun,
    startRunInput,
    (event) => startRun(event, ports),
    ({ outcome }) => (outcome === StartOutcome.NotVerified ? { UnverifiedStarts: 1 } : {}),
  )
}

// Handler of the queue of deposits. It connects its clients, passes each message to start-on-deposit.ts, and names the
// messages of a batch that must be delivered again.
import { systemClock } from '../../core/clock.ts'
import { Verb } from '../../core/contract/states.ts'
import { DepositOutcome, type DepositReport, depositStart } from '../../core/contract/triggers.ts'
import { readTreasuryFile } from '../runtime/deployed-configuration.ts'
import { frameHandler, type MakeHandler } from '../runtime/handler.ts'
import { frameQueue } from '../runtime/queue-frame.ts'
import { wireDepositRecords, wireStarter } from '../runtime/trigger-wiring.ts'
import { startOnDeposit } from './start-on-deposit.ts'

export const makeStartOnDepositHandler: MakeHandler = (env) => {
  const { policies } = readTreasuryFile(env)
  const ports = { ...wireDepositRecords(env), policies, starter: wireStarter(env), clock: systemClock }
  const start = frameHandler(
    Verb.StartOnDeposit,
    depositStart,
    (deposit) => startOnDeposit(deposit, ports),
    ({ outcome }) => (outcome === DepositOutcome.NotVerified ? { UnverifiedStarts: 1 } : {}),
  )
  // One after the other, so that each message has its own log line.
  return frameQueue<DepositReport>(
    Verb.StartOnDeposit,
    start,
    ({ outcome }) => outcome !== DepositOutcome.NotVerified,
    { inParallel: false },
  )
}

// Handler of the queue of payout files. It connects its clients, passes each message to start-on-file.ts, and names the
// messages of a batch that must be delivered again.
import { systemClock } from '../../core/clock.ts'
import { Verb } from '../../core/contract/states.ts'
import { FileOutcome, type FileReport, objectCreated } from '../../core/contract/triggers.ts'
import { readTreasuryFile } from '../runtime/deployed-configuration.ts'
import { wireFileRecords, wireReport, wireVersions } from '../runtime/file-wiring.ts'
import { frameHandler, type MakeHandler } from '../runtime/handler.ts'
import { frameQueue } from '../runtime/queue-frame.ts'
import { wireStarter } from '../runtime/trigger-wiring.ts'
import { startOnFile } from './start-on-file.ts'

/** After these the message leaves the queue. */
const ENDS: ReadonlySet<FileOutcome> = new Set([FileOutcome.Done, FileOutcome.Refused, FileOutcome.NotAwaited])

export const makeStartOnFileHandler: MakeHandler = (env) => {
  const { policies } = readTreasuryFile(env)
  const ports = {
    ...wireFileRecords(env),
    ...{ policies, starter: wireStarter(env), clock: systemClock },
    ...{ readVersion: wireVersions(), report: wireReport(env) },
  }
  const start = frameHandler(
    Verb.StartOnFile,
    objectCreated,
    (created) => startOnFile(created, ports),
    ({ outcome }) => (outcome === FileOutcome.NotVerified ? { UnverifiedStarts: 1 } : {}),
  )
  // One after the other, so that each message has its own log line.
  return frameQueue<FileReport>(Verb.StartOnFile, start, ({ outcome }) => ENDS.has(outcome), { inParallel: false })
}

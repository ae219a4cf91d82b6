// Handler of the queue of payout files. It connects its clients, passes each message to start-on-file.ts, and names the
// messages of a batch that must be delivered again.
import { systemClock } from '../../core/clock.ts'
import { Verb } from '../../core/contract/states.ts'
import { FileOutcome, objectCreated, queuedMessages } from '../../core/contract/triggers.ts'
import { SluiceError } from '../../core/errors.ts'
import { parseWith } from '../../core/parse.ts'
import { readTreasuryFile } from '../runtime/deployed-configuration.ts'
import { wireFileRecords, wireReport, wireVersions } from '../runtime/file-wiring.ts'
import { frameHandler, type MakeHandler } from '../runtime/handler.ts'
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
  return async (event, context) => {
    const { Records } = parseWith(queuedMessages, event, Verb.StartOnFile)
    const isTaken = async (body: string): Promise<boolean> => {
      try {
        // The frame returns the decision's result without its type.
        const { outcome } = (await start(parsed(body), context)) as { readonly outcome: FileOutcome }
        return ENDS.has(outcome)
      } catch (error) {
        // The frame has logged the error. The queue delivers the message again, and finally keeps it as a dead letter.
        if (error instanceof SluiceError) return false
        throw error
      }
    }
    const failed: string[] = []
    // One after the other, so that each message has its own log line.
    for (const { messageId, body } of Records) if (!(await isTaken(body))) failed.push(messageId)
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) }
  }
}

/** For a text that is not JSON the schema throws Refused, with the field's name. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

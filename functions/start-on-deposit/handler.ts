// Handler of the queue of deposits. It connects its clients, passes each message to start-on-deposit.ts, and names the
// messages of a batch that must be delivered again.
import { systemClock } from '../../core/clock.ts'
import { Verb } from '../../core/contract/states.ts'
import { DepositOutcome, depositStart, queuedMessages } from '../../core/contract/triggers.ts'
import { SluiceError } from '../../core/errors.ts'
import { parseWith } from '../../core/parse.ts'
import { readTreasuryFile } from '../runtime/deployed-configuration.ts'
import { frameHandler, type MakeHandler } from '../runtime/handler.ts'
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
  return async (event, context) => {
    const { Records } = parseWith(queuedMessages, event, Verb.StartOnDeposit)
    const isTaken = async (body: string): Promise<boolean> => {
      try {
        // The frame returns the decision's result without its type.
        const { outcome } = (await start(parsed(body), context)) as { readonly outcome: DepositOutcome }
        return outcome !== DepositOutcome.NotVerified
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

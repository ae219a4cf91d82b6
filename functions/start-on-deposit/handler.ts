// The function that empties the queue of deposits: wires its clients, hands each message to the decision, and says which of a
// batch are to come again.
import { systemClock } from '../../core/clock.ts'
import { Verb } from '../../core/contract/states.ts'
import { DepositOutcome, depositStart, queuedMessages } from '../../core/contract/triggers.ts'
import { SluiceError } from '../../core/errors.ts'
import { parseWith } from '../../core/parse.ts'
import { readTreasuryFile } from '../runtime/environment.ts'
import { frameHandler, type MakeHandler } from '../runtime/handler.ts'
import { wireDepositRecords, wireStarter } from '../runtime/trigger-wiring.ts'
import { startOnDeposit } from './start-on-deposit.ts'

export const makeStartOnDepositHandler: MakeHandler = (env) => {
  const { policies } = readTreasuryFile(env)
  const ports = { ...wireDepositRecords(env), policies, starter: wireStarter(env), clock: systemClock }
  const start = frameHandler(
    Verb.StartOnDeposit,
    depositStart,
    (asked) => startOnDeposit(asked, ports),
    ({ outcome }) => (outcome === DepositOutcome.NotVerified ? { UnverifiedStarts: 1 } : {}),
  )
  return async (event, context) => {
    const { Records } = parseWith(queuedMessages, event, Verb.StartOnDeposit)
    const isTaken = async (body: string): Promise<boolean> => {
      try {
        // The frame hands on what the decision returned, and knows no type of it.
        const { outcome } = (await start(parsed(body), context)) as { readonly outcome: DepositOutcome }
        return outcome !== DepositOutcome.NotVerified
      } catch (error) {
        // The frame has told it. The queue hands the message over again, and keeps it as a dead letter in the end.
        if (error instanceof SluiceError) return false
        throw error
      }
    }
    const failed: string[] = []
    // One after the other: each has a line of the log of its own.
    for (const { messageId, body } of Records) if (!(await isTaken(body))) failed.push(messageId)
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) }
  }
}

/** What is no JSON is refused by the schema, with its field's name. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

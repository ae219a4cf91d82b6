// The function that empties the queue of notices: wires its clients, hands each message to the decision, and says which of a
// batch are to come again. A person may have it send a test, and is told what came of it.

import { Verb } from '../../core/contract/states.ts'
import { noticeTest, queuedNotice } from '../../core/contract/told-notices.ts'
import { queuedMessages } from '../../core/contract/triggers.ts'
import { SluiceError } from '../../core/errors.ts'
import { parseWith } from '../../core/parse.ts'
import { frameHandler, type MakeHandler } from '../runtime/handler.ts'
import { wireNotices } from '../runtime/notice-wiring.ts'
import { notify, notifyTest } from './notify.ts'

export const makeNotifyHandler: MakeHandler = (env) => {
  const ports = wireNotices(env)
  const handle = frameHandler(Verb.Notify, queuedNotice, (queued) => notify(queued, ports))
  const test = frameHandler(Verb.Notify, noticeTest, (asked) => notifyTest(asked, ports))
  return async (event, context) => {
    if (noticeTest.safeParse(event).success) return test(event, context)
    const { Records } = parseWith(queuedMessages, event, Verb.Notify)
    const isTaken = async (body: string): Promise<boolean> => {
      try {
        await handle(parsed(body), context)
        return true
      } catch (error) {
        // The frame has told it. The queue hands the message over again, and keeps it as a dead letter in the end.
        if (error instanceof SluiceError) return false
        throw error
      }
    }
    // Side by side: a receiver that hangs holds up no other.
    const taken = await Promise.all(
      Records.map(async ({ body, messageId }) => ({ messageId, isTaken: await isTaken(body) })),
    )
    return {
      batchItemFailures: taken.flatMap((each) => (each.isTaken ? [] : [{ itemIdentifier: each.messageId }])),
    }
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

// Handler of the queue of notices. It connects its clients, passes each message to notify.ts, and names the messages of
// a batch that must be delivered again. A person may ask it to send a test, and gets the result.

import { noticeTest, queuedNotice } from '../../core/contract/sent-notices.ts'
import { Verb } from '../../core/contract/states.ts'
import { queuedMessages } from '../../core/contract/triggers.ts'
import { SluiceError } from '../../core/errors.ts'
import { parseWith } from '../../core/parse.ts'
import { frameHandler, type MakeHandler } from '../runtime/handler.ts'
import { wireNotices } from '../runtime/notice-wiring.ts'
import { notify, notifyTest } from './notify.ts'

export const makeNotifyHandler: MakeHandler = (env) => {
  const ports = wireNotices(env)
  const handle = frameHandler(Verb.Notify, queuedNotice, (queued) => notify(queued, ports))
  const test = frameHandler(Verb.Notify, noticeTest, (request) => notifyTest(request, ports))
  return async (event, context) => {
    if (noticeTest.safeParse(event).success) return test(event, context)
    const { Records } = parseWith(queuedMessages, event, Verb.Notify)
    const isTaken = async (body: string): Promise<boolean> => {
      try {
        await handle(parsed(body), context)
        return true
      } catch (error) {
        // The frame has logged the error. The queue delivers the message again, and finally keeps it as a dead letter.
        if (error instanceof SluiceError) return false
        throw error
      }
    }
    // In parallel, so that a slow receiver delays no other.
    const taken = await Promise.all(
      Records.map(async ({ body, messageId }) => ({ messageId, isTaken: await isTaken(body) })),
    )
    return {
      batchItemFailures: taken.flatMap((each) => (each.isTaken ? [] : [{ itemIdentifier: each.messageId }])),
    }
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

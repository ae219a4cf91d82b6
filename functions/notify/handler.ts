// Handler of the queue of notices. It connects its clients, passes each message to notify.ts, and names the messages of
// a batch that must be delivered again. A person may ask it to send a test, and gets the result.

import { noticeTest, queuedNotice } from '../../core/contract/sent-notices.ts'
import { Verb } from '../../core/contract/states.ts'
import { frameHandler, type MakeHandler } from '../runtime/handler.ts'
import { wireNotices } from '../runtime/notice-wiring.ts'
import { frameQueue } from '../runtime/queue-frame.ts'
import { notify, notifyTest } from './notify.ts'

export const makeNotifyHandler: MakeHandler = (env) => {
  const ports = wireNotices(env)
  const handle = frameHandler(Verb.Notify, queuedNotice, (queued) => notify(queued, ports))
  const test = frameHandler(Verb.Notify, noticeTest, (request) => notifyTest(request, ports))
  // In parallel, so that a slow receiver delays no other.
  const takeAll = frameQueue(Verb.Notify, handle, () => true, { inParallel: true })
  return async (event, context) => {
    const isTest = noticeTest.safeParse(event).success
    return isTest ? test(event, context) : takeAll(event, context)
  }
}

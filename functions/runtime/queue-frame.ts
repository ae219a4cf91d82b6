// Frames a function behind a queue: passes each message of a batch on, and names those that must be delivered again.

import { findJson } from '../../core/contract/find-json.ts'
import type { Verb } from '../../core/contract/states.ts'
import { queuedMessages } from '../../core/contract/triggers.ts'
import { SluiceError } from '../../core/errors.ts'
import { parseWith } from '../../core/parse.ts'
import type { LambdaHandler } from './handler.ts'

/**
 * `handle`: the framed decision about one message. For a text that is not JSON its schema throws Refused. `isTaken`:
 * whether the message leaves the queue after this answer. `inParallel`: otherwise one after the other.
 */
export function frameQueue<Answer>(
  verb: Verb,
  handle: LambdaHandler,
  isTaken: (answer: Answer) => boolean,
  { inParallel }: { readonly inParallel: boolean },
): LambdaHandler {
  return async (event, context) => {
    const { Records } = parseWith(queuedMessages, event, verb)
    const failed = new Set<string>()
    const take = async ({ messageId, body }: (typeof Records)[number]): Promise<void> => {
      try {
        // The frame returns the decision's result without its type.
        if (!isTaken((await handle(findJson(body), context)) as Answer)) failed.add(messageId)
      } catch (error) {
        // The frame has logged the error. The queue delivers the message again, and finally keeps it as a dead letter.
        if (!(error instanceof SluiceError)) throw error
        failed.add(messageId)
      }
    }
    if (inParallel) await Promise.all(Records.map(take))
    else for (const record of Records) await take(record)
    const again = Records.filter(({ messageId }) => failed.has(messageId))
    return { batchItemFailures: again.map(({ messageId }) => ({ itemIdentifier: messageId })) }
  }
}

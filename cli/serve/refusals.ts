// Reports events and starts that were refused. The report comes at once, with id, source and type, because the retries take
// three minutes and change nothing. When the queue keeps a dead letter, the letter is reported too. It decides nothing.

import type { FailedInvocation } from '@sluice/embedded-aws'
import { ErrorName } from '../../core/contract/errors.ts'
import {
  type AskingEvent,
  askingText,
  type QueueMessage,
  readAsking,
  readDeadLetter,
} from '../../place/events/dead-letter.ts'
import type { Progress } from '../../place/progress.ts'

export interface Refusals {
  /** An attempt of a function failed. */
  failed(failed: FailedInvocation): void
  /** A queue keeps a new letter. */
  kept(queue: string, message: QueueMessage): void
}

/** Maximum reported events whose letter has not come. The oldest are forgotten, and are then reported twice. */
const MOST_REMEMBERED = 10_000

export function createRefusals(progress: Pick<Progress, 'line'>, write: (facts: object) => void): Refusals {
  const reported = new Set<string>()
  const facts = ({ id, source, detailType }: AskingEvent) => ({ id, source, detailType })
  return {
    failed({ errorMessage, errorType, onFailureArn, payload }) {
      // After other errors a retry may still succeed.
      if (errorType !== ErrorName.Refused) return
      const asked = readAsking(JSON.parse(payload))
      const key = keyOf(asked)
      if (reported.has(key)) return
      reported.add(key)
      for (const oldest of reported) {
        if (reported.size <= MOST_REMEMBERED) break
        reported.delete(oldest)
      }
      const reason = `${errorType}: ${errorMessage}`
      progress.line({ label: 'refused', text: `${askingText(asked)}: ${reason}`, tone: 'bad' })
      write({ event: 'refused', queue: onFailureArn?.split(':').at(-1), reason, ...facts(asked) })
    },
    kept(queue, message) {
      const { asked, letterId, reason } = readDeadLetter(message)
      const wasReported = reported.delete(keyOf(asked))
      const text = wasReported ? `dead letter ${letterId}` : `${reason}; dead letter ${letterId}`
      const label = wasReported ? 'kept' : 'refused'
      progress.line({ label, text: `${askingText(asked)}: ${text}`, tone: wasReported ? 'plain' : 'bad' })
      write({ event: wasReported ? 'dead-letter' : 'refused', queue, reason, ...facts(asked), letter: letterId })
    },
  }
}

/** Unique for each time that an event was put, or that a schedule fired. */
function keyOf({ detailType, eventId, id }: AskingEvent): string {
  return eventId ?? `${detailType} ${id}`
}

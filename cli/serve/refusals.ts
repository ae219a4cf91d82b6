// What `sluice serve` says of events and starts that came to nothing. One that is refused is told at once, with its id,
// source and type: the retries, which change nothing, take three minutes. When it is kept as a dead letter it is told
// with the letter. It decides nothing.

import type { FailedInvocation } from '@sluice/embedded-aws'
import { ErrorName } from '../../core/contract/errors.ts'
import {
  type AskingEvent,
  askingText,
  type QueueMessage,
  readAsking,
  readDeadLetter,
} from '../../operations/connection/events/dead-letter.ts'
import type { Progress } from '../../operations/progress.ts'

export interface Refusals {
  /** An attempt of a function failed. */
  failed(failed: FailedInvocation): void
  /** A queue keeps a new letter. */
  kept(queue: string, message: QueueMessage): void
}

/** Of events that were told before their letter came. The oldest are forgotten: they are told once more. */
const MOST_REMEMBERED = 10_000

export function createRefusals(progress: Pick<Progress, 'line'>, write: (facts: object) => void): Refusals {
  const told = new Set<string>()
  const facts = ({ id, source, detailType }: AskingEvent) => ({ id, source, detailType })
  return {
    failed({ errorMessage, errorType, onFailureArn, payload }) {
      // What may still come of the others is not known.
      if (errorType !== ErrorName.Refused) return
      const asked = readAsking(JSON.parse(payload))
      const key = keyOf(asked)
      if (told.has(key)) return
      told.add(key)
      for (const oldest of told) {
        if (told.size <= MOST_REMEMBERED) break
        told.delete(oldest)
      }
      const reason = `${errorType}: ${errorMessage}`
      progress.line({ label: 'refused', text: `${askingText(asked)}: ${reason}`, tone: 'bad' })
      write({ event: 'refused', queue: onFailureArn?.split(':').at(-1), reason, ...facts(asked) })
    },
    kept(queue, message) {
      const { asked, letterId, reason } = readDeadLetter(message)
      const wasTold = told.delete(keyOf(asked))
      const text = wasTold ? `dead letter ${letterId}` : `${reason}; dead letter ${letterId}`
      const label = wasTold ? 'kept' : 'refused'
      progress.line({ label, text: `${askingText(asked)}: ${text}`, tone: wasTold ? 'plain' : 'bad' })
      write({ event: wasTold ? 'dead-letter' : 'refused', queue, reason, ...facts(asked), letter: letterId })
    },
  }
}

/** One for each time that an event was put, and for each time of a schedule. */
function keyOf({ detailType, eventId, id }: AskingEvent): string {
  return eventId ?? `${detailType} ${id}`
}

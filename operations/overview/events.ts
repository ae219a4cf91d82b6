// Reads the page of events: the dead letters with what can be done about each, and the notices of treasury.json. The
// letters need a process that serves, or AWS. Reads only.

import type { Notice } from '../../core/contract/notices.ts'
import type { Policies } from '../../core/triggers/policy-start.ts'
import type { KeptLetter } from '../../place/events/dead-letter-queue.ts'
import { withEventConnection } from '../../place/events/event-connection.ts'
import { operationErrorOf } from '../../place/operation-error.ts'
import { atJournal, type Everywhere, type Reader } from '../../place/reader.ts'
import { ageText, letterText } from '../events/find-letter.ts'
import { resendable } from '../events/resendable.ts'
import { shownDetail } from '../events/shown-detail.ts'
import { factText } from '../words/request-words.ts'

export interface ShownLetter {
  readonly letterId: string
  /** Its event, in words. */
  readonly about: string
  readonly reason: string
  readonly sentAt: string
  readonly age: string
  readonly asksFor: string
  /** Why its event cannot be put again, and what to do instead. Absent: it can. */
  readonly whyNot?: string
}

type FoundLetters =
  | { readonly letters: readonly ShownLetter[]; readonly hasMore: boolean; readonly hidden: number }
  /** Why they could not be read. */
  | { readonly unread: string }

export interface EventsPage extends Everywhere {
  readonly found: FoundLetters
  readonly notices: readonly Notice[]
}

const LETTERS_SHOWN = 100

export function readEvents(reader: Reader): Promise<EventsPage> {
  return atJournal(reader, async ({ treasury }) => ({
    found: await findLetters(reader),
    notices: treasury.notices ?? [],
  }))
}

function findLetters({ flags, context }: Reader): Promise<FoundLetters> {
  return withEventConnection(flags, 'queue', context, async ({ deadLetters, account, treasury }) => {
    const { letters, hasMore, hidden } = await deadLetters.look(LETTERS_SHOWN)
    return { letters: letters.map((letter) => shownOf(letter, account, treasury.policies)), hasMore, hidden }
  }).catch((error: unknown) => ({ unread: operationErrorOf(error).message }))
}

function shownOf(letter: KeptLetter, account: string, policies: Policies): ShownLetter {
  const { letterId, asked, reason, sentAt, ageSeconds } = letter
  const can = resendable(asked, account, policies)
  return {
    ...{ letterId, about: letterText(letter), reason, sentAt, age: ageText(ageSeconds) },
    asksFor: factText(shownDetail(asked.detail).shown),
    ...('why' in can && { whyNot: `${can.why}; ${can.instead}${can.isToDrop ? ', and then drop the letter' : ''}` }),
  }
}

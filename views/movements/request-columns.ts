// Defines the columns of the list of requests, at a terminal and as CSV. Puts a foreign movement into words, and says
// of a movement under way what it waits for. Pure.

import type { ForeignMovement } from '../../operations/movements/find-records.ts'
import { type RequestRow, stateTextOf } from '../../operations/movements/request-row.ts'
import type { OnTheWay, Stalled } from '../../operations/movements/under-way.ts'
import type { Column } from '../../operations/words/column.ts'

export const ASKED_COLUMNS: readonly Column<RequestRow>[] = [
  { title: 'asked at', text: ({ at }) => at, isTime: true },
  { title: 'kind', text: ({ kind }) => kind },
  { title: 'asked', text: ({ asked }) => asked, cutTo: 16 },
  { title: 'outcome', text: stateTextOf },
  { title: 'policy', text: ({ policy = '' }) => policy, isDetail: true },
  { title: 'run', text: ({ run = '' }) => run, isDetail: true },
  { title: 'event', text: ({ requestId = '' }) => requestId, isDetail: true },
  { title: 'own id', text: ({ ownId = '' }) => ownId, isDetail: true },
  { title: 'id', text: ({ id }) => id, isId: true },
  { title: 'movement', text: ({ movementId = '' }) => movementId, isId: true },
]

/** Names and reasons are unescaped. The caller makes them printable. */
export function foreignText({ kind, id, word }: ForeignMovement): string {
  const declared =
    word === undefined
      ? 'the journal claims this movement for others, by no word of a person'
      : `${word.by} declared this movement to be somebody else's at ${word.at}: ${word.because}`
  return `${id} (${kind}): ${declared}; no intent of this journal has it`
}

export const STALLED_NEXT: Readonly<Record<Stalled['cause'], string>> = {
  'key refused': 'put the right key in its place: then it continues by itself, within its time',
  'refund due': 'ask the operator of the service what became of it; the ledger is read again until it shows the refund',
}

export function onTheWayText({ asked, since, isRefundDue }: Pick<OnTheWay, 'asked' | 'since' | 'isRefundDue'>): string {
  const known = isRefundDue === true ? 'calls it failed, and shows no refund' : 'accepted it, and its end is not known'
  return `${asked} is sent and not confirmed since ${since}: the service ${known}`
}

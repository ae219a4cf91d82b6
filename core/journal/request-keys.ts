// Makes the keys of a record in the index `asked`: the month and the moment. Those of an intent or a run are of the
// request and never change, so they cost only one write of the index. A record of people's acts has those of its latest
// act. Pure.
import { ASKED_AT_KEY, ASKED_KEY, PEOPLES_ACTS, type RequestList, requestListIn } from '../contract/records.ts'
import type { RecordFields } from './record-store.ts'

/** `at`: ISO-8601. An unreadable time gives no keys, and the record is then in no list. */
export function requestKeys(list: RequestList | typeof PEOPLES_ACTS, at: string, pk: string): RecordFields {
  const atMs = Date.parse(at)
  if (Number.isNaN(atMs)) return {}
  const moment = new Date(atMs).toISOString()
  // The record's key separates requests of the same moment.
  return { [ASKED_KEY]: requestListIn(list, moment.slice(0, 7)), [ASKED_AT_KEY]: `${moment}#${pk}` }
}

/** The keys of a record in the list of people's acts. `at`: the time of its latest act. */
export function actKeys(at: string, pk: string): RecordFields {
  return requestKeys(PEOPLES_ACTS, at, pk)
}

/** The moment in a sort key of the index. */
export function momentOf(askedAt: string): string {
  return askedAt.slice(0, Math.max(0, askedAt.indexOf('#')))
}

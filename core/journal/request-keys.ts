// Makes the two keys of a record in the index by time, whose name on AWS is `asked`. The first key names a list and a
// month. The second key sorts the list by time. An intent or a run keeps the time of its request, so its keys never
// change, and its later writes do not write the index. A record of people's acts has the time of its latest act. Pure.
import { ASKED_AT_KEY, ASKED_KEY, PEOPLES_ACTS, type RequestList, requestListIn } from '../contract/records.ts'
import type { RecordFields } from './record-store.ts'

/** `at`: ISO-8601. `pk`: the record's key. An unreadable time gives no keys, and the record is then in no list. */
export function requestKeys(list: RequestList | typeof PEOPLES_ACTS, at: string, pk: string): RecordFields {
  const atMs = Date.parse(at)
  if (Number.isNaN(atMs)) return {}
  const moment = new Date(atMs).toISOString()
  // The record's key keeps two requests of the same moment apart.
  return { [ASKED_KEY]: requestListIn(list, moment.slice(0, 7)), [ASKED_AT_KEY]: `${moment}#${pk}` }
}

/** Makes the keys of a record in the list of people's acts. `at`: the time of its latest act. */
export function actKeys(at: string, pk: string): RecordFields {
  return requestKeys(PEOPLES_ACTS, at, pk)
}

/** Returns the time in a sort key of the index. */
export function momentOf(sortKey: string): string {
  return sortKey.slice(0, Math.max(0, sortKey.indexOf('#')))
}

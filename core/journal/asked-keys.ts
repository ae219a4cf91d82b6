// By what the index `asked` lists an intent or a run: the month and the moment in which it was asked for. Part of the
// record from its first write on, and worked out of what never changes: so it costs one write of the index, and no second
// one. Pure.
import { ASKED_AT_KEY, ASKED_KEY, type AskedList, askedIn } from '../contract/records.ts'
import type { RecordFields } from './record-store.ts'

/** `at`: ISO-8601. Of a time that cannot be read, nothing: the record is then in no list. */
export function askedKeys(list: AskedList, at: string, pk: string): RecordFields {
  const atMs = Date.parse(at)
  if (Number.isNaN(atMs)) return {}
  const moment = new Date(atMs).toISOString()
  // The key of the record tells apart what was asked for in one moment.
  return { [ASKED_KEY]: askedIn(list, moment.slice(0, 7)), [ASKED_AT_KEY]: `${moment}#${pk}` }
}

/** The moment in a sort key of the index. */
export function momentOf(askedAt: string): string {
  return askedAt.slice(0, Math.max(0, askedAt.indexOf('#')))
}

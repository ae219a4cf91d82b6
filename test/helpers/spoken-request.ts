// Makes a signed decision and the record of its person's signed request, as the function Decide writes them.
import { recordKey } from '../../core/contract/records.ts'
import { Verb } from '../../core/contract/states.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'
import { hashParams } from '../../core/params-hash.ts'
import type { Subject } from '../../core/runs/approval/signed-decision.ts'
import type { Decision } from '../../core/runs/approval/standing.ts'
import { signed } from './decision-key.ts'

/** The decision with the key of its request, and the record of that request. `id`: of which the key is made. */
export function spokenRequest(word: Decision, subject: Subject, id: string) {
  const { decision, because, by, at } = word
  const pk = recordKey.spoken(Verb.Decide, id)
  const fields = { by, at, to: 'desk', asked: hashParams({ decision, because, ...subject }) }
  const request: StoredRecord = { pk, version: 1, format: 1, stamp: pk, ...fields }
  return { word: signed({ ...word, spoken: pk }, subject), request }
}

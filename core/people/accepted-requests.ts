// Owns the record of accepted signed requests: `N#<hash of the signature>`. It is written before the request is carried
// out, and never changed. So nobody can repeat an intercepted request in the signer's name.
import type { NewId } from '../clock.ts'
import { recordKey } from '../contract/records.ts'
import { Refused } from '../errors.ts'
import { putRecord, type RecordStore } from '../journal/record-store.ts'

/** The record of a request: who signed it, for which function, and when. */
export interface AcceptedRequest {
  readonly by: string
  readonly to: string
  readonly at: string
}

export type AcceptOnce = (signatureHash: string, spoken: AcceptedRequest) => Promise<void>

/** @throws Refused for a request that was already accepted; Transient */
export function createAcceptedRequests(store: RecordStore, newId: NewId): AcceptOnce {
  return async (signatureHash, spoken) => {
    const written = await putRecord({ store, newId }, recordKey.spoken(signatureHash), { ...spoken })
    if (written === 'stale') {
      throw new Refused(
        'this signed request was already accepted, and counts only once: give the command again, which signs it anew',
      )
    }
  }
}

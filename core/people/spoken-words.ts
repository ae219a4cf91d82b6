// Words of people that were taken: `N#<hash of the signature>`, one for each, written before anything is done for the word
// and never changed. So a word that somebody overheard cannot be said once more in its speaker's name.
import type { NewId } from '../clock.ts'
import { recordKey } from '../contract/records.ts'
import { Refused } from '../errors.ts'
import { putRecord, type RecordStore } from '../journal/record-store.ts'

/** What is kept of a word: whose it was, to which function, and when. */
export interface Spoken {
  readonly by: string
  readonly to: string
  readonly at: string
}

export type TakeWord = (signatureHash: string, spoken: Spoken) => Promise<void>

/** @throws Refused for a word that was taken before; Transient */
export function createSpokenWords(store: RecordStore, newId: NewId): TakeWord {
  return async (signatureHash, spoken) => {
    const written = await putRecord({ store, newId }, recordKey.spoken(signatureHash), { ...spoken })
    if (written === 'stale') {
      throw new Refused('this very word was taken before, and is not taken twice: say it again, which signs it anew')
    }
  }
}

// Whether the keys beside this journal were seen to work. Schedules wait for it, so that a deployment without a key, or
// with one that was never tried, starts nothing by itself. It says nothing of later: a key that is revoked meets its own
// faults. No movement rests on it.
import * as z from 'zod/mini'
import type { NewId } from '../clock.ts'
import { recordKey } from '../contract/records.ts'
import { checkRecord } from './record-format.ts'
import { putRecord, type RecordStore } from './record-store.ts'

const verificationFields = z.object({ at: z.string() })

/** Remembers a yes, for it never changes. @throws Transient, Defect */
export function createVerification(store: Pick<RecordStore, 'read'>): () => Promise<boolean> {
  let isKnown = false
  return async () => {
    isKnown ||= (await findVerifiedAt(store)) !== undefined
    return isKnown
  }
}

/** @param at ISO-8601. The first one is kept. @throws Transient */
export async function recordVerification(store: RecordStore, newId: NewId, at: string): Promise<void> {
  if ((await findVerifiedAt(store)) !== undefined) return
  // Who was quicker has said the same.
  await putRecord({ store, newId }, recordKey.verified, { at })
}

async function findVerifiedAt(store: Pick<RecordStore, 'read'>): Promise<string | undefined> {
  const record = await store.read(recordKey.verified)
  return record && checkRecord(verificationFields, record).at
}

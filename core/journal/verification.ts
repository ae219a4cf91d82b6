// Records when the keys of this deployment were verified. Schedules wait for this record, so that a deployment whose
// key is missing or untested starts nothing automatically. The record says nothing about later: a revoked key raises
// its own faults. No movement depends on the record.
import * as z from 'zod/mini'
import type { NewId } from '../clock.ts'
import { recordKey } from '../contract/records.ts'
import { checkRecord } from './record-format.ts'
import { putRecord, type RecordStore } from './record-store.ts'

const verificationFields = z.object({ at: z.string() })

/** Whether the keys were verified. Remembers a yes, which never changes. @throws Transient, Defect */
export function createVerification(store: RecordStore): () => Promise<boolean> {
  let isKnown = false
  return async () => {
    isKnown ||= (await findVerifiedAt(store)) !== undefined
    return isKnown
  }
}

/** @param at ISO-8601. The first value is kept. @throws Transient, Defect */
export async function recordVerification(store: RecordStore, newId: NewId, at: string): Promise<void> {
  if ((await findVerifiedAt(store)) !== undefined) return
  // If another process was quicker, it recorded the same fact.
  await putRecord({ store, newId }, recordKey.verified, { at })
}

/** ISO-8601. @throws Transient, Defect */
export async function findVerifiedAt(store: RecordStore): Promise<string | undefined> {
  const record = await store.read(recordKey.verified)
  return record && checkRecord(verificationFields, record).at
}

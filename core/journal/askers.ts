// Owns who asked for a single conversion or withdrawal: `Y#asked#<kind>#<intent>`, written once before the execution is
// started, and never changed. It is for the log of people and for lists. No step reads it, so no claim and no send
// depends on it.
import * as z from 'zod/mini'
import type { NewId } from '../clock.ts'
import { ownId } from '../contract/fields.ts'
import { type IntentKind, recordKey } from '../contract/records.ts'
import { checkRecord } from './record-format.ts'
import { putRecord, type RecordStore, type StoredRecord } from './record-store.ts'
import { actKeys } from './request-keys.ts'

const askerFields = z.object({
  by: z.string(),
  /** ISO-8601. */
  at: z.string(),
  /** Hash of the request (core/params-hash.ts). */
  requestHash: z.string(),
  /** The id that the person gave. */
  ownId: z.optional(ownId),
})
export type Asker = z.infer<typeof askerFields>

export interface Askers {
  /** @throws Transient, Defect */
  find(kind: IntentKind, intentId: string): Promise<Asker | undefined>
  /** Writes the record if nobody asked for this intent before. Returns the first asker. @throws Transient, Defect */
  record(kind: IntentKind, intentId: string, asker: Asker): Promise<Asker>
}

/** @throws Defect for a record with wrong fields */
export function askerIn(record: StoredRecord): Asker {
  return checkRecord(askerFields, record)
}

export function createAskers(store: RecordStore, newId: NewId): Askers {
  const find: Askers['find'] = async (kind, intentId) => {
    const record = await store.read(recordKey.asked(kind, intentId))
    return record && askerIn(record)
  }
  return {
    find,
    async record(kind, intentId, { by, at, requestHash, ownId }) {
      const pk = recordKey.asked(kind, intentId)
      const asker = { by, at, requestHash, ...(ownId !== undefined && { ownId }) }
      if ((await putRecord({ store, newId }, pk, { ...asker, ...actKeys(at, pk) })) === 'written') return asker
      return (await find(kind, intentId)) ?? asker
    },
  }
}

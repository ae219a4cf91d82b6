// A watermark records how far a walk has got, so that the next walk continues there. It also has the findings that the
// next walk will meet again. A watermark moves only after a complete walk. If two walks run at once, the first to end
// moves it.

import * as z from 'zod/mini'
import type { NewId } from '../clock.ts'
import { recordKey } from '../contract/records.ts'
import { hashParams } from '../params-hash.ts'
import { checkRecord } from './record-format.ts'
import { putOver, type RecordStore, type StoredRecord } from './record-store.ts'

/** Hex digits, 96 bits. If two findings had the same key, only one would be reported. */
const KEY_LENGTH = 24

const walkedFields = z.object({
  /** ISO-8601. */
  through: z.string(),
  /** Keys of reported findings that the next walk meets again. */
  told: z.array(z.string()),
  /** ISO-8601 by key: since when a finding is seen that is not reported yet. */
  seenSince: z.record(z.string(), z.string()),
})
export type Walked = z.infer<typeof walkedFields>

export interface Watermark extends Walked {
  readonly record: StoredRecord
}

export interface Watermarks {
  /** @throws Transient */
  find(walk: string): Promise<Watermark | undefined>
  /** Moves it from exactly the version found. Does nothing where another walk moved it meanwhile. @throws Transient */
  move(walk: string, found: Watermark | undefined, walked: Walked): Promise<void>
}

/** Key of a finding for the next walk: short, and the same for the same fields. */
export function foundKey(found: object): string {
  return hashParams(found).slice(0, KEY_LENGTH)
}

export function createWatermarks(store: RecordStore, newId: NewId): Watermarks {
  return {
    async find(walk) {
      const record = await store.read(recordKey.watermark(walk))
      return record && { ...checkRecord(walkedFields, record), record }
    },
    async move(walk, found, { through, told, seenSince }) {
      await putOver({ store, newId }, found?.record, recordKey.watermark(walk), { through, told, seenSince })
    },
  }
}

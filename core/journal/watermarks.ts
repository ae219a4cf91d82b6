// Watermarks: the moment up to which a walk has come, so that the next walk goes on from there, and what the walk has found
// that the next one will see again. A watermark moves only after a whole walk. Of two walks at once, the first to end moves it.

import * as z from 'zod/mini'
import type { NewId } from '../clock.ts'
import { recordKey } from '../contract/records.ts'
import { hashParams } from '../params-hash.ts'
import { checkRecord } from './record-format.ts'
import { putOver, type RecordStore, type StoredRecord } from './record-store.ts'

/** Hexadecimal digits, 96 bits: of two things that have one key, only one would be told. */
const KEY_LENGTH = 24

const walkedFields = z.object({
  /** ISO-8601. */
  through: z.string(),
  /** Keys of what was told, as far as the next walk sees it again. */
  told: z.array(z.string()),
  /** ISO-8601 by key: since when something is seen that is not told yet. */
  seenSince: z.record(z.string(), z.string()),
})
export type Walked = z.infer<typeof walkedFields>

export interface Watermark extends Walked {
  /** As it was read. */
  readonly record: StoredRecord
}

export interface Watermarks {
  /** @throws Transient */
  find(walk: string): Promise<Watermark | undefined>
  /** Moves it from exactly what was found; does nothing where another walk has moved it meanwhile. @throws Transient */
  move(walk: string, found: Watermark | undefined, walked: Walked): Promise<void>
}

/** By which a walk remembers what it has found: short, and the same for the same fields. */
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

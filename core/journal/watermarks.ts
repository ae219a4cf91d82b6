// Watermarks: the moment up to which a walk has come, so that the next walk goes on from there. A watermark moves only
// after a whole walk. Of two walks at once, the first to end moves it.

import * as z from 'zod/mini'
import type { NewId } from '../clock.ts'
import { recordKey } from '../contract/records.ts'
import { checkRecord } from './record-format.ts'
import { putOver, type RecordStore, type StoredRecord } from './record-store.ts'

export interface Watermark {
  /** ISO-8601. */
  readonly through: string
  /** As it was read. */
  readonly record: StoredRecord
}

const markFields = z.object({ through: z.string() })

export interface Watermarks {
  /** @throws Transient */
  find(walk: string): Promise<Watermark | undefined>
  /** Moves it from exactly what was found; does nothing where another walk has moved it meanwhile. @throws Transient */
  move(walk: string, found: Watermark | undefined, through: string): Promise<void>
}

export function createWatermarks(store: RecordStore, newId: NewId): Watermarks {
  return {
    async find(walk) {
      const record = await store.read(recordKey.watermark(walk))
      return record && { through: checkRecord(markFields, record).through, record }
    },
    async move(walk, found, through) {
      await putOver({ store, newId }, found?.record, recordKey.watermark(walk), { through })
    },
  }
}

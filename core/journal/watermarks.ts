// A watermark records how far a walk has got, so that the next walk continues there. It also has the findings that the
// next walk will meet again, and what a walk of several calls has done so far. Of two walks at once, only the first that
// moves it continues. Its seal needs a key that is not in the table, so it exposes a record that somebody else wrote.

import * as z from 'zod/mini'
import type { NewId } from '../clock.ts'
import { finding } from '../contract/reconcile.ts'
import { RECORD_FORMAT, recordKey } from '../contract/records.ts'
import { hashParams } from '../params-hash.ts'
import { checkRecord } from './record-format.ts'
import { putOver, type RecordStore, type StoredRecord } from './record-store.ts'

/** Hex digits, 96 bits. If two findings had the same key, only one would be reported. */
const KEY_LENGTH = 24

const memoryFields = {
  /** Keys of reported findings that the next walk meets again. */
  told: z.array(z.string()),
  /** ISO-8601 by key: since when a finding is seen that is not reported yet. */
  seenSince: z.record(z.string(), z.string()),
}

/** A walk that ended before it was complete. All times are ISO-8601. */
const unfinishedFields = z.object({
  /** Where its stretch began. */
  since: z.string(),
  /** When it began. */
  begunAt: z.string(),
  /** Begin and end of the earlier time that the walk judges again. */
  againFrom: z.string(),
  againTo: z.string(),
  /** Its counts so far, by name. */
  counts: z.record(z.string(), z.int()),
  ...memoryFields,
})
export type Unfinished = z.infer<typeof unfinishedFields>

const walkedFields = z.object({
  /** ISO-8601. */
  through: z.string(),
  ...memoryFields,
  /** ISO-8601: where the last walk over an earlier time ended. Absent: at `through`. */
  againThrough: z.optional(z.string()),
  unfinished: z.optional(unfinishedFields),
  /** Findings that later walks do not meet, and that are open until people settle them. */
  open: z.optional(z.array(finding)),
})
export type Walked = z.infer<typeof walkedFields>

const sealFields = z.object({
  /** Public name of the key that made it. */
  by: z.string(),
  code: z.string(),
})
export type Seal = z.infer<typeof sealFields>
/** Absent in a record that no walk has sealed. */
const sealedFields = z.extend(walkedFields, { seal: z.optional(sealFields) })

/** Seals texts with a key that is not in the table. */
export interface Seals {
  /** @throws Transient, Refused */
  make(text: string): Promise<Seal>
  /** Whether the present key, or the one that it replaced, has sealed the text. @throws Transient, Refused */
  isOwn(text: string, seal: Seal): Promise<boolean>
}

export interface Watermark extends Walked {
  readonly record: StoredRecord
  /** Whether a walk has written exactly this. */
  readonly isSealed: boolean
}

export interface Watermarks {
  /** @throws Transient, Refused, Defect */
  find(walk: string): Promise<Watermark | undefined>
  /**
   * Moves it from exactly the version found, and returns it. Does nothing and returns `undefined` where another walk
   * moved it meanwhile.
   * @throws Transient, Refused
   */
  move(walk: string, found: Watermark | undefined, walked: Walked): Promise<Watermark | undefined>
}

/** Key of a finding for the next walk: short, and the same for the same fields. */
export function foundKey(found: object): string {
  return hashParams(found).slice(0, KEY_LENGTH)
}

/** Reads what the record says, for people. It may have been edited. @throws Transient, Defect */
export async function readWalked(store: RecordStore, walk: string): Promise<Walked | undefined> {
  const record = await store.read(recordKey.watermark(walk))
  return record && checkRecord(walkedFields, record)
}

export function createWatermarks(store: RecordStore, newId: NewId, seals: Seals): Watermarks {
  return {
    async find(walk) {
      const record = await store.read(recordKey.watermark(walk))
      if (record === undefined) return undefined
      const { seal, ...fields } = checkRecord(sealedFields, record)
      const walked = walkedIn(fields)
      const isSealed = seal !== undefined && (await seals.isOwn(sealedText(record, walked), seal))
      return { ...walked, record, isSealed }
    },
    async move(walk, found, next) {
      const walked = walkedIn(next)
      const pk = recordKey.watermark(walk)
      const version = (found?.record.version ?? 0) + 1
      const seal = await seals.make(sealedText({ pk, version }, walked))
      if ((await putOver({ store, newId }, found?.record, pk, { ...walked, seal })) === 'stale') return undefined
      // The next move names only the version, and keeps fields that a later release has added.
      const record = { stamp: '', format: RECORD_FORMAT, ...found?.record, ...walked, seal, pk, version }
      return { ...walked, record, isSealed: true }
    },
  }
}

/** The fields that a walk owns. A later release may have added others. */
function walkedIn({ through, told, seenSince, againThrough, unfinished, open }: Walked) {
  return { through, told, seenSince, againThrough, unfinished, open }
}

/** With the version, so that no earlier record can take the place of a later one. */
function sealedText({ pk, version }: Pick<StoredRecord, 'pk' | 'version'>, walked: Walked): string {
  return hashParams({ pk, version, walked })
}

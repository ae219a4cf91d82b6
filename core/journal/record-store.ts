// The little that the journal needs of a database: consistent reads, put-if-absent and
// compare-and-swap on a version. A simulation stands in for it; dynamo-store.ts is the real one.

/** One record. `pk` and `version` rule concurrency; `stamp` tells whose write it was. */
export interface StoredRecord {
  readonly pk: string
  readonly version: number
  /** Unique per write, so that a write whose answer was lost can be recognised on reading back. */
  readonly stamp: string
  readonly [field: string]: unknown
}

/**
 * Both writes answer `written` only when the record is certainly ours, `stale` only when it
 * certainly is not. @throws Transient when neither is certain: the write may still be applied
 * later, so the caller must enter its step again from a fresh read.
 */
export interface RecordStore {
  /** Strongly consistent. @throws Transient */
  read(pk: string): Promise<StoredRecord | undefined>
  /** Put if absent. @throws Transient */
  create(record: StoredRecord): Promise<'written' | 'stale'>
  /** Put if the stored version is `expectedVersion`. @throws Transient */
  replace(record: StoredRecord, expectedVersion: number): Promise<'written' | 'stale'>
}

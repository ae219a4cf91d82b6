// What the journal needs of a database: consistent reads, put-if-absent, and compare-and-swap on a version. Owns the
// one way in which records are written. It knows no SDK, so that a simulation can stand in for the database. The real
// one is in dynamo-store.ts.
//
// A write has three ends, and each means the same everywhere. Written: the stored record is certainly this one.
// Stale: it certainly is not, because somebody else wrote first. Unheard: neither is certain, and the write may still
// be applied later. That is thrown as Transient, and the caller enters its step again from a fresh read.
import { awsFault } from '../aws-fault.ts'
import type { NewId } from '../clock.ts'
import { RECORD_FORMAT } from '../contract/records.ts'
import { errorName } from '../error-name.ts'
import { Transient } from '../errors.ts'

/** One record. `pk` and `version` rule concurrency; `stamp` tells whose write it was. */
export interface StoredRecord {
  readonly pk: string
  /** Counts from 1. */
  readonly version: number
  /** Unique per write, so that a write whose answer was lost can be recognised on reading back. */
  readonly stamp: string
  /** RECORD_FORMAT of the release that wrote it; whoever reads a record checks it first. */
  readonly format: number
  readonly [field: string]: unknown
}

export type WriteOutcome = 'written' | 'stale'

export interface RecordStore {
  /** Strongly consistent. @throws Transient */
  read(pk: string): Promise<StoredRecord | undefined>
  /** Put if absent. @throws Transient when unheard */
  create(record: StoredRecord): Promise<WriteOutcome>
  /** Put if the stored version is `expectedVersion`. @throws Transient when unheard */
  replace(record: StoredRecord, expectedVersion: number): Promise<WriteOutcome>
}

/** What a write needs: where it goes, and the source of its stamp. */
export interface RecordWriter {
  readonly store: RecordStore
  readonly newId: NewId
}

/** What a record holds beside its key, its version and its stamp. */
export type RecordFields = Readonly<Record<string, unknown>>

/**
 * Writes over exactly what was read; `undefined`: there was no such record. Fields that are not written stay as they
 * were. @throws Transient when unheard
 */
export function putOver(
  writer: RecordWriter,
  known: StoredRecord | undefined,
  pk: string,
  fields: RecordFields,
): Promise<WriteOutcome> {
  return putRecord(writer, pk, { ...known, ...fields }, known?.version)
}

/** For a step that is entered again, and decides again from a fresh read. `meanwhile`: who was quicker, in words. @throws Transient */
export function assertWritten(outcome: WriteOutcome, meanwhile: string): void {
  if (outcome === 'stale') throw new Transient(meanwhile)
}

/** Puts the whole next version of a record. `knownVersion`: the one that was read; 0 where there was none. @throws Transient when unheard */
export function putRecord(
  { store, newId }: RecordWriter,
  pk: string,
  fields: RecordFields,
  knownVersion = 0,
): Promise<WriteOutcome> {
  const record = { ...fields, pk, format: RECORD_FORMAT, version: knownVersion + 1, stamp: newId() }
  return knownVersion === 0 ? store.create(record) : store.replace(record, knownVersion)
}

/** The name under which DynamoDB says that a condition did not hold. */
export const CONDITION_FAILED = 'ConditionalCheckFailedException'

/**
 * What a conditional put came to, settled by reading back and comparing the stamp: a put whose answer was lost may
 * have been applied, and the SDK's own retry of it then fails the condition. `failure`: the put's error,
 * `undefined` for none. @throws Transient when it stays unheard, OwnFault where the table may not be used
 */
export async function settleWrite(
  record: StoredRecord,
  failure: Error | undefined,
  read: (pk: string) => Promise<StoredRecord | undefined>,
): Promise<WriteOutcome> {
  if (failure === undefined) return 'written'
  const stored = await read(record.pk)
  if (stored?.stamp === record.stamp) return 'written'
  if (errorName(failure) === CONDITION_FAILED) return 'stale'
  // Not there now, but a write that errored may still be applied: the version guards the next one.
  throw awsFault('the journal did not confirm a write', failure)
}

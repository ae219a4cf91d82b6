// Defines the interface of the journal's database: consistent reads, put-if-absent, and compare-and-swap on a version. Owns how
// the next version of a record is put. Records with one version only, such as pages, are created by their files. It knows no
// SDK, so that a simulation can replace the database. The real store is in dynamo-store.ts.
//
// A write has three results, with the same meaning everywhere. Written: the stored record is certainly this one. Stale: it
// certainly is not, because somebody else wrote first. Unclear: no answer came, so neither is certain, and the write may still
// be applied later. An unclear result is thrown as Transient. The caller then enters its step again from a fresh read.
import { awsFault } from '../aws-fault.ts'
import type { NewId } from '../clock.ts'
import { RECORD_FORMAT } from '../contract/records.ts'
import { errorName } from '../error-name.ts'
import { Transient } from '../errors.ts'

/** One record. `pk` and `version` control concurrency; `stamp` identifies the write. */
export interface StoredRecord {
  readonly pk: string
  /** Counts from 1. */
  readonly version: number
  /** Unique per write, so that a write whose answer was lost is recognized when it is read back. */
  readonly stamp: string
  /** RECORD_FORMAT of the release that wrote it. Every reader checks it first. */
  readonly format: number
  readonly [field: string]: unknown
}

export type WriteOutcome = 'written' | 'stale'

export interface RecordStore {
  /** Strongly consistent. @throws Transient */
  read(pk: string): Promise<StoredRecord | undefined>
  /** Puts if absent. @throws Transient when the result is unclear */
  create(record: StoredRecord): Promise<WriteOutcome>
  /** Puts if the stored version is `expectedVersion`. @throws Transient when the result is unclear */
  replace(record: StoredRecord, expectedVersion: number): Promise<WriteOutcome>
}

export interface RecordWriter {
  readonly store: RecordStore
  readonly newId: NewId
}

/** Fields of a record besides its key, version and stamp. */
export type RecordFields = Readonly<Record<string, unknown>>

/**
 * Writes over exactly the version that was read; `undefined`: there was no such record. Other fields keep their values.
 * @throws Transient when the result is unclear
 */
export function putOver(
  writer: RecordWriter,
  known: StoredRecord | undefined,
  pk: string,
  fields: RecordFields,
): Promise<WriteOutcome> {
  return putRecord(writer, pk, { ...known, ...fields }, known?.version)
}

/** For a step that is entered again and decides from a fresh read. `meanwhile`: the error's text. @throws Transient */
export function assertWritten(outcome: WriteOutcome, meanwhile: string): void {
  if (outcome === 'stale') throw new Transient(meanwhile)
}

/**
 * Puts the next version of a record. `knownVersion`: the version that was read; 0 for none.
 * @throws Transient when the result is unclear
 */
export function putRecord(
  { store, newId }: RecordWriter,
  pk: string,
  fields: RecordFields,
  knownVersion = 0,
): Promise<WriteOutcome> {
  const record = { ...fields, pk, format: RECORD_FORMAT, version: knownVersion + 1, stamp: newId() }
  return knownVersion === 0 ? store.create(record) : store.replace(record, knownVersion)
}

/** Name of DynamoDB's error for a failed condition. */
export const CONDITION_FAILED = 'ConditionalCheckFailedException'

/**
 * Finds the result of a conditional put by reading back and comparing the stamp. A put whose answer was lost may have
 * been applied, and the SDK's own retry then fails the condition. `failure`: the put's error, or `undefined`.
 * @throws Transient when the result stays unclear, OwnFault where the table may not be used
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
  // It is not stored now, but a failed write may still be applied later. The version protects the next write.
  throw awsFault('the journal did not confirm a write', failure)
}

// Checks records that are read from the journal against the form in which they are written. A record that does not fit
// raises a Defect that names the record and the field, and never a value. It changes nothing: a record keeps unknown
// fields that a later release has added.
import type * as z from 'zod/mini'
import { ASKED_AT_KEY, ASKED_KEY, BEFORE_KEY, CHAIN_KEY, LISTED_KEY, RECORD_FORMAT } from '../contract/records.ts'
import { openUnion, SCHEMA_MESSAGES } from '../contract/schema-messages.ts'
import { Defect } from '../errors.ts'
import { describeIssue } from '../parse.ts'
import type { RecordFields, StoredRecord } from './record-store.ts'

/** By schema: objects that fit and are frozen. A store that returns the same object again freezes it. */
const known = new WeakMap<z.ZodMiniType, WeakSet<object>>()

/** Returns the record itself after its fields were checked. @throws Defect */
export function checkRecord<Schema extends z.ZodMiniType>(
  schema: Schema,
  record: StoredRecord,
): StoredRecord & z.output<Schema> {
  assertFormat(record)
  assertFits(schema, record, record.pk)
  // Schemas of records change no value, so a record that passes has the schema's type.
  return record as StoredRecord & z.output<Schema>
}

/** Checks the record as `checkRecord` does, and returns only the record's own fields. @throws Defect */
export function readFields<Schema extends z.ZodMiniType>(schema: Schema, record: StoredRecord): z.output<Schema> {
  // No schema of a record contains the fields that are removed.
  return withoutKeys(checkRecord(schema, record)) as z.output<Schema>
}

/** Returns a record's own fields, without those for the store and the indexes. */
export function withoutKeys({
  pk: _pk,
  stamp: _stamp,
  format: _format,
  [LISTED_KEY]: _listed,
  [ASKED_KEY]: _asked,
  [ASKED_AT_KEY]: _askedAt,
  [CHAIN_KEY]: _chain,
  [BEFORE_KEY]: _before,
  ...fields
}: StoredRecord): RecordFields {
  return fields
}

/** Checks a record or a part of it. `name`: its place, in words. @throws Defect */
export function assertFits(schema: z.ZodMiniType, value: unknown, name: string): void {
  const isObject = value !== null && typeof value === 'object'
  const fitting = known.get(schema) ?? new WeakSet()
  known.set(schema, fitting)
  if (isObject && fitting.has(value)) return
  const issues = schema.safeParse(value, SCHEMA_MESSAGES).error?.issues.flatMap(openUnion) ?? []
  // A key that only a later release knows is not a fault, at any depth.
  const issue = issues.find(({ code }) => code !== 'unrecognized_keys')
  if (issue !== undefined) throw new Defect(`the record ${describeIssue(issue, name)}`)
  if (isObject && Object.isFrozen(value)) fitting.add(value)
}

/** @throws Defect */
export function assertFormat({ pk, format }: StoredRecord): void {
  if (format === RECORD_FORMAT) return
  const which = typeof format === 'number' ? `format ${format}` : 'no format that is a number'
  throw new Defect(
    `the record ${pk} has ${which}, and this release knows format ${RECORD_FORMAT}: deploy the one that wrote it`,
  )
}

// Owns the versions of treasury.json that moved this journal's money, for the log of people. `Y#configuration` has the
// newest version. Before the next version replaces it, it is kept under its number, so a deleted version shows. No
// movement depends on these records, and no step that sends money may write them.
//
// A version says which bounds changed. Addresses of alarms and notices are left out: they bound no money, and an
// address may hold its receiver's key.
import * as z from 'zod/mini'
import type { NewId } from '../clock.ts'
import { RECORD_FORMAT, recordKey } from '../contract/records.ts'
import type { Treasury } from '../contract/treasury.ts'
import { Defect } from '../errors.ts'
import { rememberNames } from '../journal/policy-names.ts'
import { checkRecord } from '../journal/record-format.ts'
import { putRecord, type RecordStore, type StoredRecord } from '../journal/record-store.ts'
import { actKeys } from '../journal/request-keys.ts'
import { type Change, changesOf } from '../treasury/changes.ts'
import { hashConfiguration } from '../treasury/config.ts'

/**
 * Maximum bytes of a configuration that is kept for the next comparison. A record of DynamoDB has at most 400 KB, with
 * its changes.
 */
const MOST_KEPT_BYTES = 200_000
/** Maximum changes that a version keeps. The rest is counted. */
const MOST_CHANGES = 200
/** Maximum characters of the text of one change. A list of contacts may be long. */
const MOST_CHANGE_CHARS = 300

/** The deployment that uses a configuration, as far as it is known. */
export interface Deployed {
  readonly treasury: Treasury
  /** Version of the bundle. */
  readonly release: string
  /** Who deployed it, by that person's own claim, marked as not verified. */
  readonly by?: string | undefined
  /** Commit of the source, as the deploy command reports it. */
  readonly commit?: string | undefined
  /** ARN of the stack on AWS. CloudTrail has the events of its changes. */
  readonly stack?: string | undefined
}

const change = z.object({ kind: z.enum(['loosened', 'changed', 'tightened']), path: z.string(), text: z.string() })

const versionFields = z.object({
  /** ISO-8601: when the version was first seen. */
  at: z.string(),
  configuration: z.string(),
  /** The configuration of the version before. Absent for the first. */
  previous: z.optional(z.string()),
  release: z.string(),
  by: z.optional(z.string()),
  commit: z.optional(z.string()),
  stack: z.optional(z.string()),
  /** Absent for a first version, and where the earlier configuration was too large to be kept. */
  changes: z.optional(z.array(change)),
  changesTotal: z.optional(z.int()),
  /** JSON. Absent where it is too large. */
  treasury: z.optional(z.string()),
})
export type ConfigurationVersion = z.infer<typeof versionFields>

const pastFields = z.object({ was: z.object({ pk: z.string(), version: z.number() }) })

/** @throws Defect */
export function configurationIn(record: StoredRecord): ConfigurationVersion {
  return checkRecord(versionFields, record)
}

/** The version that a record of the past keeps. @throws Defect */
export function pastConfigurationIn(record: StoredRecord): StoredRecord {
  // Only `keep` writes it, from a whole record. `configurationIn` checks its fields.
  return checkRecord(pastFields, record).was as StoredRecord
}

/** @throws Defect where `next` says that it replaced another configuration than `was` */
export function assertFollows(was: StoredRecord, next: StoredRecord): void {
  if (configurationIn(next).previous === configurationIn(was).configuration) return
  throw new Defect(`the record ${next.pk} of version ${next.version} was not written over the version ${was.version}`)
}

interface ConfigurationLog {
  /**
   * Records the configuration, where it differs from the newest version. `nowMs`: epoch ms.
   * @throws Transient; Defect where the newest version is broken, and once where it is missing: then it is recorded anew
   */
  record(deployed: Deployed, nowMs: number): Promise<'recorded' | 'known'>
  /** Epoch ms at which this configuration was first seen as the newest; infinity where it is not. @throws Transient, Defect */
  sinceMs(treasury: Treasury): Promise<number>
}

export function createConfigurationLog(store: RecordStore, newId: NewId): ConfigurationLog {
  const pk = recordKey.configuration
  const keep = (known: StoredRecord) =>
    putRecord({ store, newId }, recordKey.pastConfiguration(known.version), { was: known })

  return {
    async sinceMs(treasury) {
      const known = await store.read(pk)
      const newest = known && configurationIn(known)
      const isNewest = newest?.configuration === hashConfiguration(treasury)
      return isNewest ? Date.parse(newest.at) : Number.POSITIVE_INFINITY
    },

    async record({ treasury, release, by, commit, stack }, nowMs) {
      await rememberNames({ store, newId }, treasury.policies)
      const configuration = hashConfiguration(treasury)
      const known = await store.read(pk)
      const newest = known && configurationIn(known)
      if (newest?.configuration === configuration) return 'known'
      const lost = known === undefined ? await findLost(store) : 0
      if (known !== undefined) await keep(known)
      const at = new Date(nowMs).toISOString()
      const kept = keptText(treasury)
      const fields = {
        ...{ at, configuration, previous: newest?.configuration, release, by, commit, stack },
        ...(newest?.treasury !== undefined && shortened(changesOf(JSON.parse(newest.treasury), JSON.parse(kept)))),
        ...(Buffer.byteLength(kept) <= MOST_KEPT_BYTES && { treasury: kept }),
        ...actKeys(at, pk),
      }
      if (lost > 0)
        throw await recordAnew({ ...fields, pk, format: RECORD_FORMAT, version: lost + 1, stamp: newId() }, store)
      // Another process that writes the next version at the same time runs with a configuration of its own.
      return (await putRecord({ store, newId }, pk, fields, known?.version)) === 'written' ? 'recorded' : 'known'
    },
  }
}

/** Maximum earlier versions that are looked for. Only people deploy new ones. */
const MOST_VERSIONS = 10_000

/** The number of the newest version, which somebody has deleted; 0 where no version was ever recorded. */
async function findLost(store: RecordStore): Promise<number> {
  let past = 0
  while (past < MOST_VERSIONS && (await store.read(recordKey.pastConfiguration(past + 1))) !== undefined) past += 1
  return past === 0 ? 0 : past + 1
}

/**
 * Records the configuration under the number after the deleted version. The log of people then names the missing number for
 * ever. Returns the error that reports it once.
 */
async function recordAnew(record: StoredRecord, store: RecordStore): Promise<Defect> {
  await store.create(record)
  return new Defect(
    `the record ${record.pk} is missing, and its earlier versions are there; it was recorded anew as version ${record.version}`,
  )
}

function keptText(treasury: Treasury): string {
  return JSON.stringify({ ...treasury, alarms: undefined, notices: undefined })
}

function shortened(changes: readonly Change[]): Pick<ConfigurationVersion, 'changes' | 'changesTotal'> {
  const kept = changes.slice(0, MOST_CHANGES).map(({ text, ...rest }) => ({
    ...rest,
    text: text.length <= MOST_CHANGE_CHARS ? text : `${text.slice(0, MOST_CHANGE_CHARS)}…`,
  }))
  return { changes: kept, changesTotal: changes.length }
}

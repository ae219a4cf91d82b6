// Owns the manifest of an export of the journal: which table, of which account, when, and the hash of each part. Also
// owns the progress of an export that is not finished. The text of a manifest has one form only and contains its own
// hash, so that every changed byte shows. Pure.
import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { JOURNAL_FORM } from '../../../core/contract/records.ts'

/** Includes the form of the exported records. */
const FORMAT = `sluice-journal-export/${JOURNAL_FORM}`

export const MANIFEST = 'manifest.json'

/** Maximum parts of 50,000 records each: some 500 million records. */
export const MOST_PARTS = 10_000

const count = z.number().check(z.int(), z.gte(0))
const partFields = z.object({
  // The pattern allows no path, so no name leads out of the export's folder.
  file: z.string().check(z.regex(/^part-\d{5}\.jsonl\.gz$/)),
  /** Hash of the file's bytes, hex. */
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  bytes: count,
  records: count,
})
export type ExportPart = z.output<typeof partFields>

const facts = {
  format: z.literal(FORMAT),
  /** ISO-8601. Records written after the start may be missing. All earlier records are present. */
  startedAt: z.iso.datetime(),
  table: z.object({ name: z.string(), tableId: z.string(), writtenIn: z.optional(z.string()) }),
  /** Absent where no key has named the account. */
  account: z.optional(z.object({ account: z.string(), stage: z.string() })),
  /** Number of records by the first letter of their keys. */
  kinds: z.record(z.string(), count),
  parts: z.array(partFields).check(z.maxLength(MOST_PARTS)),
}
const manifestFields = z.strictObject({ ...facts, endedAt: z.iso.datetime(), sha256: z.string() })
export type Manifest = z.output<typeof manifestFields>
type ManifestFacts = Omit<Manifest, 'sha256'>

const progressFields = z.strictObject({ ...facts, after: z.optional(z.string()) })
/** The progress of an unfinished export. `after`: the key of the last record in its parts. */
export type ExportProgress = z.output<typeof progressFields>

export function newProgress(facts: Omit<ExportProgress, 'format' | 'kinds' | 'parts' | 'after'>): ExportProgress {
  return { format: FORMAT, ...facts, kinds: {}, parts: [] }
}

export function sealed({ after: _after, ...facts }: ExportProgress, endedAt: string): Manifest {
  const manifest = { ...facts, endedAt }
  return { ...manifest, sha256: hashOf(manifest) }
}

export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify(manifest, undefined, 2)}\n`
}

/** Returns the manifest; undefined where a byte of the text was changed. */
export function findManifest(text: string): Manifest | undefined {
  const value = parsed(text)
  if (!manifestFields.safeParse(value).success) return undefined
  const { sha256, ...facts } = value as Manifest
  return sha256 === hashOf(facts) && manifestText(value as Manifest) === text ? (value as Manifest) : undefined
}

/** Whether the manifest is unchanged, but has a format that this release does not read. */
export function isOfOtherFormat(text: string): boolean {
  const { sha256, ...facts } = (parsed(text) ?? {}) as Manifest
  return facts.format !== FORMAT && sha256 === hashOf(facts)
}

export function findProgress(text: string): ExportProgress | undefined {
  return progressFields.safeParse(parsed(text)).data
}

export function recordsIn({ parts }: Pick<Manifest, 'parts'>): number {
  return parts.reduce((sum, { records }) => sum + records, 0)
}

function hashOf(facts: ManifestFacts): string {
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

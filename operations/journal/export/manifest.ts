// The manifest of an export of the journal: which table, of which account, when, and the hash of each of its parts. Its
// text has one form only, and a hash of itself in it, so that a changed byte of it shows as well. Pure.
import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { JOURNAL_FORM } from '../../../core/contract/records.ts'

/** With the form of the records that are in an export. */
const FORMAT = `sluice-journal-export/${JOURNAL_FORM}`

export const MANIFEST = 'manifest.json'

/** Of parts of 50,000 records each: some 500 million. */
export const MOST_PARTS = 10_000

const count = z.number().check(z.int(), z.gte(0))
const partFields = z.object({
  // Of a folder of its own: no path leads out of it.
  file: z.string().check(z.regex(/^part-\d{5}\.jsonl\.gz$/)),
  /** Of the file as it is, hex. */
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  bytes: count,
  records: count,
})
export type ExportPart = z.output<typeof partFields>

const facts = {
  format: z.literal(FORMAT),
  /** ISO-8601. What was written after the start may be missing, and nothing from before it is. */
  startedAt: z.iso.datetime(),
  table: z.object({ name: z.string(), tableId: z.string(), writtenIn: z.optional(z.string()) }),
  /** Absent where no key has named it. */
  account: z.optional(z.object({ account: z.string(), stage: z.string() })),
  /** Records by the letter that begins their keys. */
  kinds: z.record(z.string(), count),
  parts: z.array(partFields).check(z.maxLength(MOST_PARTS)),
}
const manifestFields = z.strictObject({ ...facts, endedAt: z.iso.datetime(), sha256: z.string() })
export type Manifest = z.output<typeof manifestFields>
export type ManifestFacts = Omit<Manifest, 'sha256'>

const progressFields = z.strictObject({ ...facts, after: z.optional(z.string()) })
/** Of an export that is under way, or was cut off. `after`: the key of the last record that is in its parts. */
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

/** `undefined` where a byte of it is not as it was written. */
export function findManifest(text: string): Manifest | undefined {
  const value = parsed(text)
  if (!manifestFields.safeParse(value).success) return undefined
  const { sha256, ...facts } = value as Manifest
  return sha256 === hashOf(facts) && manifestText(value as Manifest) === text ? (value as Manifest) : undefined
}

/** Whether it is as it was written, for an export whose records this release does not read. */
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

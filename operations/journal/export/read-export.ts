// Reads an export of the journal: first it checks that no byte was changed, and then it reads the records, one at a
// time. It knows no journal.

import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { judgeChain } from '../../../core/journal/record-chain.ts'
import type { StoredRecord } from '../../../core/journal/record-store.ts'
import { advice } from '../../../place/next-step.ts'
import { unfit } from '../../../place/operation-error.ts'
import { type Finding, FindingKind } from '../judge.ts'
import { findManifest, isOfOtherFormat, MANIFEST, type Manifest } from './manifest.ts'

interface CheckedExport {
  /** Absent where the manifest itself was changed. */
  readonly manifest: Manifest | undefined
  /** The first 1,000. */
  readonly findings: readonly Finding[]
}

const MOST_FINDINGS = 1_000
/** A record has at most 400 KB (DynamoDB's limit of an item), and JSON may need six bytes for one. */
export const MOST_LINE_BYTES = 4 * 1024 * 1024
/** The maximum number of parts takes a third of it. */
const MOST_MANIFEST_BYTES = 8 * 1024 * 1024
const LINE_END = 0x0a

/** A line of a part is no record: somebody else has written the export. */
class LineFault extends Error {
  override readonly name = 'LineFault'
}

export function hasManifest(dir: string): boolean {
  return existsSync(path.join(dir, MANIFEST))
}

/** @throws OperationError (exit 2) for a folder without an export */
export async function checkExport(dir: string): Promise<CheckedExport> {
  if (dir.includes('://')) {
    const problem = 'expected a folder; got an address'
    throw unfit('export', problem, 'copy it first: aws s3 sync s3://BUCKET/FOLDER FOLDER')
  }
  if (!hasManifest(dir)) {
    const problem = `expected a folder with the ${MANIFEST} of an export; ${dir} has none`
    throw unfit(
      'export',
      problem,
      advice`give ${{ do: 'export-journal' }} again where it was cut off, and name that folder`,
    )
  }
  if (statSync(path.join(dir, MANIFEST)).size > MOST_MANIFEST_BYTES)
    return { manifest: undefined, findings: [broken(MANIFEST, `it is longer than ${MOST_MANIFEST_BYTES} bytes`)] }
  const text = readFileSync(path.join(dir, MANIFEST), 'utf8')
  if (isOfOtherFormat(text)) {
    const problem = `expected an export whose records this release reads; the manifest in ${dir} names another format`
    throw unfit('export', problem, 'read it with the release that wrote it; its ids must not be given again')
  }
  const manifest = findManifest(text)
  if (manifest === undefined) return { manifest, findings: [broken(MANIFEST, 'it is not as it was written')] }
  const findings: Finding[] = []
  for (const { bytes, file, records, sha256 } of manifest.parts) {
    if (findings.length >= MOST_FINDINGS) break
    const because = await damageOf(path.join(dir, file), { bytes, sha256 })
    if (because !== undefined) {
      findings.push(broken(file, because))
      continue
    }
    try {
      const count = await checkRecordsOf(dir, file, findings)
      if (count !== records) findings.push(broken(file, `it has ${count} records, and the manifest says ${records}`))
    } catch (error) {
      if (!(error instanceof LineFault)) throw error
      findings.push(broken(file, error.message))
    }
  }
  return { manifest, findings }
}

/** The records of an export that was checked. */
export async function* recordsOfExport(dir: string, { parts }: Manifest): AsyncGenerator<StoredRecord, void> {
  for (const { file } of parts) yield* recordsOfPart(dir, file)
}

async function* recordsOfPart(dir: string, file: string): AsyncGenerator<StoredRecord, void> {
  const unzipped = createGunzip()
  // An error of either stream is thrown by the loop below.
  pipeline(createReadStream(path.join(dir, file)), unzipped, () => undefined)
  let held: Buffer[] = []
  let heldBytes = 0
  let lines = 0
  const hold = (bytes: Buffer) => {
    held.push(bytes)
    heldBytes += bytes.length
    // Leaving the loop below ends the stream, so the rest of the line is not read.
    if (heldBytes > MOST_LINE_BYTES) throw new LineFault(`line ${lines + 1} is longer than ${MOST_LINE_BYTES} bytes`)
  }
  for await (const chunk of unzipped as AsyncIterable<Buffer>) {
    let from = 0
    for (let to = chunk.indexOf(LINE_END); to !== -1; to = chunk.indexOf(LINE_END, from)) {
      hold(chunk.subarray(from, to))
      lines += 1
      yield recordIn(Buffer.concat(held), lines)
      held = []
      heldBytes = 0
      from = to + 1
    }
    hold(chunk.subarray(from))
  }
  if (heldBytes > 0) throw new LineFault(`line ${lines + 1} has no end`)
}

/** The reader of the record checks it against its format. */
function recordIn(line: Buffer, number: number): StoredRecord {
  try {
    return JSON.parse(line.toString('utf8')) as StoredRecord
  } catch {
    throw new LineFault(`line ${number} is no JSON`)
  }
}

async function damageOf(file: string, part: { readonly bytes: number; readonly sha256: string }) {
  if (!existsSync(file)) return 'it is missing'
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
  }
  if (bytes !== part.bytes) return `it has ${bytes} bytes, and was written with ${part.bytes}`
  return hash.digest('hex') === part.sha256 ? undefined : 'its bytes are not those that were written'
}

/**
 * Checks each record against its own chain, which shows records that were edited before the export. @returns the number
 * of records
 */
async function checkRecordsOf(dir: string, file: string, findings: Finding[]): Promise<number> {
  let count = 0
  for await (const record of recordsOfPart(dir, file)) {
    count += 1
    const judged = judgeChain(record)
    if (judged.is === 'broken' && findings.length < MOST_FINDINGS)
      findings.push({ finding: FindingKind.Broken, about: record.pk, message: `in ${file}: ${judged.because}` })
  }
  return count
}

function broken(about: string, message: string): Finding {
  return { finding: FindingKind.Export, about, message }
}

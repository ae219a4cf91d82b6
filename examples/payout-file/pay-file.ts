// Pays the rows of a file of JSON Lines by a run of a payouts policy. The run's id is made from the object's version and the
// attempt. Each row has an id of its own, which is paid once, so that the file may come again, whole or corrected.
import { createHash } from 'node:crypto'
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { createClient, IdTaken, InvalidRequest, MovedInPart, MovedNothing, type PayoutRow } from '@sluice/client'
import type { Context } from 'aws-lambda'
import { bury } from '../take-request.js'
import { POLICY } from './policy.js'

/** A hundred rows of the longest texts have less. */
const MOST_BYTES = 300_000
/** Milliseconds for the answer, before Lambda stops the function. */
const SPARE_MS = 5_000

const s3 = new S3Client({})
const sluice = createClient({ account: process.env.SLUICE_ACCOUNT ?? '', policies: { [POLICY]: { kind: 'payouts' } } })

interface File {
  readonly bucket: string
  readonly key: string
  readonly versionId: string
  readonly size: number
  /** How often the file was tried before. */
  readonly attempt: number
}

/** The outcome of the run. `BAD_FILE`: nothing was started, and a dead letter has the reason. */
export async function handler(file: File, context: Context): Promise<{ readonly outcome: string }> {
  try {
    const run = await sluice.run(POLICY, { id: idOf(file), rows: await rowsOf(file) })
    const { outcome } = await run.result({ withinMs: Math.max(0, context.getRemainingTimeInMillis() - SPARE_MS) })
    return { outcome }
  } catch (error) {
    if (error instanceof MovedNothing || error instanceof MovedInPart) return { outcome: error.report.outcome }
    if (!(error instanceof InvalidRequest || error instanceof IdTaken)) throw error
    const { bucket, key, versionId } = file
    await bury(JSON.stringify({ bucket, key, versionId }), inLines(error.message))
    return { outcome: 'BAD_FILE' }
  }
}

/** A version's id has characters that the id of a run may not have. */
function idOf({ attempt, bucket, key, versionId }: File): string {
  const version = createHash('sha256')
    .update(JSON.stringify([bucket, key, versionId]))
    .digest('hex')
  return `file-${version.slice(0, 32)}-${attempt}`
}

async function rowsOf({ bucket, key, size, versionId }: File): Promise<readonly PayoutRow[]> {
  if (size > MOST_BYTES) throw new InvalidRequest('file', `at most ${MOST_BYTES} bytes`)
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key, VersionId: versionId }))
  const text = (await Body?.transformToString()) ?? ''
  return text.trimEnd().split('\n').map(rowOf)
}

function rowOf(line: string, index: number): PayoutRow {
  try {
    return JSON.parse(line)
  } catch {
    throw new InvalidRequest(`rows[${index}]`, 'JSON')
  }
}

/** People look for a line of their file. */
function inLines(message: string): string {
  return message.replaceAll(/rows\[(\d+)\]/g, (_whole, index) => `line ${Number(index) + 1}`)
}

// Reads a payout file of a command: a path, or `-` for standard input. It stops reading soon after the bound.
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { printable } from '../../core/printable.ts'
import { PAYOUT_FILE_BYTES, type PayoutFile, parsePayoutFile } from '../../core/runs/payouts/payout-file.ts'
import { usageError } from '../../place/operation-error.ts'

/** @throws OperationError (exit 2) for a file that cannot be read */
export async function readPayoutFile(file: string, stdin: Readable): Promise<PayoutFile> {
  return parsePayoutFile(await readBytes(file, stdin))
}

async function readBytes(file: string, stdin: Readable): Promise<Buffer> {
  if (file === '-') return readBounded(stdin)
  try {
    const handle = await open(file)
    try {
      return await readBounded(handle.createReadStream({ autoClose: false, end: PAYOUT_FILE_BYTES }))
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    const message = `file: cannot read ${printable(file)} (${error.code})`
    throw usageError('input', message, 'give a file that can be read, or - for standard input')
  }
}

async function readBounded(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk))
    length += chunk.length
    if (length > PAYOUT_FILE_BYTES) break
  }
  return Buffer.concat(chunks)
}

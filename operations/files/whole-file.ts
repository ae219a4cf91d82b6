// Writes a long file piece by piece, and shows it under its name only once it is whole. It is for its owner only.

import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'
import { systemCodeOf } from '../../place/files/disk-fault.ts'
import { advice, option } from '../../place/next-step.ts'
import { unfit } from '../../place/operation-error.ts'

const OWNER_ONLY = 0o600

/**
 * `write` fills the file at the path that it is given, which exists and is empty. A file that is there already is replaced
 * whole, or stays as it was.
 * @throws OperationError (exit 2) where the file cannot be made; else what `write` throws
 */
export async function writeWhole<Result>(file: string, write: (part: string) => Promise<Result>): Promise<Result> {
  const part = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}`)
  try {
    closeSync(openSync(part, 'wx', OWNER_ONLY))
  } catch (error) {
    const problem = `cannot write ${file} (${systemCodeOf(error)})`
    throw unfit('out', problem, advice`give ${option('out')} a file that can be written`)
  }
  try {
    const result = await write(part)
    sync(part)
    renameSync(part, file)
    return result
  } finally {
    rmSync(part, { force: true })
  }
}

function sync(file: string): void {
  const handle = openSync(file, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Empties the file and fills it. So `work` may be repeated from its beginning. */
export function appending<Result>(file: string, work: (append: (text: string) => void) => Promise<Result>) {
  const handle = openSync(file, 'w')
  return work((text) => writeAll(handle, Buffer.from(text, 'utf8'))).finally(() => closeSync(handle))
}

/** A write may take only a part of the bytes. */
function writeAll(handle: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at)
}

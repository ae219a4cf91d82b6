// Writes a page about a run, or a proof of it, to its file. The file is for its owner only, because it shows what an
// account holds and pays.

import { lstatSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DURABLE } from '@sluice/embedded-aws'
import { systemCodeOf } from '../../place/files/disk-fault.ts'
import { advice, option } from '../../place/next-step.ts'
import { unfit } from '../../place/operation-error.ts'

/**
 * Writes to the named file, or to the usual one.
 * @returns the file.
 * @throws OperationError (exit 2) where it cannot be written
 */
export function writeOut(out: string | undefined, usual: string, text: string): string {
  const file = out === undefined ? usual : path.resolve(out)
  try {
    writePage(file, text)
    return file
  } catch (error) {
    throw unfit(
      'out',
      `cannot write ${file} (${systemCodeOf(error)})`,
      advice`give ${option('out')} a file that can be written`,
    )
  }
}

/** An existing page is replaced whole, or stays unchanged. Throws an error of the system. */
export function writePage(file: string, page: string): void {
  DURABLE.makeFolder(path.dirname(file))
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found === undefined || found.isFile()) DURABLE.replace(file, page)
  // A pipe, a device or a link is written to, and keeps its kind.
  else writeFileSync(file, page)
}

// Writes a page about a run to its file. The page tells what an account holds and pays, so it is for its owner only.
import { lstatSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DURABLE } from '../../embedded-aws/disk.ts'

/** A page that is there already is replaced whole, or stays as it was. Throws an error of the system. */
export function writePage(file: string, page: string): void {
  DURABLE.makeFolder(path.dirname(file))
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found === undefined || found.isFile()) DURABLE.replace(file, page)
  // A pipe, a device or a link is written to, and stays what it is.
  else writeFileSync(file, page)
}

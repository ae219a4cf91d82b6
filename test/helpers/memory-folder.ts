// The first global set-up of vitest: temporary folders of tests are in memory if the machine has room. The product
// syncs what it writes, and on a disk the tests would wait for every sync of temporary files.
import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import path from 'node:path'

const MEMORY = '/dev/shm'
/** Far more than tests ever use at once. A container often has 64 MB. */
const LEAST_BYTES = 2 * 1024 ** 3

/** Keeps a `TMPDIR` that is already set. */
export default function setup(): void {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return
  const folder = mkdtempSync(path.join(MEMORY, 'sluice-tests-'))
  process.env.TMPDIR = folder
  // Runs after Ctrl-C too, because the folder would take memory until the machine restarts.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= LEAST_BYTES
  } catch {
    // Only Linux has it.
    return false
  }
}

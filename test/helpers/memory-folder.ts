// vitest's global set-up, the first: temporary folders of tests lie in memory, where the machine has room for that. The
// product syncs what it writes, and on a disk the tests would wait for every sync of what is thrown away.
import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import path from 'node:path'

const MEMORY = '/dev/shm'
/** Far more than there ever is at once. A container often has 64 MB. */
const LEAST_BYTES = 2 * 1024 ** 3

/** A `TMPDIR` that is set already stays. */
export default function setup(): void {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return
  const folder = mkdtempSync(path.join(MEMORY, 'sluice-tests-'))
  process.env.TMPDIR = folder
  // Also after Ctrl-C: it would take memory until the machine restarts.
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

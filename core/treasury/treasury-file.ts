// Owns the treasury file that is deployed beside the bundle: what functions read guards and policies from.
// As a variable of theirs it could be too long; in a table it could change under a run.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Treasury } from '../contract/treasury.ts'

export const TREASURY_FILE = 'treasury.json'

/** Writes treasury.json as it was parsed, every default filled in, into `folder`. It names secrets and holds none. */
export function writeTreasuryFile(folder: string, treasury: Treasury): void {
  writeFileSync(join(folder, TREASURY_FILE), `${JSON.stringify(treasury)}\n`)
}

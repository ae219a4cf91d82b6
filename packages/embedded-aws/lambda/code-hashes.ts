// Records the hash of each file in a function's folder at the boot. A worker may start hours later, when the folder may
// have changed. The worker runs a file only if the file's hash is the same.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** SHA-256 in base64, by the file's path below the folder. */
export type CodeHashes = Readonly<Record<string, string>>

export function codeHashes(codeDir: string): CodeHashes {
  const files = readdirSync(codeDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(
    files.map(({ name, parentPath }) => {
      const file = path.join(parentPath, name)
      return [path.relative(codeDir, file), createHash('sha256').update(readFileSync(file)).digest('base64')]
    }),
  )
}

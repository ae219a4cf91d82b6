// What this installation has written for its functions to run. What lies in a state directory may be somebody else's by now,
// also where it belongs to this user: a `chown -R` makes everything his. So the digests of assemblies and bundles are kept
// in the checkout, beside the code that they were made of, and nothing else is run.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const FOLDER = 'digests'
/** Some for each assembly that state directories keep. An assembly whose digest is gone is made again. */
const MOST_DIGESTS = 256

/** By this process, whose checkout may keep nothing. */
const writtenHere = new Set<string>()

/** `sharedDir`: where the checkout keeps assemblies; absent where it keeps none. `folder` is complete. */
export function rememberWritten(sharedDir: string | undefined, name: string, folder: string): void {
  const entry = entryOf(name, folder)
  if (entry === undefined) return
  writtenHere.add(entry)
  if (sharedDir === undefined) return
  const digests = path.join(sharedDir, FOLDER)
  try {
    mkdirSync(sharedDir, { recursive: true, mode: 0o700 })
    if (!isOurs(sharedDir)) return
    mkdirSync(digests, { recursive: true, mode: 0o700 })
    prune(digests)
    writeFileSync(path.join(digests, entry), '', { mode: 0o600, flag: 'wx' })
  } catch {
    // The checkout may not be written by this user, or knows the digest already.
  }
}

/** Whether every file of the folder is what this installation has written under this name. */
export function isAsWritten(sharedDir: string | undefined, name: string, folder: string): boolean {
  const entry = entryOf(name, folder)
  if (entry === undefined) return false
  if (writtenHere.has(entry)) return true
  return sharedDir !== undefined && isOurs(sharedDir) && existsSync(path.join(sharedDir, FOLDER, entry))
}

/** Whether it is there, and only this user may have put there what is in it. */
export function isOurs(folder: string): boolean {
  const found = statSync(folder, { throwIfNoEntry: false })
  return found !== undefined && found.uid === process.getuid?.() && (found.mode & 0o077) === 0
}

/** Whether an entry of the checkout's folder is an assembly or a bundle. */
export function isKeptCode(name: string): boolean {
  return name !== FOLDER
}

/** `undefined` where anything in the folder is neither a file nor a folder. */
function entryOf(name: string, folder: string): string | undefined {
  const hash = createHash('sha256')
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  if (!entries.every((entry) => entry.isFile() || entry.isDirectory())) return undefined
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
  for (const file of files.sort()) {
    const content = readFileSync(file)
    const named = path.relative(folder, file)
    // Lengths come first, so that two different lists of files never give the same bytes.
    hash.update(`${named.length}:${named}:${content.length}:`).update(content)
  }
  return `${name}.${hash.digest('hex')}`
}

function prune(digests: string): void {
  const files = readdirSync(digests).map((name) => path.join(digests, name))
  if (files.length < MOST_DIGESTS) return
  const writtenMs = new Map(files.map((file) => [file, statSync(file).mtimeMs]))
  const newestFirst = files.sort((one, other) => (writtenMs.get(other) ?? 0) - (writtenMs.get(one) ?? 0))
  for (const file of newestFirst.slice(MOST_DIGESTS - 1)) rmSync(file, { force: true })
}

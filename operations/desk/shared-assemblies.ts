// Assemblies and bundles that the checkout keeps beside those of its state directories: a new directory copies one, where it
// would synthesize for seconds what another has synthesized before, and one of another configuration copies the bundles of
// the functions. All of it is a help only: whatever fails here, the caller makes it.
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { DURABLE } from '@sluice/embedded-aws'
import { isAsWritten, isKeptCode, isOurs } from './written-code.ts'

/** Kept: about 2 MB each, and more than a state directory keeps, because many share them. */
const KEPT = 16
const PARTIAL = '.partial'
/** What is older, a process that was killed has left. */
const ABANDONED_AFTER_MS = 600_000

/** Copies what has this name into an empty directory. @returns false: there is nothing that may be used. */
export function copyShared(sharedDir: string, name: string, into: string): boolean {
  try {
    const dir = path.join(sharedDir, name)
    if (!isOurs(sharedDir) || !existsSync(dir)) return false
    cpSync(dir, into, { recursive: true })
    if (!isAsWritten(sharedDir, name, into)) throw new Error('it is not what was written')
    // The bundles of a source are used more often than any of its assemblies, and the newest are kept.
    const now = new Date()
    utimesSync(dir, now, now)
    return true
  } catch {
    // It was pruned meanwhile, cannot be read, or is not what was written. Nothing of the copy may be left.
    for (const entry of readdirSync(into)) rmSync(path.join(into, entry), { recursive: true, force: true })
    return false
  }
}

/** Keeps a copy of a complete folder, for whoever needs the same. */
export function share(sharedDir: string, name: string, folder: string): void {
  const partial = path.join(sharedDir, `${name}.${randomBytes(8).toString('hex')}${PARTIAL}`)
  try {
    mkdirSync(sharedDir, { recursive: true, mode: 0o700 })
    if (!isOurs(sharedDir)) return
    prune(sharedDir)
    mkdirSync(partial, { mode: 0o700 })
    cpSync(folder, partial, { recursive: true })
    // After a power cut, a directory under its name must hold all that it is to hold.
    for (const entry of readdirSync(partial, { recursive: true, withFileTypes: true }))
      DURABLE.sync(path.join(entry.parentPath, entry.name))
    DURABLE.sync(partial)
    DURABLE.move(partial, path.join(sharedDir, name))
  } catch {
    // The checkout may not be written by this user, the disk is full, or another process shared the same one first.
    rmSync(partial, { recursive: true, force: true })
  }
}

function prune(sharedDir: string): void {
  const names = readdirSync(sharedDir).filter(isKeptCode)
  const entries = names.map((name) => {
    const dir = path.join(sharedDir, name)
    return { dir, isPartial: name.endsWith(PARTIAL), atMs: statSync(dir).mtimeMs }
  })
  const complete = entries.filter(({ isPartial }) => !isPartial).sort((left, right) => right.atMs - left.atMs)
  // Other processes may be writing theirs at this moment.
  const abandoned = entries.filter(({ isPartial, atMs }) => isPartial && Date.now() - atMs > ABANDONED_AFTER_MS)
  for (const { dir } of [...complete.slice(KEPT - 1), ...abandoned]) rmSync(dir, { recursive: true, force: true })
}

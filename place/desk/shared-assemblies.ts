// Keeps assemblies and bundles in the checkout, for all its state directories. A new directory copies an assembly,
// where it would otherwise synthesize for seconds. A directory with another configuration copies the bundles of the
// functions. The cache is optional: on any failure the caller makes its own.
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { DURABLE } from '@sluice/embedded-aws'
import { isAsWritten, isKeptCode, isOurs } from './written-code.ts'

/** Entries in the cache, about 2 MB each. It keeps more than a state directory does, because many share them. */
const KEPT = 16
const PARTIAL = '.partial'
/** An older draft was left by a killed process. */
const ABANDONED_AFTER_MS = 600_000

/** Copies the entry of this name into an empty directory. @returns false where no usable entry exists */
export function copyShared(sharedDir: string, name: string, into: string): boolean {
  try {
    const dir = path.join(sharedDir, name)
    if (!isOurs(sharedDir) || !existsSync(dir)) return false
    cpSync(dir, into, { recursive: true })
    if (!isAsWritten(sharedDir, name, into)) throw new Error('it is not what was written')
    // The bundles of a source are used more often than any of its assemblies, and the newest entries are kept.
    const now = new Date()
    utimesSync(dir, now, now)
    return true
  } catch {
    // The shared assembly was pruned meanwhile, cannot be read, or was changed. The copy must be removed.
    for (const entry of readdirSync(into)) rmSync(path.join(into, entry), { recursive: true, force: true })
    return false
  }
}

/** Keeps a copy of a complete folder for later use. */
export function share(sharedDir: string, name: string, folder: string): void {
  const partial = path.join(sharedDir, `${name}.${randomBytes(8).toString('hex')}${PARTIAL}`)
  try {
    mkdirSync(sharedDir, { recursive: true, mode: 0o700 })
    if (!isOurs(sharedDir)) return
    prune(sharedDir)
    mkdirSync(partial, { mode: 0o700 })
    cpSync(folder, partial, { recursive: true })
    // After a power cut, a directory under its final name must be complete.
    for (const entry of readdirSync(partial, { recursive: true, withFileTypes: true }))
      DURABLE.sync(path.join(entry.parentPath, entry.name))
    DURABLE.sync(partial)
    DURABLE.move(partial, path.join(sharedDir, name))
  } catch {
    // The user may not write to the checkout, the disk is full, or another process shared the same entry first.
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

// Loaded before a program (`node --import`): keeps to the side what the program syncs, so that a test can cut its
// power. It sees Node's own syncs, and the writes of LevelDB that ask for a sync, on every machine. losing-disk.c sees
// the calls to the operating system.
import fs, { readdirSync, readlinkSync } from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { DISK_VARIABLE, keep, ROOT_VARIABLE } from './kept.ts'

type Done = (error: NodeJS.ErrnoException | null) => void
interface Level {
  readonly location: string
}
type Write = (this: Level, ...args: { readonly sync?: boolean }[]) => Promise<void>

const { [ROOT_VARIABLE]: rootDir, [DISK_VARIABLE]: diskDir } = process.env
// The functions' threads keep nothing on disk.
if (isMainThread && rootDir !== undefined && diskDir !== undefined) {
  const keepWithin = (file: string) => {
    if (file === rootDir || file.startsWith(`${rootDir}${path.sep}`)) keep(file, diskDir)
  }
  watchNode(keepWithin)
  watchLevel(keepWithin)
}

function watchNode(keepWithin: (file: string) => void): void {
  const { fsync, fsyncSync, fdatasync, fdatasyncSync } = fs

  const syncingNow = (sync: (descriptor: number) => void) => (descriptor: number) => {
    sync(descriptor)
    keepWithin(readlinkSync(`/proc/self/fd/${descriptor}`))
  }
  const syncingLater = (sync: (descriptor: number, done: Done) => void) => (descriptor: number, done: Done) => {
    sync(descriptor, (error) => {
      if (error === null) keepWithin(readlinkSync(`/proc/self/fd/${descriptor}`))
      done(error)
    })
  }
  Object.assign(fs, {
    fsyncSync: syncingNow(fsyncSync),
    fdatasyncSync: syncingNow(fdatasyncSync),
    fsync: syncingLater(fsync),
    fdatasync: syncingLater(fdatasync),
  })
  syncBuiltinESMExports()
}

function watchLevel(keepWithin: (file: string) => void): void {
  const require = createRequire(import.meta.url)
  const { Level } = createRequire(require.resolve('dynalite/db'))('level') as {
    Level: { prototype: Record<string, Write> }
  }
  for (const name of ['_put', '_del', '_batch'] as const) {
    const write = Level.prototype[name] as Write
    Level.prototype[name] = async function (...args) {
      await write.apply(this, args)
      if (args.at(-1)?.sync !== true) return
      for (const file of readdirSync(this.location)) keepWithin(path.join(this.location, file))
      keepWithin(this.location)
    }
  }
}

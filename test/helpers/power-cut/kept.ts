// Simulates a disk that keeps only synced data. `keep` does what a sync does: it copies a file's bytes, or a folder's
// names, to the side, by inode. `rebuild` writes the tree as it would be after a power cut. It is strict on purpose:
// unsynced data is lost completely, while a real disk may have kept a part.
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'

/**
 * The names in a folder after the cut: those of its last sync, or the latest ones. A file system may have written
 * unsynced names without the bytes of their files.
 */
export type Names = 'synced' | 'latest'

/** The kept tree and its place, as variables of a process. losing-disk.c reads them too. */
export const ROOT_VARIABLE = 'LOSING_DISK_ROOT'
export const DISK_VARIABLE = 'LOSING_DISK'

/** Keeps what a sync of a file or folder makes safe. `pins`: whether its name may go before the power does. */
export function keep(fileOrFolder: string, diskDir: string, pins = true): void {
  const found = statSync(fileOrFolder)
  const kept = path.join(diskDir, String(found.ino))
  if (found.isDirectory()) {
    writeFileSync(`${kept}.new`, namesIn(fileOrFolder))
  } else {
    writeFileSync(`${kept}.new`, readFileSync(fileOrFolder))
    // Prevents that a later file gets this inode.
    if (pins && !existsSync(`${kept}.pin`)) linkSync(fileOrFolder, `${kept}.pin`)
  }
  renameSync(`${kept}.new`, kept)
}

/** Writes what is left of the tree under `rootDir` into the empty folder `into`. The root itself always exists. */
export function rebuild(rootDir: string, diskDir: string, into: string, names: Names): void {
  const bytesOf = (inode: string) => {
    const kept = path.join(diskDir, inode)
    return existsSync(kept) ? readFileSync(kept) : Buffer.alloc(0)
  }
  const rebuildFolder = (folder: string, list: string, target: string) => {
    mkdirSync(target, { recursive: true, mode: 0o700 })
    for (const line of list.split('\n').slice(0, -1)) {
      const [, inode = '', kind, name = ''] = /^(\d+) ([df]) (.*)$/.exec(line) ?? []
      const source = path.join(folder, name)
      if (kind === 'f') writeFileSync(path.join(target, name), bytesOf(inode), { mode: 0o600 })
      else rebuildFolder(source, names === 'latest' ? namesIn(source) : String(bytesOf(inode)), path.join(target, name))
    }
  }
  rebuildFolder(rootDir, namesIn(rootDir), into)
}

/** A line for each entry: its inode, d or f, and its name. */
function namesIn(folder: string): string {
  return readdirSync(folder)
    .map((name) => {
      // LevelDB may remove files meanwhile.
      const found = statSync(path.join(folder, name), { throwIfNoEntry: false })
      return found === undefined ? '' : `${found.ino} ${found.isDirectory() ? 'd' : 'f'} ${name}\n`
    })
    .join('')
}

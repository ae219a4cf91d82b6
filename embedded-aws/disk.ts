// Files under a state directory that no power cut may take back: they, and the names of new ones, are on disk before
// the call that writes them returns. Knows nothing of what is in them.
// A sync of a file says nothing of its name: that is in its folder, which is synced on its own (fsync(2), "DESCRIPTION").
import {
  appendFileSync,
  close,
  closeSync,
  existsSync,
  fdatasync,
  fsyncSync,
  mkdirSync,
  open,
  openSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

const openLater = promisify(open)
const syncLater = promisify(fdatasync)
const closeLater = promisify(close)

export class Disk {
  readonly isDurable: boolean

  constructor(isDurable: boolean) {
    this.isDurable = isDurable
  }

  /** With those above it that are missing; for their owner only. */
  makeFolder(folder: string): void {
    if (isFolder(folder)) return
    // One level at a time: Node's recursive mkdir never returns where the parent is there and refuses with ENOENT, as
    // /proc does.
    const parent = path.dirname(path.resolve(folder))
    if (!existsSync(parent)) this.makeFolder(parent)
    try {
      mkdirSync(folder, { mode: 0o700 })
    } catch (error) {
      // Another process may have made it meanwhile.
      if (!isFolder(folder)) throw error
    }
    this.sync(parent)
  }

  /** Throws EEXIST where there is one. */
  create(file: string, text: string): void {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600, flush: this.isDurable })
    this.sync(path.dirname(file))
  }

  /** Made where it is absent. */
  append(file: string, text: string): void {
    const isNew = !existsSync(file)
    appendFileSync(file, text, { mode: 0o600, flush: this.isDurable })
    if (isNew) this.sync(path.dirname(file))
  }

  /** Found as it was or as it is now, and never anything between. */
  replace(file: string, text: string): void {
    writeFileSync(`${file}.new`, text, { mode: 0o600, flush: this.isDurable })
    this.move(`${file}.new`, file)
  }

  /** The name is found at the new place before it may be gone from the old one. */
  move(from: string, to: string): void {
    renameSync(from, to)
    this.sync(path.dirname(to))
  }

  /** What was appended to a file without this class, or is in a folder. */
  sync(fileOrFolder: string): void {
    if (!this.isDurable) return
    const descriptor = openSync(fileOrFolder, 'r')
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  }

  /** As `sync`, of a file, while other work goes on. */
  async syncLater(file: string): Promise<void> {
    if (!this.isDurable) return
    const descriptor = await openLater(file, 'r')
    try {
      await syncLater(descriptor)
    } finally {
      await closeLater(descriptor)
    }
  }
}

function isFolder(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isDirectory() === true
}

export const DURABLE = new Disk(true)
/** For what is thrown away, such as the world of a test: survives the process, and not the machine. */
export const UNSYNCED = new Disk(false)

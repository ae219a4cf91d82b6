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
    const first = mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (first === undefined) return
    for (let made = path.resolve(folder); made.length >= path.resolve(first).length; made = path.dirname(made)) {
      this.sync(path.dirname(made))
    }
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

export const DURABLE = new Disk(true)
/** For what is thrown away, such as the world of a test: survives the process, and not the machine. */
export const UNSYNCED = new Disk(false)

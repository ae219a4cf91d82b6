// Files under a state directory that no power cut may take back: they, and the names of new ones, are on disk before
// the call that writes them returns. Where the disk refuses, the file stays as it was, and the error names it. Knows
// nothing of what is in them.
// A sync of a file says nothing of its name: that is in its folder, which is synced on its own (fsync(2), "DESCRIPTION").
import { randomBytes } from 'node:crypto'
import {
  close,
  closeSync,
  existsSync,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  open,
  openSync,
  renameSync,
  rmSync,
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
    naming(file, () => this.#writeNew(file, text))
    this.sync(path.dirname(file))
  }

  /** Made where it is absent. */
  append(file: string, text: string): void {
    const isNew = !existsSync(file)
    appendWhole(file, text, this.isDurable)
    if (isNew) this.sync(path.dirname(file))
  }

  /** Found as it was or as it is now, and never anything between. */
  replace(file: string, text: string): void {
    const draft = draftOf(file)
    naming(file, () => this.#writeNew(draft, text))
    try {
      this.move(draft, file)
    } catch (error) {
      rmSync(draft, { force: true })
      throw error
    }
  }

  /** A file that this call makes, or none: nobody has it open, and no link leads elsewhere. */
  #writeNew(file: string, text: string): void {
    const descriptor = openSync(file, 'wx', 0o600)
    try {
      writeFileSync(descriptor, text, { flush: this.isDurable })
    } catch (error) {
      // What is not whole must not stand for it.
      rmSync(file, { force: true })
      throw error
    } finally {
      closeSync(descriptor)
    }
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

/** Beside the file, under a name that nobody can have taken before. */
export function draftOf(file: string): string {
  return `${file}.${randomBytes(8).toString('hex')}.new`
}

/** Whether a file has the name of a draft. One that stays was left by a process that was killed. */
export function isDraft(name: string): boolean {
  return /\.[0-9a-f]{16}\.new$/.test(name)
}

/** Added whole, or not at all: half a line would spoil the next one. */
export function appendWhole(file: string, text: string, flush = false): void {
  naming(file, () => {
    const descriptor = openSync(file, 'a', 0o600)
    try {
      const { size } = fstatSync(descriptor)
      try {
        writeFileSync(descriptor, text, { flush })
      } catch (error) {
        takeBack(descriptor, size)
        throw error
      }
    } finally {
      closeSync(descriptor)
    }
  })
}

function takeBack(descriptor: number, size: number): void {
  try {
    ftruncateSync(descriptor, size)
  } catch {
    // The first error says more.
  }
}

/** Node names no file where a write fails, such as for want of room. */
function naming<Result>(file: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof Error && 'code' in error && !('path' in error)) {
      error.message += ` '${file}'`
      Object.assign(error, { path: file })
    }
    throw error
  }
}

function isFolder(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isDirectory() === true
}

export const DURABLE = new Disk(true)
/** For what is thrown away, such as the world of a test: survives the process, and not the machine. */
export const UNSYNCED = new Disk(false)

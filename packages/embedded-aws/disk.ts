// Files under a state directory that survive a power cut: content and new names are on disk before the writing call
// returns. If the disk refuses, the file stays unchanged and the error names it. Knows nothing of the content.
// A sync of a file does not sync its name. The name is in the folder, which is synced separately (fsync(2),
// "DESCRIPTION").
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

  /** Creates a folder and its missing parents, for their owner only. */
  makeFolder(folder: string): void {
    if (isFolder(folder)) return
    // One level at a time: Node's recursive mkdir never returns if a parent exists and answers ENOENT, as /proc does.
    const parent = path.dirname(path.resolve(folder))
    if (!existsSync(parent)) this.makeFolder(parent)
    try {
      mkdirSync(folder, { mode: 0o700 })
    } catch (error) {
      // Another process may have created it meanwhile.
      if (!isFolder(folder)) throw error
    }
    this.sync(parent)
  }

  /** Throws EEXIST if the file exists. */
  create(file: string, content: string | Buffer): void {
    naming(file, () => this.#writeNew(file, content))
    this.sync(path.dirname(file))
  }

  /** Creates the file if it is absent. */
  append(file: string, text: string): void {
    const isNew = !existsSync(file)
    appendWhole(file, text, this.isDurable)
    if (isNew) this.sync(path.dirname(file))
  }

  /** After a crash the file has either its old or its new content. */
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

  /** Writes a file that this call creates. Nobody else has it open, and no link leads elsewhere. */
  #writeNew(file: string, content: string | Buffer): void {
    const descriptor = openSync(file, 'wx', 0o600)
    try {
      writeFileSync(descriptor, content, { flush: this.isDurable })
    } catch (error) {
      // An incomplete file must not look like a whole one.
      rmSync(file, { force: true })
      throw error
    } finally {
      closeSync(descriptor)
    }
  }

  /** After a crash the name exists at the new place, or still at the old one. */
  move(from: string, to: string): void {
    renameSync(from, to)
    this.sync(path.dirname(to))
  }

  /** Syncs a folder, or a file that was written without this class. */
  sync(fileOrFolder: string): void {
    if (!this.isDurable) return
    const descriptor = openSync(fileOrFolder, 'r')
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  }

  /** Syncs a file while other work continues. */
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

/** Returns an unpredictable name beside the file. */
export function draftOf(file: string): string {
  return `${file}.${randomBytes(8).toString('hex')}.new`
}

/** Whether a file has the name of a draft. A killed process leaves such files. */
export function isDraft(name: string): boolean {
  return /\.[0-9a-f]{16}\.new$/.test(name)
}

/** Appends all of the text or nothing, because half a line would damage the next one. */
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
    // The first error is the useful one.
  }
}

/** Adds the file's name to an error, because Node omits it when a write fails, for example on a full disk. */
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
/** For temporary data, such as the world of a test: survives the process, but not the machine. */
export const UNSYNCED = new Disk(false)

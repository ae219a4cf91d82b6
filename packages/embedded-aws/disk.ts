// Writes files under a state directory so that they survive a power cut: content and new names are on disk before the call
// returns. `note` and the disk UNSYNCED leave out the sync. If the disk refuses, the file stays unchanged and the error names
// it. Knows nothing of the content. A sync of a file does not sync its name. The name is in the folder, which is synced
// separately (fsync(2), "DESCRIPTION").
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
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

const openLater = promisify(open)
const syncLater = promisify(fdatasync)
const closeLater = promisify(close)

export class Disk {
  readonly isDurable: boolean
  readonly #onFault: ((fault: Error) => void) | undefined
  #fault: Error | undefined

  /**
   * `onFault`: called with the error of the first write that fails. Every later write is then refused with it: a write
   * behind a torn one would damage its file, and what is in memory may not be on disk. Absent for files that do not
   * depend on each other.
   */
  constructor(isDurable: boolean, onFault?: (fault: Error) => void) {
    this.isDurable = isDurable
    this.#onFault = onFault
  }

  get fault(): Error | undefined {
    return this.#fault
  }

  /** Takes the error of a write, also of one that was made without this class. */
  fail(error: Error): void {
    if (this.#onFault === undefined || this.#fault !== undefined) return
    this.#fault = error
    this.#onFault(error)
  }

  /** Creates a folder and its missing parents, for their owner only. */
  makeFolder(folder: string): void {
    if (isFolder(folder)) return
    // One level at a time: Node's recursive mkdir never returns if a parent exists and answers ENOENT, as /proc does.
    const parent = path.dirname(path.resolve(folder))
    if (!existsSync(parent)) this.makeFolder(parent)
    this.#write(folder, () => {
      try {
        mkdirSync(folder, { mode: 0o700 })
      } catch (error) {
        // Another process may have created it meanwhile.
        if (!isFolder(folder)) throw error
      }
    })
    this.sync(parent)
  }

  /** Throws EEXIST if the file exists. */
  create(file: string, content: string | Buffer): void {
    this.#write(file, () => this.#writeNew(file, content))
    this.sync(path.dirname(file))
  }

  /** Creates the file if it is absent. */
  append(file: string, text: string): void {
    const isNew = !existsSync(file)
    this.note(file, text, this.isDurable)
    if (isNew) this.sync(path.dirname(file))
  }

  /** Appends all of the text or nothing, because half a line would damage the next one. A later sync makes it safe. */
  note(file: string, text: string, flush = false): void {
    this.#write(file, () => {
      const descriptor = openSync(file, 'a', 0o600)
      try {
        const { size } = fstatSync(descriptor)
        try {
          writeFileSync(descriptor, text, { flush })
        } catch (error) {
          orKeep(() => ftruncateSync(descriptor, size))
          throw error
        }
      } finally {
        closeSync(descriptor)
      }
    })
  }

  /** After a crash the file has either its old or its new content. */
  replace(file: string, text: string): void {
    const draft = draftOf(file)
    this.#write(file, () => this.#writeNew(draft, text))
    try {
      this.move(draft, file)
    } catch (error) {
      orKeep(() => rmSync(draft, { force: true }))
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
      orKeep(() => rmSync(file, { force: true }))
      throw error
    } finally {
      closeSync(descriptor)
    }
  }

  /** After a crash the name exists at the new place, or still at the old one. */
  move(from: string, to: string): void {
    this.#write(to, () => renameSync(from, to))
    this.sync(path.dirname(to))
  }

  /** Removes a file, if it is there. After a crash it may be there again. */
  remove(file: string): void {
    this.#write(file, () => rmSync(file, { force: true }))
  }

  /** Cuts a file off. */
  truncate(file: string, length: number): void {
    this.#write(file, () => truncateSync(file, length))
  }

  /** Syncs a folder, or a file that was written without this class. */
  sync(fileOrFolder: string): void {
    if (!this.isDurable) return
    this.#write(fileOrFolder, () => {
      const descriptor = openSync(fileOrFolder, 'r')
      try {
        fsyncSync(descriptor)
      } finally {
        closeSync(descriptor)
      }
    })
  }

  /** Syncs a file while other work continues. */
  async syncLater(file: string): Promise<void> {
    if (!this.isDurable) return
    this.#assertSound()
    try {
      const descriptor = await openLater(file, 'r')
      try {
        await syncLater(descriptor)
      } finally {
        await closeLater(descriptor)
      }
    } catch (error) {
      throw this.#noted(file, error)
    }
  }

  #write<Result>(file: string, work: () => Result): Result {
    this.#assertSound()
    try {
      return work()
    } catch (error) {
      throw this.#noted(file, error)
    }
  }

  #assertSound(): void {
    if (this.#fault !== undefined) throw this.#fault
  }

  /** Adds the file's name to an error, because Node omits it when a write fails, for example on a full disk. */
  #noted(file: string, error: unknown): unknown {
    if (!(error instanceof Error && 'code' in error)) return error
    if (!('path' in error)) {
      error.message += ` '${file}'`
      Object.assign(error, { path: file })
    }
    // The disk is sound where the name is taken.
    if (error.code !== 'EEXIST') this.fail(error)
    return error
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

/** Cleans up after an error, which is more useful than another one. */
function orKeep(cleanUp: () => void): void {
  try {
    cleanUp()
  } catch {}
}

function isFolder(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isDirectory() === true
}

export const DURABLE = new Disk(true)
/** For temporary data, such as the world of a test: survives the process, but not the machine. */
export const UNSYNCED = new Disk(false)

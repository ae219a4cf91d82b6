// Owns the file that keeps a world: one line for its origin, then one line for each fact. A fact is on disk before its
// request is answered, so kill -9 and power cuts take back nothing that was answered. It is not a database: there is no
// compaction.
import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  type Stats,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

const FORMAT = 'sluice-sandbox-1'
const syncFile = promisify(fdatasync)

export interface Origin {
  readonly seed: string
  readonly openedAtMs: number
}

export interface Stored {
  readonly log: StateLog
  readonly origin: Origin
  /** The facts: every line after the origin. */
  readonly lines: readonly string[]
}

export class StateLog {
  readonly #file: number
  #failed = false
  /** Lines written, and how many of them are on disk. */
  #written = 0
  #synced = 0
  #syncing: Promise<void> | undefined

  private constructor(file: number) {
    this.#file = file
  }

  /** Starts or continues a file. Throws for a file that is not a state file. */
  static open(path: string, fresh: Origin): Stored {
    const file = openOwn(path)
    const text = readFileSync(file, 'utf8')
    // A process killed during a write leaves a partial last line. Its request was never answered.
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    const [first, ...lines] = whole.split('\n').slice(0, -1)
    const origin = first === undefined ? fresh : readOrigin(first, path, file)
    const log = new StateLog(file)
    ftruncateSync(log.#file, Buffer.byteLength(whole))
    if (first === undefined) log.append(JSON.stringify({ format: FORMAT, ...fresh }))
    // Syncs too what a killed process wrote without a sync, because this process reads and answers by it.
    fsyncSync(log.#file)
    syncFolder(dirname(path))
    return { log, origin, lines }
  }

  append(line: string): void {
    // A failed write may have left half a line, so no line may follow it.
    if (this.#failed) throw new Error('the state file could not be written')
    try {
      writeSync(this.#file, `${line}\n`)
      this.#written += 1
    } catch (error) {
      this.#failed = true
      throw error
    }
  }

  /** Whether every line is on disk. */
  get isSynced(): boolean {
    return this.#synced === this.#written
  }

  /** Resolves when every line so far is on disk. Concurrent callers share a sync. */
  async untilSynced(): Promise<void> {
    const wanted = this.#written
    while (this.#synced < wanted) {
      if (this.#failed) throw new Error('the state file could not be written')
      this.#syncing ??= this.#sync()
      await this.#syncing
    }
  }

  async close(): Promise<void> {
    try {
      await this.untilSynced()
    } finally {
      closeSync(this.#file)
    }
  }

  async #sync(): Promise<void> {
    const written = this.#written
    try {
      await syncFile(this.#file)
      this.#synced = written
    } catch (error) {
      // After a failed sync, a later sync may report success for data that was never written.
      this.#failed = true
      throw error
    } finally {
      this.#syncing = undefined
    }
  }
}

/**
 * Opens the file, or creates it, for its owner only. Throws for a file that another user could have written, because
 * its content could be false.
 */
function openOwn(path: string): number {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found?.isSymbolicLink()) throw new Error(`${path} is a symbolic link: name the file itself`)
  if (found !== undefined && !found.isFile()) throw new Error(`${path} is not a file`)
  const { O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_RDWR } = constants
  const file = openSync(path, O_APPEND | O_CREAT | O_RDWR | O_NOFOLLOW, 0o600)
  try {
    assertOwn(path, fstatSync(file))
    return file
  } catch (error) {
    closeSync(file)
    throw error
  }
}

function assertOwn(path: string, { mode, uid }: Stats): void {
  const user = process.getuid?.()
  // Other systems have other kinds of permissions.
  if (user === undefined) return
  if (uid !== user) throw new Error(`${path} belongs to another user (${uid}): remove it, or name another file`)
  if ((mode & 0o022) !== 0)
    throw new Error(`${path} can be written by others: chmod go= ${path}, if its content is what you left there`)
}

/** Syncs the folder, because it holds the file's name. */
function syncFolder(folder: string): void {
  const opened = openSync(folder, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}

/** Closes the file and throws if it is not a state file of the sandbox. */
function readOrigin(line: string, path: string, file: number): Origin {
  const parsed: unknown = parseOrUndefined(line)
  if (typeof parsed === 'object' && parsed !== null && 'format' in parsed && parsed.format === FORMAT) {
    return parsed as Origin & { format: string }
  }
  closeSync(file)
  throw new Error(`${path} is not a state file of this sandbox`)
}

function parseOrUndefined(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

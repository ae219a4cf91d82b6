// The file that a world survives in: one line for its origin, then one line a fact, on disk before the request that
// caused it is answered, so that neither kill -9 nor a power cut takes back what anybody was told.
// Not a database: no compaction.
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
  /** What was appended after the origin. */
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

  /** Starts or continues a file. Throws on one that is not ours. */
  static open(path: string, fresh: Origin): Stored {
    const file = openOwn(path)
    const text = readFileSync(file, 'utf8')
    // A process killed in the middle of a write leaves a torn last line: that request was never answered.
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    const [first, ...lines] = whole.split('\n').slice(0, -1)
    const origin = first === undefined ? fresh : readOrigin(first, path, file)
    const log = new StateLog(file)
    ftruncateSync(log.#file, Buffer.byteLength(whole))
    if (first === undefined) log.append(JSON.stringify({ format: FORMAT, ...fresh }))
    // Also what a killed process wrote and did not sync: it is read now, and told.
    fsyncSync(log.#file)
    syncFolder(dirname(path))
    return { log, origin, lines }
  }

  append(line: string): void {
    // A failed write may have left half a line: nothing may follow it.
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

  /** Resolves once every line so far is on disk; those who wait at the same time share a sync. */
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
      // What the disk has refused once it may claim to have the next time.
      this.#failed = true
      throw error
    } finally {
      this.#syncing = undefined
    }
  }
}

/**
 * Opens the file, or makes it, for its owner only. Throws for one that somebody else could have written: what it says of the
 * world may then never have been.
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
  // Elsewhere permissions are of another kind.
  if (user === undefined) return
  if (uid !== user) throw new Error(`${path} belongs to another user (${uid}): remove it, or name another file`)
  if ((mode & 0o022) !== 0)
    throw new Error(`${path} can be written by others: chmod go= ${path}, where it is as you left it`)
}

/** The file's name is in its folder, not in the file. */
function syncFolder(folder: string): void {
  const opened = openSync(folder, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}

/** Closes a file that is none of a sandbox. */
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

// Writes to LevelDB that are on disk before they are answered. Writes that arrive during a sync share the next one, so
// many writers cost little more than one. Knows nothing of the content.
import { readdirSync } from 'node:fs'
import type { Disk } from '../disk.ts'

export type LevelWrite =
  | { readonly type: 'put'; readonly key: string; readonly value: unknown }
  | { readonly type: 'del'; readonly key: string }

/** Level's own `batch`, which writes everything or nothing. */
export type LevelBatch = (writes: readonly LevelWrite[], options: { readonly sync: true }) => Promise<void>

interface Waiting {
  readonly writes: readonly LevelWrite[]
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Maximum callers of one sync. Others wait for the next. */
const MOST_IN_GROUP = 1_000

export class GroupCommit {
  readonly #directory: string
  readonly #batch: LevelBatch
  readonly #disk: Disk
  readonly #waiting: Waiting[] = []
  #atWork: Promise<void> | undefined
  /** The file names that are on disk. */
  #files: string | undefined
  /** The error of the first batch that failed. Behind a torn record LevelDB would lose every later one. */
  #fault: Error | undefined

  /** `directory`: LevelDB's, already open. */
  constructor(directory: string, batch: LevelBatch, disk: Disk) {
    this.#directory = directory
    this.#batch = batch
    this.#disk = disk
    this.#syncNewFiles()
  }

  /** Resolves when the writes are on disk. Rejects when it is unknown whether they are, and after any such failure. */
  write(writes: readonly LevelWrite[]): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.push({ writes, resolve, reject })
    this.#atWork ??= this.#work()
    return promise
  }

  /** Adds a write to the next `write`, at the latest. For a write that is answered only with that one. */
  ahead(write: LevelWrite): void {
    this.#waiting.push({ writes: [write], resolve: () => undefined, reject: () => undefined })
  }

  /** Resolves when no `write` waits. */
  async untilIdle(): Promise<void> {
    await this.#atWork
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, MOST_IN_GROUP)
      try {
        const fault = this.#fault ?? this.#disk.fault
        if (fault !== undefined) throw fault
        await this.#batch(
          group.flatMap(({ writes }) => writes),
          { sync: true },
        )
        this.#syncNewFiles()
        for (const { resolve } of group) resolve()
      } catch (error) {
        // The store and the file system throw only errors.
        this.#fault ??= error as Error
        this.#disk.fail(this.#fault)
        for (const { reject } of group) reject(error)
      }
    }
    this.#atWork = undefined
  }

  /** LevelDB starts a new log now and then. It syncs the content, but the name only later, so this syncs the folder. */
  #syncNewFiles(): void {
    const files = readdirSync(this.#directory).join('/')
    if (files === this.#files) return
    this.#disk.sync(this.#directory)
    this.#files = files
  }
}

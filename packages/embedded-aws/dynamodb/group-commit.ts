// Writes of LevelDB that are on disk before they are answered. Those that come while a sync is under way share the
// next one, so that many writers cost little more than one. What is written, its callers know.
import { readdirSync } from 'node:fs'
import type { Disk } from '../disk.ts'

export type LevelWrite =
  | { readonly type: 'put'; readonly key: string; readonly value: unknown }
  | { readonly type: 'del'; readonly key: string }

/** Level's own `batch`: all of it or nothing. */
export type LevelBatch = (writes: readonly LevelWrite[], options: { readonly sync: true }) => Promise<void>

interface Waiting {
  readonly writes: readonly LevelWrite[]
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Callers that share one sync. Those beyond wait for the next. */
const MOST_IN_GROUP = 1_000

export class GroupCommit {
  readonly #directory: string
  readonly #batch: LevelBatch
  readonly #disk: Disk
  readonly #waiting: Waiting[] = []
  #atWork: Promise<void> | undefined
  /** The names that are on disk. */
  #files: string | undefined

  /** `directory` is LevelDB's, which is open. */
  constructor(directory: string, batch: LevelBatch, disk: Disk) {
    this.#directory = directory
    this.#batch = batch
    this.#disk = disk
    this.#syncNewFiles()
  }

  /** Resolves once the writes are on disk. Rejects where it cannot be said whether they are. */
  write(writes: readonly LevelWrite[]): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.push({ writes, resolve, reject })
    this.#atWork ??= this.#work()
    return promise
  }

  /** Goes with the next `write` at the latest: for what is answered to nobody before that one is. */
  ahead(write: LevelWrite): void {
    this.#waiting.push({ writes: [write], resolve: () => undefined, reject: () => undefined })
  }

  /** Resolves once no `write` waits. */
  async untilIdle(): Promise<void> {
    await this.#atWork
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, MOST_IN_GROUP)
      try {
        await this.#batch(
          group.flatMap(({ writes }) => writes),
          { sync: true },
        )
        this.#syncNewFiles()
        for (const { resolve } of group) resolve()
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    this.#atWork = undefined
  }

  /** LevelDB begins a new log now and then, and syncs what is in it, but its name only some time later. */
  #syncNewFiles(): void {
    const files = readdirSync(this.#directory).join('/')
    if (files === this.#files) return
    this.#disk.sync(this.#directory)
    this.#files = files
  }
}

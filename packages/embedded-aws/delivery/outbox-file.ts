// Owns the file of an outbox: one line for each accepted, failed or finished job. The first job creates the file. At a
// start, and now and then, the file is rewritten with the pending jobs only.
import { existsSync } from 'node:fs'
import { type Disk, DURABLE } from '../disk.ts'
import { isObject } from '../fields.ts'
import { parseStoredLines, readOwnText } from '../own-file.ts'

/** Work to do, with its number of attempts and its time limit. */
export interface Job<Work> {
  readonly id: string
  readonly acceptedMs: number
  readonly maxRetries: number
  readonly maxAgeMs: number
  readonly work: Work
  readonly failures: number
  /** Time of the next attempt, in epoch milliseconds. */
  readonly dueMs: number
}

type Line<Work> =
  | { readonly job: Job<Work> }
  | { readonly retry: string; readonly failures: number; readonly dueMs: number }
  | { readonly done: string }

/** Maximum lines of finished jobs before the file is rewritten. */
const MOST_DONE_LINES = 1000

export class OutboxFile<Work> {
  readonly #path: string
  readonly #disk: Disk
  readonly #jobs = new Map<string, Job<Work>>()
  #doneLines = 0

  /** Reads the pending jobs. A partial last line is ignored, because nothing was promised for it. */
  constructor(path: string, disk: Disk = DURABLE) {
    this.#path = path
    this.#disk = disk
    if (!existsSync(path)) return
    for (const line of parseStoredLines(readOwnText(path), path, isLine<Work>, REMEDY)) this.#apply(line)
    this.#rewrite()
  }

  get pending(): readonly Job<Work>[] {
    return [...this.#jobs.values()]
  }

  get size(): number {
    return this.#jobs.size
  }

  /** Adds the jobs in one write, which is on disk when this returns. */
  add(jobs: readonly Job<Work>[]): void {
    const lines = jobs.map((job) => ({ job }))
    this.#disk.append(this.#path, textOf(lines))
    for (const line of lines) this.#apply(line)
  }

  retryLater(id: string, failures: number, dueMs: number): void {
    this.#note({ retry: id, failures, dueMs })
  }

  remove(id: string): void {
    this.#note({ done: id })
    if (this.#doneLines > MOST_DONE_LINES + this.#jobs.size) this.#rewrite()
  }

  /** Appends without a sync. After a power cut the work may be done again, which at-least-once delivery allows. */
  #note(line: Line<Work>): void {
    this.#disk.note(this.#path, textOf([line]))
    this.#apply(line)
  }

  #apply(line: Line<Work>): void {
    if ('job' in line) {
      this.#jobs.set(line.job.id, line.job)
    } else if ('retry' in line) {
      const job = this.#jobs.get(line.retry)
      if (job !== undefined) this.#jobs.set(job.id, { ...job, failures: line.failures, dueMs: line.dueMs })
    } else {
      this.#jobs.delete(line.done)
      this.#doneLines += 1
    }
  }

  #rewrite(): void {
    this.#disk.replace(this.#path, textOf(this.pending.map((job) => ({ job }))))
    this.#doneLines = 0
  }
}

/** Repeating a request names the same execution or event, so nothing is done twice. */
const REMEDY = 'remove that line; its deliveries are lost, and can be requested again'

function isLine<Work>(value: unknown): value is Line<Work> {
  if (!isObject(value)) return false
  if (isObject(value.job)) return typeof value.job.id === 'string'
  return typeof value.retry === 'string' || typeof value.done === 'string'
}

function textOf(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

// The file of an outbox: a line for each job that was taken on, that failed once more, or that is done. It is made
// with the first job. It is written anew at a start and now and then, so that it holds what is pending.
import { existsSync } from 'node:fs'
import { appendWhole, type Disk, DURABLE } from '../disk.ts'
import { isObject } from '../fields.ts'
import { readOwnText } from '../own-file.ts'
import { parseStoredLines } from '../stored-json.ts'

/** Work that is owed, and how often and until when it is tried. */
export interface Job<Work> {
  readonly id: string
  readonly acceptedMs: number
  readonly maxRetries: number
  readonly maxAgeMs: number
  readonly work: Work
  /** Attempts that failed. */
  readonly failures: number
  /** When the next attempt is due. */
  readonly dueMs: number
}

type Line<Work> =
  | { readonly job: Job<Work> }
  | { readonly retry: string; readonly failures: number; readonly dueMs: number }
  | { readonly done: string }

/** Lines of jobs that are done, beyond which the file is written anew. */
const MOST_DONE_LINES = 1000

export class OutboxFile<Work> {
  readonly #path: string
  readonly #disk: Disk
  readonly #jobs = new Map<string, Job<Work>>()
  #doneLines = 0

  /** Reads what is pending. A last line that was cut off announced nothing yet. */
  constructor(path: string, disk: Disk = DURABLE) {
    this.#path = path
    this.#disk = disk
    if (!existsSync(path)) return
    for (const line of parseStoredLines(readOwnText(path), path, isLine<Work>, REMEDY)) this.#apply(line)
    this.#writeAnew()
  }

  get pending(): readonly Job<Work>[] {
    return [...this.#jobs.values()]
  }

  get size(): number {
    return this.#jobs.size
  }

  /** In one write, which is on disk when this returns. */
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
    if (this.#doneLines > MOST_DONE_LINES + this.#jobs.size) this.#writeAnew()
  }

  /** A power cut may take it back: what was done is then done again, which is what at least once means. */
  #note(line: Line<Work>): void {
    appendWhole(this.#path, textOf([line]))
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

  #writeAnew(): void {
    this.#disk.replace(this.#path, textOf(this.pending.map((job) => ({ job }))))
    this.#doneLines = 0
  }
}

/** Whoever asks again names the same execution, or the same event, and nothing is done twice. */
const REMEDY = 'take that line out; what it still owed is not delivered, and can be asked for again'

function isLine<Work>(value: unknown): value is Line<Work> {
  if (!isObject(value)) return false
  if (isObject(value.job)) return typeof value.job.id === 'string'
  return typeof value.retry === 'string' || typeof value.done === 'string'
}

function textOf(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

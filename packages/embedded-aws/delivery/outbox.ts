// Keeps accepted work until it is done, or until its retries end. Work is written to disk before it is promised,
// retried with growing delays, and resumed after a kill. Each job is done at least once: a job that was done but not
// recorded is done again. The owner of the outbox defines the work. Its file has one line for each accepted, failed or
// finished job, and is now and then rewritten with the pending ones.

import { existsSync } from 'node:fs'
import { AwsError } from '../aws-error.ts'
import type { AwsClock } from '../clock.ts'
import { type Disk, DURABLE } from '../disk.ts'
import { isObject } from '../fields.ts'
import { parseStoredLines, readOwnText } from '../own-file.ts'

/** Why an attempt failed. A final failure is not retried. */
export interface Failure {
  readonly code: string
  readonly message: string
  readonly isFinal: boolean
}

/** EventBridge's names in a dead letter. Undefined when the failure was final. */
export type Exhausted = 'MaximumRetryAttempts' | 'MaximumEventAgeInSeconds' | undefined

export interface OutboxOptions<Work> {
  readonly file: string
  /** Default: DURABLE. */
  readonly disk?: Disk
  readonly clock: AwsClock
  readonly newId: () => string
  /** Resolves to undefined when the work is done. */
  readonly attempt: (job: Job<Work>) => Promise<Failure | undefined>
  readonly giveUp: (job: Job<Work>, failure: Failure, exhausted: Exhausted) => void
  /** Milliseconds to wait after this many failures. */
  readonly backoffMs: (failures: number) => number
  /** Maximum pending jobs; beyond it `put` throws. Default: far more than one machine finishes. */
  readonly mostPending?: number | undefined
}

export type NewJob<Work> = Pick<Job<Work>, 'maxRetries' | 'maxAgeMs' | 'work'> & {
  /** Start of its age, in epoch milliseconds. Default: now. */
  readonly acceptedMs?: number
}

const MOST_PENDING = 10_000

export class Outbox<Work> {
  readonly #options: OutboxOptions<Work>
  readonly #file: OutboxFile<Work>
  readonly #stop = new AbortController()
  readonly #atWork = new Set<Promise<void>>()

  constructor(options: OutboxOptions<Work>) {
    this.#options = options
    this.#file = new OutboxFile(options.file, options.disk)
  }

  /** Continues the work that an earlier process left. */
  resume(): void {
    const nowMs = this.#options.clock.nowMs()
    for (const job of this.#file.pending) this.#take(byClock(job, nowMs))
  }

  /**
   * Accepts jobs. They are on disk together when this returns. Throws ThrottlingException when too many are pending.
   */
  put(jobs: readonly NewJob<Work>[]): void {
    if (jobs.length === 0) return
    const { mostPending = MOST_PENDING } = this.#options
    if (this.#file.size + jobs.length > mostPending) {
      throw new AwsError('ThrottlingException', `more than ${mostPending} deliveries are pending`)
    }
    const nowMs = this.#options.clock.nowMs()
    const taken = jobs.map((job) => ({
      id: this.#options.newId(),
      acceptedMs: nowMs,
      failures: 0,
      dueMs: nowMs,
      ...job,
    }))
    this.#file.add(taken)
    for (const job of taken) this.#take(job)
  }

  /** Resolves when nothing is pending. Rejects when an attempt met a bug. */
  async untilEmpty(): Promise<void> {
    while (this.#atWork.size > 0) await Promise.all(this.#atWork)
  }

  /** Stops the work. Pending jobs stay in the file. */
  halt(): void {
    this.#stop.abort(new Error('the embedded AWS stopped'))
  }

  #take(job: Job<Work>): void {
    const work: Promise<void> = this.#work(job).catch((error: unknown) => {
      // Any error other than the process's end is a bug of this program, and must not count as a delivery.
      if (!this.#stop.signal.aborted) throw error
    })
    this.#atWork.add(work)
    void work.finally(() => this.#atWork.delete(work))
  }

  async #work(taken: Job<Work>): Promise<void> {
    const { attempt, backoffMs, clock } = this.#options
    const { signal } = this.#stop
    let job = taken
    for (;;) {
      const leftMs = job.dueMs - clock.nowMs()
      if (leftMs > 0) await clock.sleep(leftMs, signal)
      signal.throwIfAborted()
      if (clock.nowMs() - job.acceptedMs > job.maxAgeMs) {
        return this.#giveUp(job, TOO_OLD, 'MaximumEventAgeInSeconds')
      }
      const failure = await attempt(job)
      signal.throwIfAborted()
      if (failure === undefined) return this.#file.remove(job.id)
      if (failure.isFinal) return this.#giveUp(job, failure, undefined)
      if (job.failures >= job.maxRetries) return this.#giveUp(job, failure, 'MaximumRetryAttempts')
      const failures = job.failures + 1
      const dueMs = clock.nowMs() + backoffMs(failures)
      if (dueMs - job.acceptedMs > job.maxAgeMs) return this.#giveUp(job, failure, 'MaximumEventAgeInSeconds')
      this.#file.retryLater(job.id, failures, dueMs)
      job = { ...job, failures, dueMs }
    }
  }

  #giveUp(job: Job<Work>, failure: Failure, exhausted: Exhausted): void {
    this.#options.giveUp(job, failure, exhausted)
    this.#file.remove(job.id)
  }
}

/** Makes a job due now if it was accepted at a time that is in the future since the clock was set back. */
function byClock<Work>(job: Job<Work>, nowMs: number): Job<Work> {
  return job.acceptedMs > nowMs ? { ...job, acceptedMs: nowMs, dueMs: nowMs } : job
}

const TOO_OLD: Failure = { code: 'TIMEOUT', message: 'it was not delivered within its maximum age', isFinal: false }

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

// Runs the schedules of the assembly. They fire only after `start`, or by `fire`. A due time is accepted for delivery
// before it is recorded as done. A kill in between delivers it twice, and loses none. If the clock was set back by more
// than a minute, due times follow the new time, and done times are not repeated.
// Source: Amazon EventBridge Scheduler User Guide.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Timing } from '@sluice/schedules'
import { AwsError } from '../aws-error.ts'
import type { AwsClock } from '../clock.ts'
import type { Deliveries, RetryPolicy, TargetPlace } from '../delivery/deliveries.ts'
import { type Disk, DURABLE } from '../disk.ts'
import { isObject } from '../fields.ts'
import { parseStored, readOwnText } from '../own-file.ts'
import { isDone, isSetBack, type Progress, reachedMs, SET_BACK_MS, setBackTo, skippedTo } from './progress.ts'

export interface Schedule extends TargetPlace, RetryPolicy {
  readonly name: string
  readonly group: string
  readonly arn: string
  readonly expression: string
  readonly zone: string
  readonly timing: Timing
  readonly isEnabled: boolean
  readonly startMs: number | undefined
  readonly endMs: number | undefined
  /** JSON text; undefined for EventBridge's own event. */
  readonly input: string | undefined
}

export interface SchedulesOptions {
  readonly schedules: readonly Schedule[]
  readonly account: string
  readonly region: string
  readonly file: string
  /** Default: DURABLE. */
  readonly disk?: Disk
  readonly deliveries: Deliveries
  readonly clock: AwsClock
  readonly newId: () => string
  /** Called once for all schedules when the clock was set back past a time that is done. */
  readonly onClockSetBack?: ((setBack: ClockSetBack) => void) | undefined
}

export interface ClockSetBack {
  /** The latest time before the set-back. */
  readonly fromMs: number
  readonly toMs: number
}

/** Maximum sleep. After a host slept, its clock is ahead of its timers. */
const LONGEST_SLEEP_MS = 60_000
/** Wait between attempts when too many deliveries are pending. */
const BETWEEN_TRIES_MS = 10_000
/** Maximum missed times of one schedule that fire after a pause: the latest ones. */
const MOST_MISSED = 100

export class Schedules {
  readonly #options: SchedulesOptions
  readonly #stop = new AbortController()
  #progress: Readonly<Record<string, Progress>>
  #isStarted = false
  /** When a set-back of the clock was last reported. */
  #reportedMs = Number.NEGATIVE_INFINITY

  /** Throws Refusal for a damaged file. */
  constructor(options: SchedulesOptions) {
    this.#options = options
    this.#progress = readProgress(options.file)
  }

  list(): readonly Schedule[] {
    return this.#options.schedules
  }

  /** Starts firing. Missed times fire too, up to their maximum age. */
  start(): void {
    if (this.#isStarted) return
    this.#isStarted = true
    for (const schedule of this.#options.schedules.filter(({ isEnabled }) => isEnabled)) {
      this.#run(schedule).catch((error: unknown) => {
        // Any error other than the process's end is a bug of this program.
        if (!this.#stop.signal.aborted) throw error
      })
    }
  }

  /** Fires a schedule for any time; `times` repeats it, as EventBridge may. */
  fire(name: string, scheduledMs: number, times = 1): void {
    const schedule = this.#options.schedules.find((schedule) => schedule.name === name || schedule.arn === name)
    if (schedule === undefined) {
      throw new AwsError('ResourceNotFoundException', `Schedule ${name} does not exist.`, 404)
    }
    for (let time = 0; time < times; time++) this.#accept(schedule, scheduledMs, this.#options.clock.nowMs())
  }

  halt(): void {
    this.#stop.abort(new Error('the embedded AWS stopped'))
  }

  async #run(schedule: Schedule): Promise<void> {
    const { clock } = this.#options
    let isFirst = true
    for (;;) {
      const { dueMs, missed } = this.#missed(schedule, isFirst)
      for (const missedMs of missed) await this.#fireDue(schedule, missedMs)
      if (dueMs === undefined) return
      await this.#sleepUntil(dueMs, clock.nowMs())
      isFirst = false
    }
  }

  /**
   * Returns the times that are due now, and the next time. Of times due before a start, only those within the maximum
   * age count.
   */
  #missed(schedule: Schedule, isFirst: boolean): { readonly dueMs: number | undefined; readonly missed: number[] } {
    const nowMs = this.#options.clock.nowMs()
    const { isBehind, progress } = this.#reached(schedule, nowMs)
    // Without a start date, AWS counts a rate from its creation.
    const anchorMs = schedule.startMs ?? progress.createdMs
    const youngMs = nowMs - schedule.maxAgeSeconds * 1000 - 1
    const fromMs = reachedMs(progress)
    const firstMs = nextMs(schedule, fromMs, anchorMs)
    const hasTooOld = firstMs !== undefined && firstMs <= youngMs
    if (hasTooOld) this.#note(schedule.arn, skippedTo(progress, youngMs))
    const missed: number[] = []
    let dueMs = hasTooOld && (isFirst || isBehind) ? nextMs(schedule, youngMs, anchorMs) : firstMs
    for (; dueMs !== undefined && dueMs <= nowMs; dueMs = nextMs(schedule, dueMs, anchorMs)) {
      missed.push(dueMs)
      if (missed.length > MOST_MISSED) missed.shift()
    }
    return { dueMs, missed: missed.filter((schedule) => !isDone(progress, schedule)) }
  }

  /** Returns early when the clock was set back. */
  async #sleepUntil(dueMs: number, sinceMs: number): Promise<void> {
    const { clock } = this.#options
    let latestMs = sinceMs
    for (let nowMs = sinceMs; nowMs < dueMs; nowMs = clock.nowMs()) {
      if (nowMs < latestMs - SET_BACK_MS) {
        this.#reportSetBack({ fromMs: latestMs, toMs: nowMs })
        return
      }
      latestMs = Math.max(latestMs, nowMs)
      await clock.sleep(Math.min(dueMs - nowMs, LONGEST_SLEEP_MS), this.#stop.signal)
    }
    this.#stop.signal.throwIfAborted()
  }

  /**
   * Delivers one due time, whose age counts from then. When too many deliveries are pending it tries again, up to the
   * maximum age.
   */
  async #fireDue(schedule: Schedule, dueMs: number): Promise<void> {
    const { clock } = this.#options
    while (!this.#isAccepted(schedule, dueMs) && clock.nowMs() - dueMs <= schedule.maxAgeSeconds * 1000) {
      await clock.sleep(BETWEEN_TRIES_MS, this.#stop.signal)
    }
    const progress = this.#begin(schedule)
    // A time that is too old is accepted too, for its dead letter. It may be behind `lastMs` already.
    if (dueMs > reachedMs(progress)) this.#note(schedule.arn, { ...progress, lastMs: dueMs })
  }

  #isAccepted(schedule: Schedule, dueMs: number): boolean {
    try {
      this.#accept(schedule, dueMs, dueMs)
      return true
    } catch (error) {
      if (error instanceof AwsError) return false
      throw error
    }
  }

  #accept(schedule: Schedule, scheduledMs: number, acceptedMs: number): void {
    const { deliveries, newId } = this.#options
    const { arn, deadLetterArn, maxAgeSeconds, maxRetries, roleArn, targetArn } = schedule
    const scheduledTime = new Date(scheduledMs).toISOString().replace(/\.\d{3}Z$/, 'Z')
    const payload = (schedule.input ?? this.#ownEvent(schedule, scheduledTime))
      .replaceAll('<aws.scheduler.scheduled-time>', scheduledTime)
      .replaceAll('<aws.scheduler.schedule-arn>', arn)
    deliveries.put([
      {
        source: 'schedule',
        sourceArn: arn,
        targetArn,
        roleArn,
        deadLetterArn,
        maxRetries,
        maxAgeSeconds,
        payload,
        original: payload,
        executionName: newId(),
        scheduledTime,
        acceptedMs,
      },
    ])
  }

  /** Returns EventBridge's own event, for a schedule without an input. */
  #ownEvent({ arn }: Schedule, time: string): string {
    const { account, newId, region } = this.#options
    const event = { version: '0', id: newId(), 'detail-type': 'Scheduled Event', source: 'aws.scheduler' }
    return JSON.stringify({ ...event, account, time, region, resources: [arn], detail: '{}' })
  }

  /** Returns the progress of a schedule. A new or changed schedule starts now. */
  #begin({ arn, expression, zone }: Schedule): Progress {
    const hash = createHash('sha256')
      .update(JSON.stringify([expression, zone]))
      .digest('hex')
    const known = this.#progress[arn]
    if (known?.hash === hash) return known
    const createdMs = this.#options.clock.nowMs()
    const started = { hash, createdMs, sinceMs: createdMs - 1 }
    this.#note(arn, started)
    return started
  }

  #reached(schedule: Schedule, nowMs: number): { readonly progress: Progress; readonly isBehind: boolean } {
    const progress = this.#begin(schedule)
    if (!isSetBack(progress, nowMs)) return { progress, isBehind: false }
    this.#reportSetBack({ fromMs: Math.max(progress.createdMs, reachedMs(progress)), toMs: nowMs })
    const started = setBackTo(progress, nowMs)
    this.#note(schedule.arn, started)
    return { progress: started, isBehind: true }
  }

  #reportSetBack(setBack: ClockSetBack): void {
    // Each schedule notices the set-back within its own sleep, but it is reported once.
    if (Math.abs(setBack.toMs - this.#reportedMs) < SET_BACK_MS + LONGEST_SLEEP_MS) return
    this.#reportedMs = setBack.toMs
    this.#options.onClockSetBack?.(setBack)
  }

  #note(arn: string, progress: Progress): void {
    const { disk = DURABLE, file } = this.#options
    this.#progress = { ...this.#progress, [arn]: progress }
    disk.replace(file, JSON.stringify(this.#progress))
  }
}

function readProgress(file: string): Readonly<Record<string, Progress>> {
  return existsSync(file) ? parseStored(readOwnText(file), file, isAllProgress, REMEDY) : {}
}

const REMEDY = 'move it out of the directory: then every schedule starts again, and missed times are not delivered'

function isAllProgress(value: unknown): value is Readonly<Record<string, Progress>> {
  const isNumber = (field: unknown) => typeof field === 'number'
  return (
    isObject(value) &&
    Object.values(value).every(
      (schedule) => isObject(schedule) && isNumber(schedule.createdMs) && isNumber(schedule.sinceMs),
    )
  )
}

/** Returns the next time within the schedule's own dates. */
function nextMs({ endMs, startMs, timing }: Schedule, afterMs: number, anchorMs: number): number | undefined {
  const dueMs = timing.nextMs(Math.max(afterMs, (startMs ?? 0) - 1), anchorMs)
  return dueMs === undefined || (endMs !== undefined && dueMs > endMs) ? undefined : dueMs
}

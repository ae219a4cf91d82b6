// The schedules of the assembly. They fire nothing until they are started, or one of them is fired
// by hand. The delivery of each time that is due is taken on before that time is noted as done. So a kill
// between the two delivers it twice, and none is lost. Where the clock was set back by more than a minute, what is due
// goes by the new time, and nothing that was done before is done again.
// Source: Amazon EventBridge Scheduler User Guide.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Timing } from '@sluice/schedules'
import { AwsError } from '../aws-error.ts'
import type { AwsClock } from '../clock.ts'
import type { Deliveries } from '../delivery/deliveries.ts'
import type { RetryPolicy, TargetPlace } from '../delivery/delivery.ts'
import { type Disk, DURABLE } from '../disk.ts'
import { isObject } from '../fields.ts'
import { readOwnText } from '../own-file.ts'
import { parseStored } from '../stored-json.ts'
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
  /** Default: the durable one. */
  readonly disk?: Disk
  readonly deliveries: Deliveries
  readonly clock: AwsClock
  readonly newId: () => string
  /** The clock was set back, past a time that was done already: once for all schedules. */
  readonly onClockSetBack?: ((setBack: ClockSetBack) => void) | undefined
}

export interface ClockSetBack {
  /** How far the clock had come. */
  readonly fromMs: number
  readonly toMs: number
}

/** A host that slept has another clock than its timers. */
const LONGEST_SLEEP_MS = 60_000
const BETWEEN_TRIES_MS = 10_000
/** Times that were missed while nothing ran, of one schedule; the latest of them. */
const MOST_MISSED = 100

export class Schedules {
  readonly #options: SchedulesOptions
  readonly #stop = new AbortController()
  #progress: Readonly<Record<string, Progress>>
  #isStarted = false
  /** When it was told last that the clock was set back. */
  #toldMs = Number.NEGATIVE_INFINITY

  /** Throws Refusal for a file that something else has changed. */
  constructor(options: SchedulesOptions) {
    this.#options = options
    this.#progress = readProgress(options.file)
  }

  list(): readonly Schedule[] {
    return this.#options.schedules
  }

  /** From now on what is due fires, and what was missed not longer ago than its maximum age. */
  start(): void {
    if (this.#isStarted) return
    this.#isStarted = true
    for (const schedule of this.#options.schedules.filter((each) => each.isEnabled)) {
      this.#run(schedule).catch((error: unknown) => {
        // Anything but the end of the process is a bug of this program.
        if (!this.#stop.signal.aborted) throw error
      })
    }
  }

  /** By hand, for a time that need not be due: once, or more often, as EventBridge may. */
  fire(name: string, scheduledMs: number, times = 1): void {
    const schedule = this.#options.schedules.find((each) => each.name === name || each.arn === name)
    if (schedule === undefined) {
      throw new AwsError('ResourceNotFoundException', `Schedule ${name} does not exist.`, 404)
    }
    for (let time = 0; time < times; time++) this.#owe(schedule, scheduledMs, this.#options.clock.nowMs())
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

  /** What is due by now, and when the next is. Of what was due before a start, only what is not too old. */
  #missed(schedule: Schedule, isFirst: boolean): { readonly dueMs: number | undefined; readonly missed: number[] } {
    const nowMs = this.#options.clock.nowMs()
    const { isBehind, progress } = this.#reached(schedule, nowMs)
    // Without a date to start from, AWS starts a rate when it is made.
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
    return { dueMs, missed: missed.filter((each) => !isDone(progress, each)) }
  }

  /** Ends early where the clock was set back. */
  async #sleepUntil(dueMs: number, sinceMs: number): Promise<void> {
    const { clock } = this.#options
    let latestMs = sinceMs
    for (let nowMs = sinceMs; nowMs < dueMs; nowMs = clock.nowMs()) {
      if (nowMs < latestMs - SET_BACK_MS) {
        this.#tellSetBack({ fromMs: latestMs, toMs: nowMs })
        return
      }
      latestMs = Math.max(latestMs, nowMs)
      await clock.sleep(Math.min(dueMs - nowMs, LONGEST_SLEEP_MS), this.#stop.signal)
    }
    this.#stop.signal.throwIfAborted()
  }

  /** Its age counts from when it was due. Where too much is pending, it waits, as long as it is not too old. */
  async #fireDue(schedule: Schedule, dueMs: number): Promise<void> {
    const { clock } = this.#options
    while (!this.#isOwed(schedule, dueMs) && clock.nowMs() - dueMs <= schedule.maxAgeSeconds * 1000) {
      await clock.sleep(BETWEEN_TRIES_MS, this.#stop.signal)
    }
    const progress = this.#begin(schedule)
    // One that was too old, and was owed all the same so that its dead letter tells of it, is behind already.
    if (dueMs > reachedMs(progress)) this.#note(schedule.arn, { ...progress, lastMs: dueMs })
  }

  #isOwed(schedule: Schedule, dueMs: number): boolean {
    try {
      this.#owe(schedule, dueMs, dueMs)
      return true
    } catch (error) {
      if (error instanceof AwsError) return false
      throw error
    }
  }

  #owe(schedule: Schedule, scheduledMs: number, acceptedMs: number): void {
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

  /** What a target is given where the schedule says nothing. */
  #ownEvent({ arn }: Schedule, time: string): string {
    const { account, newId, region } = this.#options
    const event = { version: '0', id: newId(), 'detail-type': 'Scheduled Event', source: 'aws.scheduler' }
    return JSON.stringify({ ...event, account, time, region, resources: [arn], detail: '{}' })
  }

  /** Where it is; a schedule that is new, or has changed, begins now. */
  #begin({ arn, expression, zone }: Schedule): Progress {
    const hash = createHash('sha256')
      .update(JSON.stringify([expression, zone]))
      .digest('hex')
    const known = this.#progress[arn]
    if (known?.hash === hash) return known
    const createdMs = this.#options.clock.nowMs()
    const begun = { hash, createdMs, sinceMs: createdMs - 1 }
    this.#note(arn, begun)
    return begun
  }

  #reached(schedule: Schedule, nowMs: number): { readonly progress: Progress; readonly isBehind: boolean } {
    const progress = this.#begin(schedule)
    if (!isSetBack(progress, nowMs)) return { progress, isBehind: false }
    this.#tellSetBack({ fromMs: Math.max(progress.createdMs, reachedMs(progress)), toMs: nowMs })
    const begun = setBackTo(progress, nowMs)
    this.#note(schedule.arn, begun)
    return { progress: begun, isBehind: true }
  }

  #tellSetBack(setBack: ClockSetBack): void {
    // Each schedule sees it within its own sleep.
    if (Math.abs(setBack.toMs - this.#toldMs) < SET_BACK_MS + LONGEST_SLEEP_MS) return
    this.#toldMs = setBack.toMs
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

const REMEDY =
  'move it out of the directory: every schedule then begins anew, and what was missed until now is not owed'

function isAllProgress(value: unknown): value is Readonly<Record<string, Progress>> {
  const isNumber = (field: unknown) => typeof field === 'number'
  return (
    isObject(value) &&
    Object.values(value).every((each) => isObject(each) && isNumber(each.createdMs) && isNumber(each.sinceMs))
  )
}

/** Within the schedule's own dates. */
function nextMs({ endMs, startMs, timing }: Schedule, afterMs: number, anchorMs: number): number | undefined {
  const dueMs = timing.nextMs(Math.max(afterMs, (startMs ?? 0) - 1), anchorMs)
  return dueMs === undefined || (endMs !== undefined && dueMs > endMs) ? undefined : dueMs
}

// Runs one execution: the interpreter continues from the log's position, and every event is appended to the log. A
// caller that stops the execution from outside writes the last event, or leaves it unfinished. Also bounds how many
// executions may be between two invocations. If all began together, the results of each first step could expire before
// its next step runs.
import type { AwsClock } from '../clock.ts'
import type { Disk } from '../disk.ts'
import { ROOT } from './branch.ts'
import type { ChildExecutions } from './child-access.ts'
import type { Definition } from './definition.ts'
import { EventNumbers } from './event-numbers.ts'
import { describe, type ExecutionDescription } from './execution-description.ts'
import { appendEvents, appendRetries, type ExecutionHeader, type LoggedExecution } from './execution-log.ts'
import { type BranchEvent, type EventDraft, type HistoryEvent, statusAfter } from './history.ts'
import { runExecution } from './interpreter.ts'
import { parseJson } from './json.ts'
import { earlier, positionOf } from './position.ts'
import type { Appended, ExecutionIdentity, InvokeFunction, Run } from './run.ts'
import { ExecutionTokens, type TokenAnswer, taskIsOver } from './task-tokens.ts'

export interface RunningOptions {
  /** Path of its log. */
  readonly file: string
  readonly disk: Disk
  readonly definition: Definition
  readonly clock: AwsClock
  readonly random: () => number
  readonly invoke: InvokeFunction
  readonly place: Place
  readonly children: ChildExecutions
  readonly onEvent: (executionArn: string, event: HistoryEvent) => void
  /** Called when the execution has ended without being stopped. */
  readonly onFinished: () => void
}

export class RunningExecution {
  readonly header: ExecutionHeader
  /** Resolves when the execution ends or is aborted. */
  readonly ended: Promise<void>
  readonly #options: RunningOptions
  readonly #logged: LoggedExecution
  readonly #abort = new AbortController()
  readonly #resolveEnded: () => void
  readonly #rejectEnded: (error: unknown) => void
  readonly #numbers: EventNumbers
  readonly #tokens: ExecutionTokens
  /** The last event, which ended the execution. */
  #end: HistoryEvent | undefined

  constructor(logged: LoggedExecution, options: RunningOptions) {
    this.header = logged.header
    this.#logged = logged
    this.#options = options
    this.#tokens = new ExecutionTokens(this.header.executionArn, this.header.tokenSecret)
    this.#numbers = new EventNumbers(logged.steps.filter((step) => 'event' in step))
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.ended = promise
    this.#resolveEnded = resolve
    this.#rejectEnded = reject
    this.#abort.signal.addEventListener('abort', () => resolve(), { once: true })
    this.ended.catch(() => undefined).finally(() => options.place.leave())
  }

  start(): void {
    const lastMs = this.#logged.events.at(-1)?.timestamp.getTime() ?? 0
    // A log that is ahead of the clock was written before the clock was set back. Its remaining waits are kept.
    const aheadMs = Math.max(0, lastMs - this.#options.clock.nowMs())
    runExecution(this.#run(), earlier(positionOf(this.#logged), aheadMs))
      .then(() => {
        // A listener of its end halted it. The next start moves its file.
        if (this.#abort.signal.aborted) return
        this.#options.onFinished()
        this.#resolveEnded()
      })
      .catch((error: unknown) => {
        // Any error other than an abort is a bug of this program, or its files are gone. It must not count as a failed
        // execution.
        if (!this.#abort.signal.aborted) this.#rejectEnded(error)
      })
  }

  /** Stops the interpreter's writes. A running function continues, but its answer is lost. */
  abort(reason: Error): void {
    this.#abort.abort(reason)
  }

  /** Appends an event of the execution itself, and returns its time. Throws StateFailure when the history is full. */
  append(draft: EventDraft): number {
    return this.#append([{ branch: ROOT, event: draft }]).atMs
  }

  /** Returns when the answer is on disk. Throws TaskTimedOut for a token that was used, or whose Task has ended. */
  answerTask(token: string, given: TokenAnswer): void {
    const waiting = this.#tokens.find(token)
    if (waiting === undefined) throw taskIsOver()
    waiting.answer(given)
    // At once: the execution may go on to its end, which moves its file.
    this.#options.disk.sync(this.#options.file)
  }

  /** Throws TaskTimedOut. */
  beat(token: string): void {
    const waiting = this.#tokens.find(token)
    if (waiting === undefined) throw taskIsOver()
    waiting.beat()
  }

  /** Describes the execution as its file does, without reading the file again. */
  description(): ExecutionDescription {
    const { events } = this.#logged
    return describe({ ...this.#logged, events: this.#end === undefined ? events : [...events, this.#end] })
  }

  #append(drafts: readonly BranchEvent[]): Appended {
    const atMs = this.#options.clock.nowMs()
    const placed = appendEvents(this.#options.disk, this.#options.file, drafts, this.#numbers, atMs)
    this.#end = placed.find(({ event }) => statusAfter(event) !== undefined)?.event
    for (const { event } of placed) this.#options.onEvent(this.header.executionArn, event)
    return { atMs, lastId: placed.at(-1)?.event.id ?? 0 }
  }

  #run(): Run {
    const { children, clock, definition, disk, file, invoke, place, random } = this.#options
    const { signal } = this.#abort
    const { startDate, redriveDate } = describe(this.#logged)
    const lifeMs = (definition.timeoutSeconds ?? Number.POSITIVE_INFINITY) * 1000
    return {
      graph: definition,
      branch: ROOT,
      item: undefined,
      execution: identityOf(this.#logged),
      journal: {
        append: (drafts) => {
          signal.throwIfAborted()
          return this.#append(drafts)
        },
        noteRetry: (branch, retries) => {
          signal.throwIfAborted()
          appendRetries(disk, file, { branch, retries })
        },
        stateOf: (branch) => this.#numbers.stateOf(branch),
        sync: () => disk.syncLater(file),
      },
      invoke: async (call) => {
        await place.take()
        signal.throwIfAborted()
        return invoke(call)
      },
      children: {
        ...children,
        untilEnded: (executionArn, stopped) => {
          place.leave()
          return children.untilEnded(executionArn, stopped)
        },
      },
      tokens: this.#tokens,
      leave: () => place.leave(),
      clock: {
        nowMs: () => clock.nowMs(),
        sleep: (ms, stopped) => {
          place.leave()
          return clock.sleep(ms, stopped)
        },
      },
      random,
      deadlineMs: (redriveDate ?? startDate).getTime() + lifeMs,
      signal,
    }
  }
}

function identityOf(logged: LoggedExecution): ExecutionIdentity {
  const { header } = logged
  const { input, redriveCount, redriveDate, startDate } = describe(logged)
  return {
    arn: header.executionArn,
    name: header.name,
    input: parseJson(input),
    startTime: startDate.toISOString(),
    roleArn: header.roleArn,
    redriveCount,
    redriveTime: redriveDate?.toISOString(),
    machineArn: header.stateMachineArn,
    machineName: header.stateMachineName,
  }
}

/** Maximum places. More would not use the processors better. */
const PLACES = 16

export interface Place {
  /**
   * Resolves when the execution has a place, in the order of first requests. An execution that has left continues
   * without one.
   */
  take(): Promise<void>
  /** Frees the place when the execution waits for time or for others, or has ended. */
  leave(): void
}

export class Places {
  readonly #waiting = new Set<() => void>()
  #free = PLACES

  /** Returns a place for one execution, until it leaves. */
  forOne(): Place {
    let state: 'new' | 'waiting' | 'there' | 'left' = 'new'
    const turn = Promise.withResolvers<void>()
    const enter = () => {
      state = 'there'
      turn.resolve()
    }
    return {
      take: () => {
        if (state === 'new') {
          state = 'waiting'
          this.#waiting.add(enter)
          this.#letIn()
        }
        return turn.promise
      },
      leave: () => {
        if (state === 'there') this.#free += 1
        this.#waiting.delete(enter)
        state = 'left'
        turn.resolve()
        this.#letIn()
      },
    }
  }

  #letIn(): void {
    for (const enter of this.#waiting) {
      if (this.#free === 0) return
      this.#free -= 1
      this.#waiting.delete(enter)
      enter()
    }
  }
}

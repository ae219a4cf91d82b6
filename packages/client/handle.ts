// Waits for the end of an execution. An intent or a run that was entered again has several executions: ID, ID_2 and so
// on. The last of them has the result.
import { NeedsPerson, NotYet, StartUnknown } from './errors.ts'
import { type Execution, findExecution, type StepFunctions, startExecution, Unanswered } from './step-functions.ts'

export interface Handle<Result> {
  readonly id: string
  readonly executionArn: string
  /**
   * Waits for the end, and resolves for a complete success only: `FILLED`, `COMPLETED`, and for runs `SETTLED`,
   * `NOTHING_TO_DO` and `SHADOWED`. Default of `withinMs`: ten minutes. It may be called again, also after an error.
   * @throws MovedNothing, MovedInPart, OwnFault, NeedsPerson, NotYet, NotAllowed
   */
  result(options?: WaitOptions): Promise<Result>
  /**
   * Enters it again after its execution failed. This is safe in every state, because each step reads the journal first.
   * Returns whether it was entered: not while it runs, nor after an end that is final.
   * @throws NeedsPerson (after 99 entries), NotAllowed, NotYet, StartUnknown
   */
  again(): Promise<boolean>
}

export interface WaitOptions {
  /** At most 30 days. With 0 it reads once. */
  readonly withinMs?: number
  readonly signal?: AbortSignal
}

export interface Clock {
  nowMs(): number
  /** Rejects with the signal's reason. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>
}

export interface Followed<Result> {
  readonly id: string
  readonly machineArn: string
  /** JSON. */
  readonly input: string
  /** The result of an execution that has ended; `undefined` where a later entry will have it. @throws ClientError */
  readonly resultOf: (execution: Execution) => Result | undefined
}

const DEFAULT_WITHIN_MS = 600_000
const LONGEST_WITHIN_MS = 30 * 24 * 3_600_000
/** Milliseconds between two reads: the first wait, doubled up to the longest. */
const [FIRST_WAIT_MS, LONGEST_WAIT_MS] = [250, 5_000]
const MOST_ENTRIES = 99

interface Entry {
  readonly number: number
  readonly execution: Execution
}

export function createHandle<Result>(followed: Followed<Result>, sfn: StepFunctions, clock: Clock): Handle<Result> {
  const { id, machineArn, input, resultOf } = followed
  const nameOf = (entry: number) => (entry === 1 ? id : `${id}_${entry}`)
  const arnOf = (entry: number) => executionArnOf(machineArn, nameOf(entry))
  let known = 1

  /** Undefined where Step Functions does not list the first entry yet. */
  async function findLast(): Promise<Entry | undefined> {
    let last: Entry | undefined
    for (let number = known; number <= MOST_ENTRIES; number += 1) {
      const execution = await findExecution(sfn, arnOf(number))
      if (execution === undefined) break
      last = { number, execution }
      known = number
      if (execution.status === 'RUNNING') break
    }
    return last
  }

  return {
    id,
    executionArn: arnOf(1),

    async result({ withinMs = DEFAULT_WITHIN_MS, signal } = {}) {
      if (!(withinMs >= 0 && withinMs <= LONGEST_WITHIN_MS)) {
        throw new RangeError(`withinMs: expected milliseconds from 0 to ${LONGEST_WITHIN_MS}`)
      }
      const untilMs = clock.nowMs() + withinMs
      let reason: string | undefined
      let awaitsApproval = false
      for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2)) {
        signal?.throwIfAborted()
        try {
          const last = await findLast()
          const isEnded = last !== undefined && last.execution.status !== 'RUNNING'
          const result = isEnded ? resultOf(last.execution) : undefined
          if (result !== undefined) return result
          awaitsApproval = isEnded
          reason = undefined
        } catch (error) {
          // A read may be repeated until the time is over.
          if (!(error instanceof Unanswered)) throw error
          reason = error.reason
        }
        const leftMs = untilMs - clock.nowMs()
        if (leftMs <= 0) throw new NotYet(id, { withinMs, awaitsApproval, reason })
        await clock.sleep(Math.min(waitMs, leftMs), signal)
      }
    },

    async again() {
      const last = await findLast().catch((error: unknown) => {
        throw error instanceof Unanswered
          ? new NotYet(id, { withinMs: 0, awaitsApproval: false, reason: error.reason })
          : error
      })
      if (last === undefined || !FAILED.has(last.execution.status)) return false
      if (last.number === MOST_ENTRIES) throw new NeedsPerson(id, undefined, `it was entered ${MOST_ENTRIES} times`)
      try {
        const name = nameOf(last.number + 1)
        return (await startExecution(sfn, { stateMachineArn: machineArn, name, input })) === 'started'
      } catch (error) {
        throw error instanceof Unanswered ? new StartUnknown(id, error.reason) : error
      }
    },
  }
}

const FAILED: ReadonlySet<string> = new Set(['FAILED', 'TIMED_OUT', 'ABORTED'])

/** An execution's ARN is that of its machine, followed by its name. */
export function executionArnOf(machineArn: string, name: string): string {
  return `${machineArn.replace(':stateMachine:', ':execution:')}:${name}`
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }, ms)
      signal?.addEventListener('abort', stop, { once: true })
    }),
}

// Performs a Task that calls a function and then waits for its task token (`lambda:invoke.waitForTaskToken`). The answer is
// in the log before its sender hears of it. The function may send it before it returns.
// Source: AWS Step Functions, "Wait for a callback with the task token"; recorded histories (decision 1).
import type { FailureDetails, Integration } from './history.ts'
import {
  integrationEvents,
  submitted,
  type TaskAttempt,
  type TaskCall,
  type TaskOutcome,
} from './integration-events.ts'
import { type Json, parseJson } from './json.ts'
import { type Run, record } from './run.ts'
import type { TokenAnswer } from './task-tokens.ts'

const INTEGRATION: Integration = { resourceType: 'lambda', resource: 'invoke.waitForTaskToken' }

/** `invoke`: the call of the function. */
export function tokenCall(
  run: Run,
  parameters: Json,
  { answered, heartbeatSeconds, submittedMs, token = '' }: TaskAttempt,
  invoke: TaskCall['perform'],
): TaskCall {
  const events = integrationEvents(INTEGRATION, run, parameters, heartbeatSeconds)
  return {
    ...events,
    async perform(timeoutMs) {
      if (answered !== undefined) return outcomeOf(answered)
      const wait = new TokenWait(run, events, token, heartbeatSeconds)
      try {
        const untilMs = timeoutMs === undefined ? Number.POSITIVE_INFINITY : run.clock.nowMs() + timeoutMs
        if (submittedMs === undefined) {
          const call = invoke(timeoutMs)
          // The answer may come first. Then nobody waits for the function.
          call.catch(() => undefined)
          const invoked = await Promise.race([wait.answer, call])
          if (invoked.kind !== 'answered' || invoked.isRecorded === true) return invoked
          record(run, [submitted(INTEGRATION, JSON.stringify(invoked.result))])
        }
        return await wait.until(untilMs)
      } finally {
        wait.end()
      }
    },
  }
}

class TokenWait {
  readonly answer: Promise<TaskOutcome>
  readonly #run: Run
  readonly #token: string
  readonly #heartbeatMs: number
  readonly #over = new AbortController()
  readonly #onStop: () => void
  #beatMs: number

  constructor(
    run: Run,
    events: Pick<TaskCall, 'succeeded' | 'failed'>,
    token: string,
    heartbeatSeconds: number | undefined,
  ) {
    this.#run = run
    this.#token = token
    this.#heartbeatMs = (heartbeatSeconds ?? Number.POSITIVE_INFINITY) * 1000
    this.#beatMs = run.clock.nowMs()
    const { promise, resolve, reject } = Promise.withResolvers<TaskOutcome>()
    this.answer = promise
    promise.catch(() => undefined)
    this.#onStop = () => reject(run.signal.reason)
    run.signal.addEventListener('abort', this.#onStop, { once: true })
    run.tokens.open(token, {
      answer(given) {
        // A token counts once.
        run.tokens.close(token)
        try {
          record(run, ['output' in given ? events.succeeded(given.output) : failedEvent(events, given.failure)])
        } catch (error) {
          reject(error)
          throw error
        }
        resolve(outcomeOf(given))
      },
      beat: () => {
        this.#beatMs = run.clock.nowMs()
      },
    })
  }

  /** Resolves with the answer, or when the time is over or no heartbeat came in time. */
  async until(untilMs: number): Promise<TaskOutcome> {
    const { clock } = this.#run
    for (;;) {
      const beatUntilMs = this.#beatMs + this.#heartbeatMs
      const endMs = Math.min(untilMs, beatUntilMs)
      if (!Number.isFinite(endMs)) return await this.#withoutEnd()
      const leftMs = endMs - clock.nowMs()
      if (leftMs <= 0) return { kind: 'timed-out', isLateBeat: beatUntilMs < untilMs }
      const late = clock.sleep(leftMs, this.#over.signal).then(() => undefined)
      late.catch(() => undefined)
      const first = await Promise.race([this.answer, late])
      if (first !== undefined) return first
    }
  }

  end(): void {
    this.#run.tokens.close(this.#token)
    this.#run.signal.removeEventListener('abort', this.#onStop)
    this.#over.abort(new Error('nobody waits for it any more'))
  }

  #withoutEnd(): Promise<TaskOutcome> {
    this.#run.leave()
    return this.answer
  }
}

function failedEvent({ failed }: Pick<TaskCall, 'failed'>, { cause, error = '' }: FailureDetails) {
  return failed(error, cause)
}

function outcomeOf(given: TokenAnswer): TaskOutcome {
  if ('output' in given) return { kind: 'answered', result: parseJson(given.output), isRecorded: true }
  const { cause, error = '' } = given.failure
  return { kind: 'failed', error, cause, isRecorded: true }
}

// Runs a definition in the interpreter alone. Functions are plain functions, waits take no time, and the journal is a
// list.

import { ROOT } from '../../states/branch.ts'
import { parseDefinition } from '../../states/definition-store.ts'
import { EventNumbers } from '../../states/event-numbers.ts'
import { type EventDraft, entered } from '../../states/history.ts'
import { runExecution } from '../../states/interpreter.ts'
import type { Json } from '../../states/json.ts'
import type { RetryProgress } from '../../states/retry.ts'
import type { Invocation } from '../../states/run.ts'
import { ExecutionTokens } from '../../states/task-tokens.ts'

export const START_MS = Date.UTC(2026, 0, 31, 9)

/** Returns the function's result, or the name of its error. */
export type Behaviour = (input: Json, attempt: number) => Answer | Promise<Answer>

type Answer = Json | { readonly error: string; readonly cause?: string } | 'hang'

export interface Interpreted {
  readonly status: string
  readonly output?: Json
  readonly error?: string
  readonly cause?: string
  readonly events: readonly EventDraft[]
  /** Names of the entered states. */
  readonly states: readonly string[]
  /** Milliseconds of each sleep. */
  readonly slept: readonly number[]
  readonly notedRetries: readonly RetryProgress[]
  /** The payload of each function call. */
  readonly payloads: readonly Json[]
}

export function functionArn(name: string): string {
  return `arn:aws:lambda:us-east-1:123456789012:function:${name}`
}

/** Tests with several machines cover Tasks that start another machine. */
const NO_CHILDREN = {
  start: () => {
    throw new Error('there is no other machine')
  },
  untilEnded: async () => {
    throw new Error('there is no other machine')
  },
  stop: () => undefined,
}

export interface InterpretOptions {
  readonly functions?: Readonly<Record<string, Behaviour>>
  readonly random?: () => number
  readonly retries?: RetryProgress
}

export async function interpret(definition: object, input: Json, options: InterpretOptions = {}): Promise<Interpreted> {
  const parsed = parseDefinition(JSON.stringify(definition), 'Test')
  const first = parsed.states.get(parsed.startAt)
  if (first === undefined) throw new Error('no start')
  const events: EventDraft[] = [entered(first, JSON.stringify(input))]
  const numbers = new EventNumbers([])
  numbers.place(
    events.map((event) => ({ branch: ROOT, event })),
    START_MS,
  )
  const slept: number[] = []
  const payloads: Json[] = []
  const notedRetries: RetryProgress[] = []
  let nowMs = START_MS
  let attempt = 0
  await runExecution(
    {
      graph: parsed,
      branch: ROOT,
      item: undefined,
      children: NO_CHILDREN,
      tokens: new ExecutionTokens('arn', 'secret'),
      leave: () => undefined,
      execution: {
        arn: 'arn:aws:states:us-east-1:123456789012:execution:Test:run-1',
        name: 'run-1',
        input,
        startTime: new Date(START_MS).toISOString(),
        roleArn: 'arn:aws:iam::123456789012:role/machine',
        redriveCount: 0,
        redriveTime: undefined,
        machineArn: 'arn:aws:states:us-east-1:123456789012:stateMachine:Test',
        machineName: 'Test',
      },
      journal: {
        append(drafts) {
          const placed = numbers.place(drafts, nowMs)
          events.push(...placed.map(({ event: { id, previousEventId, timestamp, ...event } }) => event))
          return { atMs: nowMs, lastId: numbers.last }
        },
        stateOf: (branch) => numbers.stateOf(branch),
        noteRetry: (_branch, progress) => void notedRetries.push(progress),
        sync: async () => undefined,
      },
      async invoke({ functionId, payload, timeoutMs }): Promise<Invocation> {
        payloads.push(JSON.parse(payload) as Json)
        const name = functionId.split(':').at(-1) ?? ''
        const answer = (await options.functions?.[name]?.(JSON.parse(payload) as Json, ++attempt)) ?? null
        if (answer === 'hang') {
          nowMs += timeoutMs ?? 0
          return { kind: 'timed-out' }
        }
        if (typeof answer === 'object' && answer !== null && 'error' in answer) {
          const { error, cause = '' } = answer as { readonly error: string; readonly cause?: string }
          return { kind: 'failed', error, cause }
        }
        return { kind: 'answered', payload: JSON.stringify(answer), requestId: 'request-1' }
      },
      clock: {
        nowMs: () => nowMs,
        async sleep(ms) {
          slept.push(ms)
          nowMs += ms
        },
      },
      random: options.random ?? (() => 0.5),
      deadlineMs: START_MS + (parsed.timeoutSeconds ?? Number.POSITIVE_INFINITY) * 1000,
      signal: new AbortController().signal,
    },
    {
      state: first.name,
      input: JSON.stringify(input),
      enteredMs: START_MS,
      enteredId: 1,
      ...(options.retries !== undefined && { retries: options.retries }),
    },
  )
  return { ...endOf(events), events, states: statesOf(events), slept, notedRetries, payloads }
}

function endOf(events: readonly EventDraft[]) {
  const last = events.at(-1)
  const output = last?.executionSucceededEventDetails?.output
  return {
    status: last?.type.replace('Execution', '').toUpperCase() ?? '',
    ...last?.executionFailedEventDetails,
    ...last?.executionTimedOutEventDetails,
    ...(output !== undefined && { output: JSON.parse(output) as Json }),
  }
}

function statesOf(events: readonly EventDraft[]): readonly string[] {
  return events.flatMap((event) => event.stateEnteredEventDetails?.name ?? [])
}

export function only(state: object) {
  return { StartAt: 'Only', States: { Only: state } }
}

/** A machine with one Pass state, for tests of its output. */
export function pass(fields: object): object {
  return only({ Type: 'Pass', End: true, ...fields })
}

// Tests Tasks that wait for their task tokens: answers, heartbeats, time-outs, and kills of the process in between.
import { describe, expect, test } from 'vitest'
import type { HistoryEvent } from '../../states/history.ts'
import type { Json } from '../../states/json.ts'
import { type Machines, startProcess, temporaryDirectory } from './executed.ts'
import { functionArn, only } from './interpreted.ts'

const waitForToken = (fields: object = {}) => ({
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
  Parameters: { FunctionName: functionArn('ask'), Payload: { 'token.$': '$$.Task.Token', 'input.$': '$' } },
  End: true,
  ...fields,
})

interface Asked {
  readonly directory?: string
  /** The process dies after this event. */
  readonly isFatal?: (event: HistoryEvent) => boolean
  readonly reply?: Promise<Json>
}

const NEVER = new Promise<Json>(() => undefined)

/** A process with the machine `Ask`, whose function keeps the tokens that it gets. */
function asking(definition: object, { directory = temporaryDirectory(), isFatal, reply }: Asked = {}) {
  const tokens: string[] = []
  const machines: Machines = {
    machines: { Ask: definition },
    functions: {
      ask(input: Json) {
        tokens.push((input as { readonly token: string }).token)
        return reply ?? { kept: true }
      },
    },
  }
  const fatal = isFatal && { isFatal: (_arn: string, event: HistoryEvent) => isFatal(event) }
  const started = startProcess(directory, machines, fatal)
  const start = (input: object = {}) => started.executions.start('Ask', 'run-1', JSON.stringify(input)).executionArn
  return { ...started, tokens, start, directory }
}

const refusal = (name: string) => expect.objectContaining({ name })
const typesOf = (events: readonly HistoryEvent[]) => events.map(({ type }) => type)

test('the Task waits, and its result is the answer, with the history of AWS', async () => {
  const { executions, start, tokens, untilQuiet } = asking(only(waitForToken()))
  const arn = start()
  await untilQuiet()
  expect(executions.describe(arn).status).toBe('RUNNING')
  await executions.answerTask(tokens[0] ?? '', { output: '{"bought":"1"}' })
  await untilQuiet()
  expect(executions.describe(arn)).toMatchObject({ status: 'SUCCEEDED', output: '{"bought":"1"}' })
  const events = executions.history(arn)
  expect(typesOf(events)).toEqual([
    ...['ExecutionStarted', 'TaskStateEntered', 'TaskScheduled', 'TaskStarted', 'TaskSubmitted', 'TaskSucceeded'],
    ...['TaskStateExited', 'ExecutionSucceeded'],
  ])
  expect(events[2]?.taskScheduledEventDetails).toMatchObject({
    resourceType: 'lambda',
    resource: 'invoke.waitForTaskToken',
  })
})

test('a reported failure has the error and the cause of its sender, and may be caught', async () => {
  const machine = {
    StartAt: 'Ask',
    States: {
      Ask: waitForToken({ Catch: [{ ErrorEquals: ['Nothing'], Next: 'Caught' }] }),
      Caught: { Type: 'Succeed' },
    },
  }
  const { executions, start, tokens, untilQuiet } = asking(machine)
  const arn = start()
  await untilQuiet()
  await executions.answerTask(tokens[0] ?? '', { failure: { error: 'Nothing', cause: 'no liquidity' } })
  await untilQuiet()
  expect(JSON.parse(executions.describe(arn).output ?? '')).toEqual({ Error: 'Nothing', Cause: 'no liquidity' })
})

test('a token counts once, and a token that was not issued is refused', async () => {
  const { executions, start, tokens, untilQuiet } = asking(only(waitForToken()))
  start()
  await untilQuiet()
  const [token = ''] = tokens
  await executions.answerTask(token, { output: '1' })
  await expect(executions.answerTask(token, { output: '2' })).rejects.toEqual(refusal('TaskTimedOut'))
  await untilQuiet()
  await expect(executions.answerTask(token, { output: '2' })).rejects.toEqual(refusal('TaskTimedOut'))
  expect(() => executions.beatTask(token)).toThrow(refusal('TaskTimedOut'))
  await expect(executions.answerTask('guessed', { output: '2' })).rejects.toEqual(refusal('InvalidToken'))
})

test('an answer that comes before the function has returned ends the Task', async () => {
  const { executions, start, untilQuiet, tokens } = asking(only(waitForToken()), { reply: NEVER })
  const arn = start()
  await untilQuiet()
  await executions.answerTask(tokens[0] ?? '', { output: '"early"' })
  await untilQuiet()
  expect(executions.describe(arn)).toMatchObject({ status: 'SUCCEEDED', output: '"early"' })
  expect(typesOf(executions.history(arn))).not.toContain('TaskSubmitted')
})

describe('time', () => {
  test.each([
    ['TimeoutSeconds', { TimeoutSeconds: 60 }, 60],
    ['TimeoutSecondsPath', { TimeoutSecondsPath: '$.seconds' }, 7],
    ['HeartbeatSeconds', { HeartbeatSeconds: 30, TimeoutSeconds: 600 }, 30],
    ['HeartbeatSeconds alone', { HeartbeatSeconds: 30 }, 30],
    ['HeartbeatSecondsPath', { HeartbeatSecondsPath: '$.seconds' }, 7],
  ])('%s ends the wait with States.Timeout, as on AWS', async (_name, fields, seconds) => {
    const { clock, executions, start, tokens, untilQuiet } = asking(only(waitForToken(fields)))
    const startedMs = clock.nowMs()
    const arn = start({ seconds: 7 })
    await untilQuiet()
    const { error, status, stopDate } = executions.describe(arn)
    expect({ error, status }).toEqual({ error: 'States.Timeout', status: 'FAILED' })
    expect(Number(stopDate) - startedMs).toBe(seconds * 1000)
    expect(typesOf(executions.history(arn)).at(-2)).toBe('TaskTimedOut')
    await expect(executions.answerTask(tokens[0] ?? '', { output: '1' })).rejects.toEqual(refusal('TaskTimedOut'))
  })

  test('a heartbeat in time prolongs the wait, but not beyond TimeoutSeconds', async () => {
    const { clock, executions, start, tokens, untilQuiet } = asking(
      only(waitForToken({ HeartbeatSeconds: 30, TimeoutSeconds: 100 })),
    )
    const startedMs = clock.nowMs()
    const arn = start()
    const beats = (async () => {
      await clock.sleep(1, new AbortController().signal)
      for (;;) {
        try {
          executions.beatTask(tokens[0] ?? '')
        } catch {
          return
        }
        await clock.sleep(20_000, new AbortController().signal)
      }
    })()
    await untilQuiet()
    await beats
    expect(Number(executions.describe(arn).stopDate) - startedMs).toBe(100_000)
  })

  test('a stopped execution takes no answer', async () => {
    const { executions, start, tokens, untilQuiet } = asking(only(waitForToken()))
    const arn = start()
    await untilQuiet()
    executions.stop(arn, undefined, undefined)
    await expect(executions.answerTask(tokens[0] ?? '', { output: '1' })).rejects.toEqual(refusal('TaskTimedOut'))
    expect(executions.describe(arn).status).toBe('ABORTED')
  })
})

test('a retry has a token of its own, and the earlier one is over', async () => {
  const Retry = [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 1, MaxAttempts: 1 }]
  const { executions, start, tokens, untilQuiet } = asking(only(waitForToken({ Retry })))
  const arn = start()
  await untilQuiet()
  await executions.answerTask(tokens[0] ?? '', { failure: { error: 'Once' } })
  await untilQuiet()
  expect(new Set(tokens).size).toBe(2)
  await expect(executions.answerTask(tokens[0] ?? '', { output: '1' })).rejects.toEqual(refusal('TaskTimedOut'))
  await executions.answerTask(tokens[1] ?? '', { output: '"second"' })
  await untilQuiet()
  expect(executions.describe(arn).output).toBe('"second"')
})

test('each iteration of a Map waits for its own token', async () => {
  const ItemProcessor = { ProcessorConfig: { Mode: 'INLINE' }, StartAt: 'Ask', States: { Ask: waitForToken() } }
  const { executions, start, tokens, untilQuiet } = asking(
    only({ Type: 'Map', ItemsPath: '$.items', ItemProcessor, End: true }),
  )
  const arn = start({ items: [1, 2, 3] })
  await untilQuiet()
  for (const [index, token] of tokens.toReversed().entries())
    await executions.answerTask(token, { output: `${3 - index}` })
  await untilQuiet()
  expect(executions.describe(arn).output).toBe('[1,2,3]')
})

const { End: _end, ...ASK } = waitForToken()
const NEXT = { ...ASK, Next: 'Done' }

describe('a kill', () => {
  const machine = { StartAt: 'Ask', States: { Ask: NEXT, Done: { Type: 'Succeed' } } }

  test('while the Task waits leaves the token as it was, and calls the function no second time', async () => {
    const first = asking(machine)
    const arn = first.start()
    await first.untilQuiet()
    first.executions.halt()
    const second = asking(machine, { directory: first.directory })
    second.executions.resume()
    await second.untilQuiet()
    expect(second.tokens).toEqual([])
    await second.executions.answerTask(first.tokens[0] ?? '', { output: '1' })
    await second.untilQuiet()
    expect(second.executions.describe(arn)).toMatchObject({ status: 'SUCCEEDED', output: '1' })
  })

  test.each([
    ['success', { output: '"kept"' }, { status: 'SUCCEEDED', output: '"kept"' }],
    ['failure', { failure: { error: 'No', cause: 'none' } }, { status: 'FAILED', error: 'No', cause: 'none' }],
  ] as const)('right after the %s was written loses no answer', async (_kind, answer, end) => {
    const isAnswer = ({ type }: HistoryEvent) => type === 'TaskSucceeded' || type === 'TaskFailed'
    const first = asking(machine, { isFatal: isAnswer })
    const arn = first.start()
    await first.untilQuiet()
    await first.executions.answerTask(first.tokens[0] ?? '', answer).catch(() => undefined)
    const second = asking(machine, { directory: first.directory })
    second.executions.resume()
    await second.untilQuiet()
    expect(second.tokens).toEqual([])
    expect(second.executions.describe(arn)).toMatchObject(end)
    const types = typesOf(second.executions.history(arn))
    expect(types.filter((type) => type === 'TaskSucceeded' || type === 'TaskFailed')).toHaveLength(1)
  })
})

test.each([
  ['passes no token', { Parameters: { FunctionName: functionArn('ask') } }, /must pass \$\$\.Task\.Token/],
  ['beats less often than it times out', { HeartbeatSeconds: 60, TimeoutSeconds: 60 }, /less than TimeoutSeconds/],
])('a Task that %s is refused', (_what, fields, message) => {
  expect(() => asking(only(waitForToken(fields)))).toThrow(message)
})

test('a heartbeat without a token is refused', () => {
  const task = { Type: 'Task', Resource: functionArn('ask'), HeartbeatSeconds: 5, End: true }
  expect(() => asking(only(task))).toThrow(/HeartbeatSeconds/)
})

// A state machine retries, catches and waits as the Amazon States Language says, and continues after a crash.
import { describe, expect, test } from 'vitest'
import { type Behaviour, functionArn, interpret, only, START_MS } from './interpreted.ts'

const task = (fields: object = {}) => ({ Type: 'Task', Resource: functionArn('work'), End: true, ...fields })
const failing =
  (error: string, times = Number.POSITIVE_INFINITY): Behaviour =>
  (_input, attempt) =>
    attempt <= times ? { error, cause: `cause ${attempt}` } : { attempt }
const run = (state: object, work: Behaviour, options: { readonly random?: () => number } = {}) =>
  interpret(only(state), {}, { functions: { work }, ...options })

describe('Retry', () => {
  test('waits the interval, grown by the rate, up to the longest delay', async () => {
    const Retry = [{ ErrorEquals: ['A'], IntervalSeconds: 2, BackoffRate: 3, MaxDelaySeconds: 10, MaxAttempts: 4 }]
    const { slept, output } = await run(task({ Retry }), failing('A', 4))
    expect(slept).toEqual([2000, 6000, 10_000, 10_000])
    expect(output).toEqual({ attempt: 5 })
  })

  test('by default retries three times, after 1, 2 and 4 seconds', async () => {
    const { slept, error, cause } = await run(task({ Retry: [{ ErrorEquals: ['States.ALL'] }] }), failing('A'))
    expect(slept).toEqual([1000, 2000, 4000])
    expect({ error, cause }).toEqual({ error: 'A', cause: 'cause 4' })
  })

  test('waits a part of the delay with full jitter', async () => {
    const Retry = [{ ErrorEquals: ['A'], IntervalSeconds: 8, JitterStrategy: 'FULL', MaxAttempts: 1 }]
    const { slept } = await run(task({ Retry }), failing('A', 1), { random: () => 0.25 })
    expect(slept).toEqual([2000])
  })

  test('counts each retrier separately, and the first match decides', async () => {
    const Retry = [
      { ErrorEquals: ['A'], MaxAttempts: 1, IntervalSeconds: 1 },
      { ErrorEquals: ['States.ALL'], MaxAttempts: 1, IntervalSeconds: 50 },
    ]
    const errors = ['A', 'B', 'A']
    const { slept, error } = await run(task({ Retry }), (_input, attempt) => ({ error: errors[attempt - 1] ?? 'end' }))
    expect(slept).toEqual([1000, 50_000])
    expect(error).toBe('A')
  })

  test('does not retry with MaxAttempts 0', async () => {
    const Retry = [{ ErrorEquals: ['A'], MaxAttempts: 0 }, { ErrorEquals: ['States.ALL'] }]
    const { slept, error } = await run(task({ Retry }), failing('A'))
    expect({ slept, error }).toEqual({ slept: [], error: 'A' })
  })

  test.each([
    ['States.TaskFailed', 'Anything', true],
    ['States.TaskFailed', 'States.DataLimitExceeded', false],
    ['States.ALL', 'States.DataLimitExceeded', true],
    ['States.DataLimitExceeded', 'States.DataLimitExceeded', true],
    ['States.TaskFailed', 'States.Timeout', false],
    ['States.ALL', 'States.Timeout', true],
    ['States.ALL', 'States.Runtime', false],
    ['States.Runtime', 'States.Runtime', false],
    ['Other', 'Anything', false],
  ])('%s matches %s: %s', async (name, error, isRetried) => {
    const Retry = [{ ErrorEquals: [name], MaxAttempts: 1 }]
    const { slept } = await run(task({ Retry }), failing(error))
    expect(slept.length > 0).toBe(isRetried)
  })

  test('shows its count in the context object', async () => {
    const state = task({
      Parameters: { 'retries.$': '$$.State.RetryCount' },
      Retry: [{ ErrorEquals: ['A'] }],
    })
    const { payloads } = await run(state, failing('A', 2))
    expect(payloads).toEqual([{ retries: 0 }, { retries: 1 }, { retries: 2 }])
  })

  test('records each retry before its wait, and continues from the record', async () => {
    const Retry = [{ ErrorEquals: ['A'], IntervalSeconds: 5, MaxAttempts: 2 }]
    const recorded = (await run(task({ Retry }), failing('A'))).notedRetries
    expect(recorded).toEqual([
      { counts: [1], untilMs: START_MS + 5000 },
      { counts: [2], untilMs: START_MS + 15_000 },
    ])
    const rest = await interpret(
      only(task({ Retry })),
      {},
      { functions: { work: failing('A') }, retries: recorded[1] as never },
    )
    expect(rest.slept).toEqual([15_000])
    expect(rest.error).toBe('A')
  })
})

describe('Catch', () => {
  const caughtBy = (catcher: object) => ({
    StartAt: 'Try',
    States: { Try: task({ Catch: [catcher] }), Caught: { Type: 'Succeed' } },
  })

  test('passes error and cause on as the output', async () => {
    const definition = caughtBy({ ErrorEquals: ['A'], Next: 'Caught' })
    const { output, states } = await interpret(definition, { in: 1 }, { functions: { work: failing('A') } })
    expect(output).toEqual({ Error: 'A', Cause: 'cause 1' })
    expect(states).toEqual(['Try', 'Caught'])
  })

  test('adds them to the input with ResultPath; with null it keeps only the input', async () => {
    const functions = { work: failing('A') }
    const beside = caughtBy({ ErrorEquals: ['A'], ResultPath: '$.fault', Next: 'Caught' })
    expect((await interpret(beside, { in: 1 }, { functions })).output).toMatchObject({ in: 1, fault: { Error: 'A' } })
    const without = caughtBy({ ErrorEquals: ['A'], ResultPath: null, Next: 'Caught' })
    expect((await interpret(without, { in: 1 }, { functions })).output).toEqual({ in: 1 })
  })

  test('applies only after the retries are used up', async () => {
    const definition = {
      StartAt: 'Try',
      States: {
        Try: task({ Retry: [{ ErrorEquals: ['A'] }], Catch: [{ ErrorEquals: ['A'], Next: 'Caught' }] }),
        Caught: { Type: 'Succeed' },
      },
    }
    const { slept, output } = await interpret(definition, {}, { functions: { work: failing('A') } })
    expect(slept).toHaveLength(3)
    expect(output).toMatchObject({ Cause: 'cause 4' })
  })

  test('does not catch a path without a value', async () => {
    const definition = {
      StartAt: 'Try',
      States: {
        Try: task({ Parameters: { 'x.$': '$.nowhere' }, Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Caught' }] }),
        Caught: { Type: 'Succeed' },
      },
    }
    expect(await interpret(definition, {})).toMatchObject({ status: 'FAILED', error: 'States.Runtime' })
  })
})

describe('time', () => {
  const wait = (fields: object) => only({ Type: 'Wait', End: true, ...fields })

  test.each<[object, object, number[]]>([
    [{ Seconds: 5 }, {}, [5000]],
    [{ Seconds: 0 }, {}, []],
    [{ SecondsPath: '$.s' }, { s: 7 }, [7000]],
    [{ Timestamp: '2026-01-31T09:01:00Z' }, {}, [60_000]],
    [{ TimestampPath: '$.t' }, { t: '2026-01-31T10:00:30+01:00' }, [30_000]],
    [{ Timestamp: '2020-01-01T00:00:00Z' }, {}, []],
  ])('%j waits for the given time', async (fields, input, slept) => {
    const run = await interpret(wait(fields), input as never)
    expect(run).toMatchObject({ status: 'SUCCEEDED', output: input, slept })
  })

  test.each<[object, object]>([
    [{ SecondsPath: '$.s' }, { s: '7' }],
    [{ SecondsPath: '$.s' }, { s: -1 }],
    [{ SecondsPath: '$.s' }, {}],
    [{ TimestampPath: '$.t' }, { t: 'tomorrow' }],
  ])('%j of %j fails with States.Runtime', async (fields, input) => {
    expect(await interpret(wait(fields), input as never)).toMatchObject({ error: 'States.Runtime' })
  })

  test('an execution that waits past its time-out ends at the time-out', async () => {
    const { status, error, slept } = await interpret({ ...wait({ Seconds: 60 }), TimeoutSeconds: 10 }, {})
    expect({ status, error, slept }).toEqual({ status: 'TIMEDOUT', error: 'States.Timeout', slept: [10_000] })
  })

  test('a Task that outlasts the execution ends the execution, and no catcher applies', async () => {
    const definition = {
      StartAt: 'Try',
      TimeoutSeconds: 10,
      States: {
        Try: task({ TimeoutSeconds: 60, Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Caught' }] }),
        Caught: { Type: 'Succeed' },
      },
    }
    expect(await interpret(definition, {}, { functions: { work: () => 'hang' } })).toMatchObject({ status: 'TIMEDOUT' })
  })

  test('a Task that outlasts its own time-out, without a catcher, fails with States.Timeout and no cause', async () => {
    const { error, cause, events } = await run(task({ TimeoutSeconds: 5 }), () => 'hang')
    expect({ error, cause }).toEqual({ error: 'States.Timeout', cause: undefined })
    expect(events.map((event) => event.type)).toContain('LambdaFunctionTimedOut')
  })
})

describe('Choice', () => {
  const definition = (Default?: string) => ({
    StartAt: 'Choose',
    States: {
      Choose: {
        Type: 'Choice',
        Choices: [
          { Variable: '$.n', NumericGreaterThan: 10, Next: 'Many' },
          { Variable: '$.n', NumericGreaterThan: 0, Next: 'Some' },
        ],
        ...(Default !== undefined && { Default }),
      },
      Many: { Type: 'Succeed' },
      Some: { Type: 'Succeed' },
      ...(Default !== undefined && { [Default]: { Type: 'Succeed' } }),
    },
  })

  test.each([
    [11, 'Many'],
    [1, 'Some'],
    [0, 'None'],
  ])('of %i goes to %s', async (n, state) => {
    expect((await interpret(definition('None'), { n })).states).toEqual(['Choose', state])
  })

  test('without a match and without a Default fails', async () => {
    expect(await interpret(definition(), { n: 0 })).toMatchObject({ status: 'FAILED', error: 'States.Runtime' })
  })
})

describe('Fail', () => {
  test.each<[object, object]>([
    [
      { Error: 'E', Cause: 'C' },
      { error: 'E', cause: 'C' },
    ],
    [{}, { error: undefined, cause: undefined }],
    [
      { ErrorPath: '$.e', CausePath: 'States.JsonToString($)' },
      { error: 'from input', cause: '{"e":"from input"}' },
    ],
    [{ Error: 'E', CausePath: '$.nowhere' }, { error: 'States.Runtime' }],
  ])('%j ends the execution with it', async (fields, end) => {
    const { error, cause } = await interpret(only({ Type: 'Fail', ...fields }), { e: 'from input' })
    expect({ error, cause }).toMatchObject(end)
  })
})

test('a state whose output is too large fails the execution', async () => {
  const definition = only({ Type: 'Pass', Parameters: { 'a.$': '$.x', 'b.$': '$.x' }, End: true })
  expect(await interpret(definition, { x: 'x'.repeat(140_000) })).toMatchObject({ error: 'States.DataLimitExceeded' })
})

test('a result is copied: an object that a function keeps cannot change it', async () => {
  const kept = { list: [1] }
  const definition = {
    StartAt: 'Work',
    States: { Work: task({ End: undefined, Next: 'Again' }), Again: task({ InputPath: '$.list' }) },
  }
  const { payloads } = await interpret(definition, {}, { functions: { work: () => kept } })
  expect(payloads).toEqual([{}, [1]])
})

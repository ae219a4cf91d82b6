// A Map runs its items with bounded concurrency, keeps their order, and has the history that it has on AWS.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../states/json.ts'
import { type Behaviour, functionArn, interpret, only } from './interpreted.ts'

const WORK = { Type: 'Task', Resource: functionArn('work'), End: true }
const oneState = (state: object) => ({ StartAt: 'In', States: { In: state } })
const map = (fields: object = {}, state: object = WORK) =>
  only({ Type: 'Map', ItemProcessor: oneState(state), End: true, ...fields })
const echo: Behaviour = (input) => input
const showContext = { Type: 'Pass', Parameters: { 'all.$': '$$' }, End: true }

describe('a Map', () => {
  test('gives each item to its states, and their outputs in the order of the items', async () => {
    const { output, payloads } = await interpret(map(), ['a', { b: 1 }, null], { functions: { work: echo } })
    expect(output).toEqual(['a', { b: 1 }, null])
    expect(payloads).toEqual(['a', { b: 1 }, null])
  })

  test('keeps the order of the items, independent of which ends first', async () => {
    const ends: (() => void)[] = []
    const work: Behaviour = async (input) => {
      await new Promise<void>((resolve) => ends.push(resolve))
      return input
    }
    const running = interpret(map(), [1, 2, 3], { functions: { work } })
    await new Promise((resolve) => setImmediate(resolve))
    for (const end of ends.toReversed()) {
      end()
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect((await running).output).toEqual([1, 2, 3])
  })

  test('selects its items, their inputs, and the part of the result that is kept', async () => {
    const fields = {
      InputPath: '$.plan',
      ItemsPath: '$.legs',
      ItemSelector: {
        'leg.$': '$$.Map.Item.Value',
        'index.$': '$$.Map.Item.Index',
        'plan.$': '$.name',
        'run.$': '$$.Execution.Name',
      },
      ResultSelector: { 'first.$': '$[0]' },
      ResultPath: '$.results',
      OutputPath: '$.results',
    }
    const input = { plan: { name: 'p', legs: ['x', 'y'] } }
    const { output, payloads } = await interpret(map(fields), input, { functions: { work: echo } })
    expect(payloads).toEqual([
      { leg: 'x', index: 0, plan: 'p', run: 'run-1' },
      { leg: 'y', index: 1, plan: 'p', run: 'run-1' },
    ])
    expect(output).toEqual({ first: { leg: 'x', index: 0, plan: 'p', run: 'run-1' } })
  })

  test('shows the item in the context of its states, and the execution’s own input', async () => {
    const { output } = await interpret(map({}, showContext), ['x'])
    expect(output).toMatchObject([
      { all: { Map: { Item: { Index: 0, Value: 'x' } }, Execution: { Input: ['x'] }, State: { Name: 'In' } } },
    ])
  })

  test('shows the inner item within a Map in a Map', async () => {
    const outer = map({}, { Type: 'Map', ItemProcessor: { StartAt: 'T', States: { T: showContext } }, End: true })
    const { output } = await interpret(outer, [['a'], ['b', 'c']])
    expect(output).toMatchObject([
      [{ all: { Map: { Item: { Index: 0, Value: 'a' } } } }],
      [{ all: { Map: { Item: { Value: 'b' } } } }, { all: { Map: { Item: { Index: 1, Value: 'c' } } } }],
    ])
  })

  test('without items continues at once', async () => {
    const { events, output } = await interpret(map(), [])
    expect(output).toEqual([])
    expect(events.map((event) => event.type)).toEqual([
      'MapStateEntered',
      'MapStateStarted',
      'MapStateSucceeded',
      'MapStateExited',
      'ExecutionSucceeded',
    ])
  })

  test('has the same history as on AWS', async () => {
    const { events } = await interpret(map({ MaxConcurrency: 1 }, { Type: 'Pass', End: true }), [7, 8])
    expect(events.slice(0, 6)).toEqual([
      { type: 'MapStateEntered', stateEnteredEventDetails: { name: 'Only', input: '[7,8]' } },
      { type: 'MapStateStarted', mapStateStartedEventDetails: { length: 2 } },
      { type: 'MapIterationStarted', mapIterationStartedEventDetails: { name: 'Only', index: 0 } },
      { type: 'PassStateEntered', stateEnteredEventDetails: { name: 'In', input: '7' } },
      { type: 'PassStateExited', stateExitedEventDetails: { name: 'In', output: '7' } },
      { type: 'MapIterationSucceeded', mapIterationSucceededEventDetails: { name: 'Only', index: 0 } },
    ])
  })

  test.each<[string, object, Json]>([
    ['no list', {}, { a: 1 }],
    ['no list at its path', { ItemsPath: '$.a' }, { a: 'text' }],
    ['a path without a value', { ItemsPath: '$.b' }, { a: 1 }],
    ['more items than a history holds', {}, Array.from({ length: 6251 }, () => 0)],
  ])('fails with States.Runtime, which nothing catches, on %s', async (_name, fields, input) => {
    const caught = { Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Only' }] }
    expect(await interpret(map({ ...fields, ...caught }), input)).toMatchObject({
      status: 'FAILED',
      error: 'States.Runtime',
    })
  })

  test('runs all items, at most MaxConcurrency at once (property)', async () => {
    const limits = fc.integer({ min: 0, max: 50 })
    await fc.assert(
      fc.asyncProperty(limits, fc.integer({ min: 0, max: 60 }), async (MaxConcurrency, length) => {
        let [atOnce, most] = [0, 0]
        const work: Behaviour = async (input) => {
          most = Math.max(most, ++atOnce)
          await new Promise((resolve) => setImmediate(resolve))
          atOnce -= 1
          return input
        }
        const items = Array.from({ length }, (_, index) => index)
        expect((await interpret(map({ MaxConcurrency }), items, { functions: { work } })).output).toEqual(items)
        expect(most).toBe(Math.min(length, MaxConcurrency || 40, 40))
      }),
      { numRuns: 30 },
    )
  })
})

describe('a Map with a failing iteration', () => {
  const failingOn =
    (bad: Json): Behaviour =>
    (input) =>
      input === bad ? { error: 'Refused', cause: 'why' } : new Promise<Json>(() => undefined)

  test('fails with that iteration’s error, aborts the others under way and starts no more', async () => {
    const run = await interpret(map({ MaxConcurrency: 2 }), ['slow', 'bad', 'never'], {
      functions: { work: failingOn('bad') },
    })
    expect(run).toMatchObject({ status: 'FAILED', error: 'Refused', cause: 'why', payloads: ['slow', 'bad'] })
    expect(run.events.slice(-6)).toEqual([
      { type: 'MapIterationAborted', mapIterationAbortedEventDetails: { name: 'Only', index: 0 } },
      { type: 'TaskStateAborted' },
      { type: 'MapIterationFailed', mapIterationFailedEventDetails: { name: 'Only', index: 1 } },
      { type: 'TaskStateAborted' },
      { type: 'MapStateFailed' },
      { type: 'ExecutionFailed', executionFailedEventDetails: { error: 'Refused', cause: 'why' } },
    ])
  })

  test('writes nothing for an aborted iteration that ends later', async () => {
    let end: (value: Json) => void = () => undefined
    const work: Behaviour = (input) =>
      input === 'bad'
        ? { error: 'Refused' }
        : new Promise<Json>((resolve) => {
            end = resolve
          })
    const { events } = await interpret(map(), ['slow', 'bad'], { functions: { work } })
    const before = events.length
    end('late')
    await new Promise((resolve) => setImmediate(resolve))
    expect(events).toHaveLength(before)
  })

  test('is retried as a whole, and the retry counts belong to the Map', async () => {
    const Retry = [{ ErrorEquals: ['Refused'], MaxAttempts: 1, IntervalSeconds: 7 }]
    let refusals = 1
    const work: Behaviour = (input) => (input === 'b' && refusals-- > 0 ? { error: 'Refused' } : input)
    const run = await interpret(map({ Retry }), ['a', 'b'], { functions: { work } })
    expect(run).toMatchObject({ status: 'SUCCEEDED', output: ['a', 'b'], slept: [7000] })
    expect(run.payloads).toEqual(['a', 'b', 'a', 'b'])
    expect(run.notedRetries).toMatchObject([{ counts: [1] }])
  })

  test('is caught with error and cause', async () => {
    const definition = {
      StartAt: 'All',
      States: {
        All: {
          Type: 'Map',
          ItemProcessor: oneState(WORK),
          Catch: [{ ErrorEquals: ['Refused'], ResultPath: '$[0]', Next: 'Done' }],
          Next: 'Done',
        },
        Done: { Type: 'Succeed' },
      },
    }
    const { output, states } = await interpret(definition, ['bad'], { functions: { work: failingOn('bad') } })
    expect(output).toEqual([{ Error: 'Refused', Cause: 'why' }])
    expect(states).toEqual(['All', 'In', 'Done'])
  })

  test('fails if the outputs together exceed the size limit of a state', async () => {
    const work: Behaviour = () => 'x'.repeat(100_000)
    const run = await interpret(map(), [1, 2, 3], { functions: { work } })
    expect(run).toMatchObject({ error: 'States.DataLimitExceeded' })
    expect(run.events.at(-2)?.type).toBe('MapStateFailed')
  })

  test('ends an execution that runs out of time in an iteration', async () => {
    const wait = { Type: 'Wait', Seconds: 60, End: true }
    const run = await interpret({ ...map({}, wait), TimeoutSeconds: 10 }, [1, 2])
    expect(run).toMatchObject({ status: 'TIMEDOUT', error: 'States.Timeout' })
  })
})

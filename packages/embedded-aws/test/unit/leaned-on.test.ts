// Tests behaviour that movement machines rely on and no public recording shows. It covers a machine's own time-out, a
// redrive, a Catch that drops the error, and children that fail in a Map. Decision 1 records which is documented,
// measured or neither.
import { describe, expect, test } from 'vitest'
import type { Json } from '../../states/json.ts'
import { executionArn, type Machines, startAndWait, startProcess, temporaryDirectory } from './executed.ts'
import { functionArn, only, START_MS } from './interpreted.ts'

const WORK = { Type: 'Task', Resource: functionArn('work'), End: true }
const slow = only({ Type: 'Wait', Seconds: 60, End: true })
const leg = {
  StartAt: 'Which',
  States: {
    Which: { Type: 'Choice', Choices: [{ Variable: '$.bad', IsPresent: true, Next: 'Broken' }], Default: 'Slow' },
    Broken: { Type: 'Fail', Error: 'Broken' },
    Slow: { Type: 'Wait', Seconds: 60, End: true },
  },
}
/** A phase of a run: parallel legs, whose results the Map drops. */
const legs = (fields: object, moreStates: object = {}) => ({
  StartAt: 'Legs',
  States: {
    Legs: {
      Type: 'Map',
      ItemsPath: '$.legs',
      MaxConcurrency: 5,
      ResultPath: null,
      ItemProcessor: {
        StartAt: 'Leg',
        States: { Leg: startAndWait('Leg', { ResultPath: null, ...fields }), ...moreStates },
      },
      Next: 'Settle',
    },
    Settle: { Type: 'Succeed' },
  },
})
const INPUT = { legs: [{ name: 'a' }, { name: 'b', bad: true }, { name: 'c' }] }

function started(machines: Machines, input: Json) {
  const process = startProcess(temporaryDirectory(), machines)
  const { executionArn: arn } = process.executions.start('Run', 'run-1', JSON.stringify(input))
  const lines = () =>
    process.executions.history(arn).map(({ id, previousEventId, type }) => `${id}<-${previousEventId} ${type}`)
  return { ...process, arn, lines, run: () => process.executions.describe(arn) }
}

describe('children that fail in a Map', () => {
  test('if caught without a ResultPath, stop no other child, and their item continues unchanged', async () => {
    const afterCatch = { LegBroke: { Type: 'Pass', End: true } }
    const Catch = [{ ErrorEquals: ['States.ALL'], ResultPath: null, Next: 'LegBroke' }]
    const { executions, run, untilQuiet } = started({ machines: { Leg: leg, Run: legs({ Catch }, afterCatch) } }, INPUT)
    await untilQuiet()
    expect(run()).toMatchObject({ status: 'SUCCEEDED', output: JSON.stringify(INPUT) })
    const entered = executions
      .history(executionArn('Run', 'run-1'))
      .flatMap((event) => (event.stateEnteredEventDetails?.name === 'LegBroke' ? event.stateEnteredEventDetails : []))
    expect(entered).toEqual([{ name: 'LegBroke', input: '{"name":"b","bad":true}' }])
    const ends = executions.list('Leg').map(({ name, status }) => `${name} ${status}`)
    expect(ends.sort()).toEqual(['a SUCCEEDED', 'b FAILED', 'c SUCCEEDED'])
  })

  test('if uncaught, fail the Map with States.TaskFailed and stop the others', async () => {
    const { executions, run, lines, untilQuiet } = started({ machines: { Leg: leg, Run: legs({}) } }, INPUT)
    await untilQuiet()
    expect(run()).toMatchObject({ status: 'FAILED', error: 'States.TaskFailed' })
    const failed = lines().findIndex((event) => event.endsWith(' TaskFailed')) + 1
    expect(lines().slice(failed)).toEqual([
      `${failed + 1}<-${failed} MapIterationAborted`,
      `${failed + 2}<-${failed} TaskStateAborted`,
      `${failed + 3}<-${failed} MapIterationFailed`,
      `${failed + 4}<-${failed} TaskStateAborted`,
      `${failed + 5}<-${failed} MapIterationAborted`,
      `${failed + 6}<-${failed} TaskStateAborted`,
      `${failed + 7}<-${failed} MapStateFailed`,
      `${failed + 8}<-${failed + 7} ExecutionFailed`,
    ])
    const ends = executions.list('Leg').map(({ cause, name, status }) => ({ name, status, cause }))
    const cause = expect.stringContaining(
      `[${executionArn('Run', 'run-1')}] which was managing this resource was aborted`,
    )
    expect(ends).toEqual(
      expect.arrayContaining([
        { name: 'a', status: 'ABORTED', cause },
        { name: 'c', status: 'ABORTED', cause },
      ]),
    )
  })
})

describe('a machine that has timed out', () => {
  const Catch = [{ ErrorEquals: ['States.ALL'], Next: 'Caught' }]
  const Caught = { Type: 'Pass', End: true }

  test('ends in the middle of a Map, catches nothing, reports no state, and stops its children', async () => {
    const machine = { TimeoutSeconds: 20, ...legs({ Catch }, { Caught }) }
    const { executions, run, lines, untilQuiet } = started(
      { machines: { Leg: slow, Run: machine } },
      { legs: [{ name: 'a' }] },
    )
    await untilQuiet()
    expect(run()).toMatchObject({ status: 'TIMED_OUT', stopDate: new Date(START_MS + 20_000) })
    expect(lines().slice(-2)).toEqual([
      expect.stringContaining('TaskSubmitted'),
      expect.stringContaining('<-0 ExecutionTimedOut'),
    ])
    expect(executions.find('Leg', 'a')).toMatchObject({ status: 'ABORTED', stopDate: new Date(START_MS + 20_000) })
  })

  test('gets its full time again after a redrive, which continues at the interrupted state', async () => {
    const machine = {
      TimeoutSeconds: 20,
      StartAt: 'First',
      States: {
        First: { ...WORK, End: undefined, Next: 'Wait' },
        Wait: { Type: 'Wait', Seconds: 15, Next: 'Last' },
        Last: WORK,
      },
    }
    let calls = 0
    const { arn, clock, executions, run, untilQuiet } = started(
      {
        machines: { Run: machine },
        functions: {
          work: async (input) => {
            // The first call takes so long that the Wait cannot end in time.
            if (++calls === 1) await clock.sleep(10_000)
            return input
          },
        },
      },
      {},
    )
    await untilQuiet()
    expect(run().status).toBe('TIMED_OUT')
    executions.redrive(arn)
    await untilQuiet()
    expect(run()).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 })
    expect(calls).toBe(2)
  })
})

test('a redrive of a Map continues the failed and aborted iterations, with retry counts from zero', async () => {
  const Retry = [{ ErrorEquals: ['Broken'], MaxAttempts: 1, IntervalSeconds: 1 }]
  const processor = { StartAt: 'Work', States: { Work: { ...WORK, Retry } } }
  const worked: Json[] = []
  let isBroken = true
  const { arn, executions, run, lines, untilQuiet } = started(
    {
      machines: { Run: only({ Type: 'Map', MaxConcurrency: 1, ItemProcessor: processor, End: true }) },
      functions: {
        work: (input) => {
          worked.push(input)
          return input === 2 && isBroken ? { error: 'Broken' } : input
        },
      },
    },
    [1, 2, 3],
  )
  await untilQuiet()
  expect(run().status).toBe('FAILED')
  expect(worked).toEqual([1, 2, 2])
  const before = lines().length
  isBroken = false
  executions.redrive(arn)
  await untilQuiet()
  expect(run()).toMatchObject({ status: 'SUCCEEDED', output: '[1,2,3]' })
  expect(worked).toEqual([1, 2, 2, 2, 3])
  // No recording shows the previous event after a redrive. Here it is the last event of the branch.
  expect(lines().slice(before, before + 2)).toEqual([
    `${before + 1}<-${before} ExecutionRedriven`,
    expect.stringMatching(/ LambdaFunctionScheduled$/),
  ])
})

// What machines of movements lean on and no public recording shows: a machine's own time-out, a redrive, a Catch that
// keeps nothing of the error, children that fail in a Map. Decision 1 says which of it is documented, measured or neither.
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
/** A phase of a run: legs side by side, of which the Map keeps nothing. */
const legs = (fields: object, more: object = {}) => ({
  StartAt: 'Legs',
  States: {
    Legs: {
      Type: 'Map',
      ItemsPath: '$.legs',
      MaxConcurrency: 5,
      ResultPath: null,
      ItemProcessor: {
        StartAt: 'Leg',
        States: { Leg: startAndWait('Leg', { ResultPath: null, ...fields }), ...more },
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
  const told = () =>
    process.executions.history(arn).map(({ id, previousEventId, type }) => `${id}<-${previousEventId} ${type}`)
  return { ...process, arn, told, run: () => process.executions.describe(arn) }
}

describe('children that fail in a Map', () => {
  test('caught, with nothing kept, stop no other one, and their item goes on as it came', async () => {
    const broke = { LegBroke: { Type: 'Pass', End: true } }
    const Catch = [{ ErrorEquals: ['States.ALL'], ResultPath: null, Next: 'LegBroke' }]
    const { executions, run, untilQuiet } = started({ machines: { Leg: leg, Run: legs({ Catch }, broke) } }, INPUT)
    await untilQuiet()
    expect(run()).toMatchObject({ status: 'SUCCEEDED', output: JSON.stringify(INPUT) })
    const entered = executions
      .history(executionArn('Run', 'run-1'))
      .flatMap((event) => (event.stateEnteredEventDetails?.name === 'LegBroke' ? event.stateEnteredEventDetails : []))
    expect(entered).toEqual([{ name: 'LegBroke', input: '{"name":"b","bad":true}' }])
    const ends = executions.list('Leg').map(({ name, status }) => `${name} ${status}`)
    expect(ends.sort()).toEqual(['a SUCCEEDED', 'b FAILED', 'c SUCCEEDED'])
  })

  test('uncaught, fail the Map with States.TaskFailed, and the others are stopped', async () => {
    const { executions, run, told, untilQuiet } = started({ machines: { Leg: leg, Run: legs({}) } }, INPUT)
    await untilQuiet()
    expect(run()).toMatchObject({ status: 'FAILED', error: 'States.TaskFailed' })
    const failed = told().findIndex((event) => event.endsWith(' TaskFailed')) + 1
    expect(told().slice(failed)).toEqual([
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

describe('a machine whose time is over', () => {
  const Catch = [{ ErrorEquals: ['States.ALL'], Next: 'Caught' }]
  const Caught = { Type: 'Pass', End: true }

  test('ends in the middle of a Map, catches nothing, tells of no state, and stops its children', async () => {
    const machine = { TimeoutSeconds: 20, ...legs({ Catch }, { Caught }) }
    const { executions, run, told, untilQuiet } = started(
      { machines: { Leg: slow, Run: machine } },
      { legs: [{ name: 'a' }] },
    )
    await untilQuiet()
    expect(run()).toMatchObject({ status: 'TIMED_OUT', stopDate: new Date(START_MS + 20_000) })
    expect(told().slice(-2)).toEqual([
      expect.stringContaining('TaskSubmitted'),
      expect.stringContaining('<-0 ExecutionTimedOut'),
    ])
    expect(executions.find('Leg', 'a')).toMatchObject({ status: 'ABORTED', stopDate: new Date(START_MS + 20_000) })
  })

  test('has it anew after a redrive, which goes on where the time was over', async () => {
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

test('a redrive of a Map goes on in the iterations that failed or were aborted, with retries from nought', async () => {
  const Retry = [{ ErrorEquals: ['Broken'], MaxAttempts: 1, IntervalSeconds: 1 }]
  const each = { StartAt: 'Work', States: { Work: { ...WORK, Retry } } }
  const worked: Json[] = []
  let isBroken = true
  const { arn, executions, run, told, untilQuiet } = started(
    {
      machines: { Run: only({ Type: 'Map', MaxConcurrency: 1, ItemProcessor: each, End: true }) },
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
  const before = told().length
  isBroken = false
  executions.redrive(arn)
  await untilQuiet()
  expect(run()).toMatchObject({ status: 'SUCCEEDED', output: '[1,2,3]' })
  expect(worked).toEqual([1, 2, 2, 2, 3])
  // Which event each points at after a redrive was seen nowhere: here it is the last one of its branch.
  expect(told().slice(before, before + 2)).toEqual([
    `${before + 1}<-${before} ExecutionRedriven`,
    expect.stringMatching(/ LambdaFunctionScheduled$/),
  ])
})

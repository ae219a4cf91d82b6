// A Task that runs a child execution waits for its end, takes its result, and fails as it fails on AWS.
import { describe, expect, test } from 'vitest'
import type { Json } from '../../states/json.ts'
import {
  execute,
  executionArn,
  type Machines,
  machineArn,
  startAndWait,
  startProcess,
  temporaryDirectory,
} from './executed.ts'
import { functionArn, only, START_MS } from './interpreted.ts'

const LEG = only({ Type: 'Task', Resource: functionArn('leg'), End: true })
const SLOW = {
  StartAt: 'Wait',
  States: { Wait: { Type: 'Wait', Seconds: 60, Next: 'Done' }, Done: { Type: 'Succeed' } },
}
const leg = (input: Json): Json => ({ did: (input as { readonly name: string }).name })
const parentOf = (machine: string, fields: object = {}, parameters: object = {}) =>
  only(startAndWait(machine, fields, parameters))

describe('startExecution.sync:2', () => {
  test('returns the DescribeExecution of the child, in Pascal case, with input and output as JSON', async () => {
    const { output } = await execute(
      { machines: { Leg: LEG, Parent: parentOf('Leg') }, functions: { leg } },
      'Parent',
      { name: 'leg-1' },
    )
    expect(output).toEqual({
      ExecutionArn: executionArn('Leg', 'leg-1'),
      Input: { name: 'leg-1' },
      InputDetails: { Included: true },
      Name: 'leg-1',
      Output: { did: 'leg-1' },
      OutputDetails: { Included: true },
      RedriveCount: 0,
      RedriveStatus: 'NOT_REDRIVABLE',
      RedriveStatusReason: 'Execution is SUCCEEDED and cannot be redriven',
      StartDate: START_MS,
      StateMachineArn: machineArn('Leg'),
      Status: 'SUCCEEDED',
      StopDate: START_MS,
    })
  })

  test('has the same history as on AWS', async () => {
    const { executions, run } = await execute(
      { machines: { Leg: LEG, Parent: parentOf('Leg') }, functions: { leg } },
      'Parent',
      { name: 'leg-1' },
    )
    const events = executions.history(run.executionArn)
    expect(events.map((event) => event.type)).toEqual([
      'ExecutionStarted',
      'TaskStateEntered',
      'TaskScheduled',
      'TaskStarted',
      'TaskSubmitted',
      'TaskSucceeded',
      'TaskStateExited',
      'ExecutionSucceeded',
    ])
    expect(events[2]?.taskScheduledEventDetails).toMatchObject({
      resourceType: 'states',
      resource: 'startExecution.sync:2',
      region: 'us-east-1',
    })
    expect(JSON.parse(events[4]?.taskSubmittedEventDetails?.output ?? '')).toMatchObject({
      ExecutionArn: executionArn('Leg', 'leg-1'),
      StartDate: START_MS,
    })
  })

  test('fails with States.TaskFailed and the description as cause when the child fails', async () => {
    const broken = only({ Type: 'Fail', Error: 'Stuck', Cause: 'evidence' })
    const { run } = await execute({ machines: { Leg: broken, Parent: parentOf('Leg') } }, 'Parent', { name: 'leg-1' })
    expect(run).toMatchObject({ status: 'FAILED', error: 'States.TaskFailed' })
    expect(JSON.parse(run.cause ?? '')).toMatchObject({
      Status: 'FAILED',
      Error: 'Stuck',
      Cause: 'evidence',
      Name: 'leg-1',
      Input: '{"name":"leg-1"}',
    })
  })

  test.each([
    ['TIMED_OUT', { ...SLOW, TimeoutSeconds: 5 }],
    ['ABORTED', SLOW],
  ])('fails in the same way when the child ends %s', async (status, child) => {
    const machines = { Leg: child, Parent: parentOf('Leg') }
    const { clock, executions } = startProcess(temporaryDirectory(), { machines })
    const { executionArn: parent } = executions.start('Parent', 'run-1', '{"name":"leg-1"}')
    await clock.untilQuiet(START_MS + 1000)
    if (status === 'ABORTED') executions.stop(executionArn('Leg', 'leg-1'), 'Person', 'asked for')
    await clock.untilQuiet()
    const run = executions.describe(parent)
    expect(run.error).toBe('States.TaskFailed')
    expect(JSON.parse(run.cause ?? '')).toMatchObject({ Status: status })
  })

  test('returns the running execution of the same name and input, and refuses a name whose execution has ended', async () => {
    const machines: Machines = { machines: { Leg: SLOW, Parent: parentOf('Leg') } }
    const { clock, executions } = startProcess(temporaryDirectory(), machines)
    executions.start('Leg', 'leg-1', '{"name":"leg-1"}')
    executions.start('Parent', 'run-1', '{"name":"leg-1"}')
    await clock.untilQuiet()
    expect(executions.find('Parent', 'run-1')).toMatchObject({ status: 'SUCCEEDED' })
    executions.start('Parent', 'run-2', '{"name":"leg-1"}')
    await clock.untilQuiet()
    expect(executions.find('Parent', 'run-2')).toMatchObject({
      status: 'FAILED',
      error: 'StepFunctions.ExecutionAlreadyExistsException',
      cause: expect.stringContaining(`Execution Already Exists: '${executionArn('Leg', 'leg-1')}'`),
    })
    expect(executions.list('Leg')).toHaveLength(1)
  })

  test('does not start the same name again on a retry: the name of the failed child is refused', async () => {
    const Retry = [{ ErrorEquals: ['States.TaskFailed'], MaxAttempts: 1 }]
    const machines = { Leg: only({ Type: 'Fail', Error: 'Stuck' }), Parent: parentOf('Leg', { Retry }) }
    const { executions, run } = await execute({ machines }, 'Parent', { name: 'leg-1' })
    expect(run.error).toBe('StepFunctions.ExecutionAlreadyExistsException')
    expect(executions.list('Leg')).toHaveLength(1)
  })

  test('gives an unnamed child a new name for each attempt', async () => {
    const Retry = [{ ErrorEquals: ['States.TaskFailed'], MaxAttempts: 1 }]
    const parent = parentOf('Leg', { Retry, Parameters: { StateMachineArn: machineArn('Leg') } })
    const { executions } = await execute(
      { machines: { Leg: only({ Type: 'Fail', Error: 'Stuck' }), Parent: parent } },
      'Parent',
      {},
    )
    const names = executions.list('Leg').map(({ name }) => name)
    expect(new Set(names).size).toBe(2)
    expect(names).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), expect.stringMatching(/^[0-9a-f-]{36}$/)])
  })

  test.each([
    ['StateMachineDoesNotExistException', 'Other', 'leg-1'],
    ['InvalidNameException', 'Leg', 'a b'],
  ])('fails with StepFunctions.%s', async (name, machine, child) => {
    const machines = { Leg: LEG, Parent: parentOf(machine) }
    const { run } = await execute({ machines }, 'Parent', { name: child })
    expect(run.error).toBe(`StepFunctions.${name}`)
  })

  test('stops the child when the parent is stopped, times out in its Task or as a whole', async () => {
    const machines = {
      Leg: SLOW,
      Stopped: parentOf('Leg'),
      GivesUp: parentOf('Leg', { TimeoutSeconds: 10 }),
      OutOfTime: { ...parentOf('Leg'), TimeoutSeconds: 20 },
    }
    const { clock, executions } = startProcess(temporaryDirectory(), { machines })
    const { executionArn: stopped } = executions.start('Stopped', 'run-1', '{"name":"leg-1"}')
    executions.start('GivesUp', 'run-1', '{"name":"leg-2"}')
    executions.start('OutOfTime', 'run-1', '{"name":"leg-3"}')
    await clock.untilQuiet(START_MS + 1000)
    executions.stop(stopped, undefined, undefined)
    await clock.untilQuiet()
    expect(executions.find('GivesUp', 'run-1')).toMatchObject({ status: 'FAILED', error: 'States.Timeout' })
    expect(executions.find('OutOfTime', 'run-1')).toMatchObject({ status: 'TIMED_OUT' })
    const ends = ['leg-1', 'leg-2', 'leg-3'].map((name) => executions.find('Leg', name))
    expect(ends.map((end) => end?.status)).toEqual(['ABORTED', 'ABORTED', 'ABORTED'])
    expect(ends.map((end) => end?.stopDate?.getTime())).toEqual([START_MS + 1000, START_MS + 10_000, START_MS + 20_000])
  })

  test('stops the children of the iterations that a failed iteration aborts', async () => {
    const processor = {
      StartAt: 'Which',
      States: {
        Which: {
          Type: 'Choice',
          Choices: [{ Variable: '$.bad', IsPresent: true, Next: 'Bad' }],
          Default: 'Start',
        },
        Bad: { Type: 'Wait', Seconds: 5, Next: 'Broken' },
        Broken: { Type: 'Fail', Error: 'Broken' },
        Start: startAndWait('Leg'),
      },
    }
    const machines = { Leg: SLOW, Parent: only({ Type: 'Map', ItemProcessor: processor, End: true }) }
    const { executions, run } = await execute({ machines }, 'Parent', [{ name: 'leg-1' }, { bad: true }])
    expect(run.error).toBe('Broken')
    expect(executions.find('Leg', 'leg-1')?.status).toBe('ABORTED')
  })

  test.each([
    ['states:StartExecution', 'StepFunctions.AWSStepFunctionsException'],
    ['states:DescribeExecution', 'StepFunctions.AWSStepFunctionsException'],
  ])('fails if the role may not %s', async (action, error) => {
    const { run } = await execute(
      { machines: { Leg: LEG, Parent: parentOf('Leg') }, functions: { leg }, denied: [action] },
      'Parent',
      { name: 'leg-1' },
    )
    expect(run.error).toBe(error)
  })

  test.each(['events:PutTargets', 'events:PutRule', 'events:DescribeRule'])(
    'is refused at boot if the role may not %s for the managed rule',
    (action) => {
      const machines = { Leg: LEG, Parent: parentOf('Leg') }
      expect(() => startProcess(temporaryDirectory(), { machines, denied: [action] })).toThrow(
        `state machine Parent: its role may not create the managed rule: ${action} on arn:aws:events:us-east-1:123456789012:rule/StepFunctionsGetEventsForStepFunctionsExecutionRule`,
      )
    },
  )
})

test('startExecution continues as soon as the child has started', async () => {
  const Parameters = { StateMachineArn: machineArn('Leg'), Name: 'leg-1', Input: '{"a":1}' }
  const parent = only({ ...startAndWait('Leg'), Resource: 'arn:aws:states:::states:startExecution', Parameters })
  const { clock, executions } = startProcess(temporaryDirectory(), { machines: { Leg: SLOW, Parent: parent } })
  const { executionArn: arn } = executions.start('Parent', 'run-1', '{}')
  await clock.untilQuiet(START_MS + 1000)
  const run = executions.describe(arn)
  expect(JSON.parse(run.output ?? '')).toMatchObject({
    ExecutionArn: executionArn('Leg', 'leg-1'),
    StartDate: START_MS,
  })
  expect(executions.find('Leg', 'leg-1')).toMatchObject({ status: 'RUNNING', input: '{"a":1}' })
})

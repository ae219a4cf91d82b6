// The Step Functions API through the SDK: starts, ends, redrives, and the requests that are refused.
import {
  DescribeExecutionCommand,
  DescribeStateMachineCommand,
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  ListStateMachinesCommand,
  RedriveExecutionCommand,
  SendTaskFailureCommand,
  SendTaskHeartbeatCommand,
  SendTaskSuccessCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn'
import { describe, expect, test } from 'vitest'
import { functionArn, legsOf, oneTask, startAndWaitStatements } from './fixture/assembly.ts'
import { boot, runToEnd, skippingClock } from './fixture/booted.ts'
import { arnOf, clientOf, STEPS, WAIT } from './fixture/clients.ts'

describe('Step Functions', () => {
  test('starts a name once: a repeat with the same input during the run returns the same execution, any other repeat is refused', async () => {
    const aws = await boot({ machines: { Wait: WAIT } })
    const client = clientOf(SFNClient, aws)
    const request = { stateMachineArn: arnOf('Wait'), name: 'intent-1', input: '{"a":1}' }
    const first = await client.send(new StartExecutionCommand(request))
    const again = await client.send(new StartExecutionCommand(request))
    expect(again.executionArn).toBe(first.executionArn)
    expect(again.startDate).toEqual(first.startDate)
    const refusals = [{ ...request, input: '{"a":2}' }]
    for (const refused of refusals) {
      await expect(client.send(new StartExecutionCommand(refused))).rejects.toMatchObject({
        name: 'ExecutionAlreadyExists',
      })
    }
    await client.send(new StopExecutionCommand({ executionArn: first.executionArn }))
    await expect(client.send(new StartExecutionCommand(request))).rejects.toMatchObject({
      name: 'ExecutionAlreadyExists',
    })
  })

  test('ends a Task by its token once, and refuses tokens and answers with the names of AWS', async () => {
    const ask = {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
      Parameters: { FunctionName: functionArn('echo'), Payload: { 'token.$': '$$.Task.Token' } },
      HeartbeatSeconds: 60,
      End: true,
    }
    const aws = await boot({ functions: { echo: {} }, machines: { Ask: { StartAt: 'Ask', States: { Ask: ask } } } })
    const client = clientOf(SFNClient, aws)
    const { executionArn } = await aws.startExecution({ stateMachine: 'Ask', name: 'one', input: '{}' })
    const isSubmitted = () => aws.history(executionArn).some(({ type }) => type === 'TaskSubmitted')
    await expect.poll(isSubmitted).toBe(true)
    const scheduled = aws.history(executionArn).find(({ type }) => type === 'TaskScheduled')
    const { Payload } = JSON.parse(scheduled?.taskScheduledEventDetails?.parameters ?? '{}')
    const taskToken: string = Payload.token
    const refused = (request: Promise<unknown>, name: string) => expect(request).rejects.toMatchObject({ name })
    await client.send(new SendTaskHeartbeatCommand({ taskToken }))
    await refused(client.send(new SendTaskSuccessCommand({ taskToken, output: 'no JSON' })), 'InvalidOutput')
    await refused(client.send(new SendTaskSuccessCommand({ taskToken: 'guessed', output: '1' })), 'InvalidToken')
    await client.send(new SendTaskSuccessCommand({ taskToken, output: '{"a":1}' }))
    expect(await aws.untilFinished(executionArn)).toMatchObject({ status: 'SUCCEEDED', output: '{"a":1}' })
    await refused(client.send(new SendTaskFailureCommand({ taskToken, error: 'No' })), 'TaskTimedOut')
  })

  test.each([
    ['InvalidName', { name: 'a b' }],
    ['InvalidName', { name: 'x'.repeat(81) }],
    ['InvalidExecutionInput', { input: '{' }],
    ['ValidationException', { input: JSON.stringify('x'.repeat(262_144)) }],
    ['StateMachineDoesNotExist', { stateMachineArn: arnOf('Other') }],
  ])('refuses to start with %s', async (name, changed) => {
    const aws = await boot({ machines: { Steps: STEPS } })
    const request = { stateMachineArn: arnOf('Steps'), name: 'n', input: '{}', ...changed }
    await expect(clientOf(SFNClient, aws).send(new StartExecutionCommand(request))).rejects.toMatchObject({ name })
  })

  test('describes, lists and pages executions', async () => {
    const aws = await boot({ machines: { Steps: STEPS } }, { clock: skippingClock() })
    const client = clientOf(SFNClient, aws)
    for (const name of ['a', 'b', 'c']) await runToEnd(aws, 'Steps', { name }, name)
    const { executionArn } = await aws.startExecution({ stateMachine: 'Steps', name: 'd', input: '{"name":"d"}' })
    await aws.untilFinished(executionArn)

    const described = await client.send(new DescribeExecutionCommand({ executionArn }))
    expect(described).toMatchObject({
      name: 'd',
      status: 'SUCCEEDED',
      input: '{"name":"d"}',
      output: '{"done":true}',
      startDate: new Date(Date.UTC(2026, 0, 31, 9)),
      stopDate: new Date(Date.UTC(2026, 0, 31, 9)),
      redriveStatus: 'NOT_REDRIVABLE',
      redriveStatusReason: 'Execution is SUCCEEDED and cannot be redriven',
    })
    const list = { stateMachineArn: arnOf('Steps'), maxResults: 3 }
    const page = await client.send(new ListExecutionsCommand(list))
    const rest = await client.send(new ListExecutionsCommand({ ...list, nextToken: page.nextToken }))
    expect([...(page.executions ?? []), ...(rest.executions ?? [])].map(({ name }) => name).sort()).toEqual([
      'a',
      'b',
      'c',
      'd',
    ])
    expect(rest.nextToken).toBeUndefined()
    const failed = await client.send(new ListExecutionsCommand({ ...list, statusFilter: 'FAILED' }))
    expect(failed.executions).toEqual([])
    await expect(client.send(new DescribeExecutionCommand({ executionArn: `${executionArn}x` }))).rejects.toMatchObject(
      { name: 'ExecutionDoesNotExist' },
    )
  })

  test('pages through the executions of a status, newest first, and refuses an invalid status or page size', async () => {
    const choice = {
      StartAt: 'Ask',
      States: {
        Ask: { Type: 'Choice', Choices: [{ Variable: '$.fails', BooleanEquals: true, Next: 'No' }], Default: 'Yes' },
        No: { Type: 'Fail', Error: 'STUCK' },
        Yes: { Type: 'Wait', Seconds: 1, End: true },
      },
    }
    const aws = await boot({ machines: { Choice: choice } }, { clock: skippingClock() })
    for (const name of ['f1', 's1', 'f2', 's2', 's3', 'f3']) {
      const input = JSON.stringify({ fails: name.startsWith('f') })
      const { executionArn } = await aws.startExecution({ stateMachine: 'Choice', name, input })
      await aws.untilFinished(executionArn)
    }
    const client = clientOf(SFNClient, aws)
    const list = { stateMachineArn: arnOf('Choice'), statusFilter: 'FAILED', maxResults: 2 } as const
    const page = await client.send(new ListExecutionsCommand(list))
    const rest = await client.send(new ListExecutionsCommand({ ...list, nextToken: page.nextToken }))
    const named = [page, rest].map(({ executions = [] }) => executions.map(({ name, status }) => `${name} ${status}`))
    expect(named).toEqual([['f3 FAILED', 'f2 FAILED'], ['f1 FAILED']])
    expect(rest.nextToken).toBeUndefined()
    for (const wrong of [{ statusFilter: 'STUCK' as 'FAILED' }, { maxResults: 1_001 }, { maxResults: -1 }]) {
      await expect(client.send(new ListExecutionsCommand({ ...list, ...wrong }))).rejects.toMatchObject({
        name: 'ValidationException',
      })
    }
    const whole = await client.send(new ListExecutionsCommand({ ...list, maxResults: 0 }))
    expect(whole.executions).toHaveLength(3)
  })

  test('reports a failed Map without details, and the execution as redrivable', async () => {
    const map = {
      Type: 'Map',
      ItemProcessor: { StartAt: 'In', States: { In: { Type: 'Fail', Error: 'Broken' } } },
      End: true,
    }
    const aws = await boot({ machines: { Fails: { StartAt: 'Map', States: { Map: map } } } })
    const client = clientOf(SFNClient, aws)
    const { executionArn } = await runToEnd(aws, 'Fails', [1])
    const { events = [] } = await client.send(new GetExecutionHistoryCommand({ executionArn }))
    const failed = events.find(({ type }) => type === 'MapStateFailed')
    expect(failed).toMatchObject({ previousEventId: 5, type: 'MapStateFailed' })
    expect(failed).not.toHaveProperty('mapStateFailedEventDetails')
    const described = await client.send(new DescribeExecutionCommand({ executionArn }))
    expect(described).toMatchObject({ status: 'FAILED', error: 'Broken', redriveStatus: 'REDRIVABLE' })
    expect(described.redriveStatusReason).toBeUndefined()
  })

  test('reports a Map and the executions that it started', async () => {
    const machineStatements = startAndWaitStatements('Steps')
    const aws = await boot({ machines: { Steps: STEPS, Legs: legsOf('Steps') }, machineStatements })
    const client = clientOf(SFNClient, aws)
    const { executionArn } = await runToEnd(aws, 'Legs', { legs: [{ id: 'a' }] })
    const { events = [] } = await client.send(new GetExecutionHistoryCommand({ executionArn }))
    expect(events.map(({ type }) => type)).toEqual([
      'ExecutionStarted',
      'MapStateEntered',
      'MapStateStarted',
      'MapIterationStarted',
      'TaskStateEntered',
      'TaskScheduled',
      'TaskStarted',
      'TaskSubmitted',
      'TaskSucceeded',
      'TaskStateExited',
      'MapIterationSucceeded',
      'MapStateSucceeded',
      'MapStateExited',
      'ExecutionSucceeded',
    ])
    expect(events[2]?.mapStateStartedEventDetails).toEqual({ length: 1 })
    expect(events[3]?.mapIterationStartedEventDetails).toEqual({ name: 'Legs', index: 0 })
    expect(events[7]?.taskSubmittedEventDetails).toMatchObject({
      resourceType: 'states',
      resource: 'startExecution.sync:2',
      output: expect.stringContaining('execution:Steps:a'),
    })
  })

  test('gives the history event by event, forwards and backwards', async () => {
    const aws = await boot({ machines: { Steps: STEPS } })
    const client = clientOf(SFNClient, aws)
    const { executionArn } = await runToEnd(aws, 'Steps')
    const { events = [] } = await client.send(new GetExecutionHistoryCommand({ executionArn }))
    expect(events.map(({ id, previousEventId, type }) => [id, previousEventId, type])).toEqual([
      [1, 0, 'ExecutionStarted'],
      [2, 0, 'PassStateEntered'],
      [3, 2, 'PassStateExited'],
      [4, 3, 'PassStateEntered'],
      [5, 4, 'PassStateExited'],
      [6, 5, 'ExecutionSucceeded'],
    ])
    const backwards = { executionArn, reverseOrder: true, maxResults: 2 }
    const last = await client.send(new GetExecutionHistoryCommand(backwards))
    expect(last.events?.map((event) => event.id)).toEqual([6, 5])
    const before = await client.send(new GetExecutionHistoryCommand({ ...backwards, nextToken: last.nextToken }))
    expect(before.events?.map((event) => event.id)).toEqual([4, 3])
  })

  test('stops a running execution, and records it in the history', async () => {
    const aws = await boot({ machines: { Wait: WAIT } })
    const client = clientOf(SFNClient, aws)
    const { executionArn } = await aws.startExecution({ stateMachine: 'Wait', name: 'n', input: '{}' })
    await client.send(new StopExecutionCommand({ executionArn, error: 'Enough', cause: 'a person decided it' }))
    await expect(aws.untilFinished(executionArn)).resolves.toMatchObject({
      status: 'ABORTED',
      error: 'Enough',
      cause: 'a person decided it',
    })
    expect(aws.history(executionArn).at(-1)).toMatchObject({ type: 'ExecutionAborted' })
  })

  test('redrives a failed execution from the state that failed, with its input', async () => {
    const aws = await boot({ functions: { recover: {} }, machines: { Recover: oneTask('recover') } })
    const client = clientOf(SFNClient, aws)
    const { executionArn, status } = await runToEnd(aws, 'Recover', { failures: 1 })
    expect(status).toBe('FAILED')
    await client.send(new RedriveExecutionCommand({ executionArn }))
    await expect(aws.untilFinished(executionArn)).resolves.toMatchObject({
      status: 'SUCCEEDED',
      output: '{"invocations":2}',
      redriveCount: 1,
    })
    expect(aws.history(executionArn).map((event) => event.type)).toContain('ExecutionRedriven')
    await expect(client.send(new RedriveExecutionCommand({ executionArn }))).rejects.toMatchObject({
      name: 'ExecutionNotRedrivable',
    })
  })

  test('redrives a stopped execution, and does not repeat its completed states', async () => {
    const steps = {
      StartAt: 'Count',
      States: {
        Count: { ...(oneTask('count') as { States: { Only: object } }).States.Only, End: undefined, Next: 'Wait' },
        Wait: { Type: 'Wait', Seconds: 1, End: true },
      },
    }
    const waiting = Promise.withResolvers<void>()
    const aws = await boot(
      { functions: { count: {} }, machines: { Steps: steps } },
      { onEvent: (_arn, event) => event.type === 'WaitStateEntered' && waiting.resolve() },
    )
    const { executionArn } = await aws.startExecution({ stateMachine: 'Steps', name: 'n', input: '{}' })
    await waiting.promise
    await expect(aws.redriveExecution(executionArn)).rejects.toMatchObject({ name: 'ExecutionNotRedrivable' })
    await clientOf(SFNClient, aws).send(new StopExecutionCommand({ executionArn }))
    await aws.redriveExecution(executionArn)
    await expect(aws.untilFinished(executionArn)).resolves.toMatchObject({
      status: 'SUCCEEDED',
      output: '{"invocations":1}',
    })
  })

  test('ends an execution with an endless loop within 25,000 events', async () => {
    const isOver = { Variable: '$.over', IsPresent: true, Next: 'End' }
    const round = {
      StartAt: 'A',
      States: {
        A: { Type: 'Choice', Choices: [isOver], Default: 'B' },
        B: { Type: 'Pass', Next: 'A' },
        End: { Type: 'Succeed' },
      },
    }
    const aws = await boot({ machines: { Round: round } })
    const run = await runToEnd(aws, 'Round')
    expect(run).toMatchObject({ status: 'FAILED', error: 'States.Runtime', cause: expect.stringContaining('25000') })
    const { length } = aws.history(run.executionArn)
    expect(length).toBeLessThanOrEqual(25_000)
    expect(length).toBeGreaterThan(24_990)
  })

  test('lists its state machines with their resolved definitions', async () => {
    const aws = await boot({ machines: { Steps: STEPS } })
    const client = clientOf(SFNClient, aws)
    const { stateMachines } = await client.send(new ListStateMachinesCommand({}))
    expect(stateMachines).toMatchObject([{ name: 'Steps', stateMachineArn: arnOf('Steps'), type: 'STANDARD' }])
    const described = await client.send(new DescribeStateMachineCommand({ stateMachineArn: arnOf('Steps') }))
    expect(JSON.parse(described.definition ?? '')).toEqual(STEPS)
  })
})

// The endpoints as the SDK's own clients see them: Step Functions, Secrets Manager and DynamoDB,
// who may call what, and the faults that a hook injects.
import { DynamoDBClient, GetItemCommand, PutItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb'
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager'
import {
  DescribeExecutionCommand,
  DescribeStateMachineCommand,
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  ListStateMachinesCommand,
  RedriveExecutionCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { EmbeddedAws, EndpointCall, EndpointVerdict } from '../../embedded-aws.ts'
import { legsOf, ON_TABLE, oneTask, SECRET, startAndWaitStatements, TABLE } from './fixture/assembly.ts'
import { boot, runToEnd, skippingClock } from './fixture/booted.ts'

function clientOf<T extends { destroy(): void }>(Client: new (config: object) => T, aws: EmbeddedAws): T {
  const client = new Client({
    endpoint: aws.endpointUrl,
    region: aws.region,
    maxAttempts: 1,
    credentials: aws.credentials,
  })
  onTestFinished(() => client.destroy())
  return client
}

const arnOf = (machine: string) => `arn:aws:states:us-east-1:123456789012:stateMachine:${machine}`
const WAIT = {
  StartAt: 'Wait',
  States: { Wait: { Type: 'Wait', Seconds: 60, Next: 'Done' }, Done: { Type: 'Succeed' } },
}
const STEPS = {
  StartAt: 'One',
  States: { One: { Type: 'Pass', Next: 'Two' }, Two: { Type: 'Pass', Result: { done: true }, End: true } },
}

describe('Step Functions', () => {
  test('starts a name once: the same input while it runs is the same execution, anything else is refused', async () => {
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

  test('describes, lists and pages what was executed', async () => {
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
    })
    const list = { stateMachineArn: arnOf('Steps'), maxResults: 3 }
    const page = await client.send(new ListExecutionsCommand(list))
    const rest = await client.send(new ListExecutionsCommand({ ...list, nextToken: page.nextToken }))
    expect([...(page.executions ?? []), ...(rest.executions ?? [])].map((each) => each.name).sort()).toEqual([
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

  test('tells of a Map and of the executions that it started', async () => {
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

  test('stops a running execution, and says so in its history', async () => {
    const aws = await boot({ machines: { Wait: WAIT } })
    const client = clientOf(SFNClient, aws)
    const { executionArn } = await aws.startExecution({ stateMachine: 'Wait', name: 'n', input: '{}' })
    await client.send(new StopExecutionCommand({ executionArn, error: 'Enough', cause: 'a person said so' }))
    await expect(aws.untilFinished(executionArn)).resolves.toMatchObject({
      status: 'ABORTED',
      error: 'Enough',
      cause: 'a person said so',
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

  test('redrives an execution that was stopped, and what was done before stays done', async () => {
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

  test('ends an execution that goes round and round within 25,000 events', async () => {
    const round = { StartAt: 'A', States: { A: { Type: 'Pass', Next: 'B' }, B: { Type: 'Pass', Next: 'A' } } }
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

describe('Secrets Manager', () => {
  const SecretId = 'team/key'

  test('gives the value that was put at boot, by name and by ARN', async () => {
    const aws = await boot({ resources: { Secret: SECRET } }, { secrets: { [SecretId]: 'first' } })
    const client = clientOf(SecretsManagerClient, aws)
    const byName = await client.send(new GetSecretValueCommand({ SecretId }))
    expect(byName).toMatchObject({ Name: SecretId, SecretString: 'first', VersionStages: ['AWSCURRENT'] })
    const byArn = await client.send(new GetSecretValueCommand({ SecretId: byName.ARN }))
    expect(byArn.SecretString).toBe('first')
  })

  test('keeps the former value as AWSPREVIOUS, and can go back to it', async () => {
    const aws = await boot({ resources: { Secret: SECRET } }, { secrets: { [SecretId]: 'first' } })
    const client = clientOf(SecretsManagerClient, aws)
    const { VersionId: first } = await client.send(new GetSecretValueCommand({ SecretId }))
    const { VersionId: second } = await client.send(new PutSecretValueCommand({ SecretId, SecretString: 'second' }))
    const previous = await client.send(new GetSecretValueCommand({ SecretId, VersionStage: 'AWSPREVIOUS' }))
    expect(previous.SecretString).toBe('first')
    await client.send(
      new UpdateSecretVersionStageCommand({
        SecretId,
        VersionStage: 'AWSCURRENT',
        RemoveFromVersionId: second,
        MoveToVersionId: first,
      }),
    )
    const { VersionIdsToStages } = await client.send(new DescribeSecretCommand({ SecretId }))
    expect(VersionIdsToStages).toEqual({ [first ?? '']: ['AWSCURRENT'], [second ?? '']: ['AWSPREVIOUS'] })
  })

  test('has no value for a secret that nobody put one into', async () => {
    const aws = await boot({ resources: { Secret: SECRET } })
    const client = clientOf(SecretsManagerClient, aws)
    await expect(client.send(new GetSecretValueCommand({ SecretId }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    })
  })
})

describe('DynamoDB', () => {
  test('takes a conditional write once', async () => {
    const aws = await boot({ resources: { Table: TABLE } })
    const client = clientOf(DynamoDBClient, aws)
    const put = new PutItemCommand({
      TableName: 'records',
      Item: { pk: { S: 'a' } },
      ConditionExpression: 'attribute_not_exists(pk)',
    })
    await client.send(put)
    await expect(client.send(put)).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' })
  })

  test('refuses operations that it does not have', async () => {
    const aws = await boot({ resources: { Table: TABLE } })
    await expect(
      clientOf(DynamoDBClient, aws).send(new TransactWriteItemsCommand({ TransactItems: [] })),
    ).rejects.toMatchObject({ name: 'UnknownOperationException' })
  })
})

describe('a function’s role', () => {
  const resources = { Table: TABLE, Secret: SECRET }
  const environment = { TABLE: { Ref: 'Table' }, SECRET: { Ref: 'Secret' } }
  const machines = { Put: oneTask('put'), Get: oneTask('get'), Secret: oneTask('secret') }
  const readOnly = {
    environment,
    statements: [{ Effect: 'Allow', Action: 'dynamodb:Get*', Resource: { 'Fn::GetAtt': ['Table', 'Arn'] } }],
  }

  test('allows what its statements name and nothing else', async () => {
    const functions = { put: readOnly, get: readOnly, secret: readOnly }
    const aws = await boot({ functions, resources, machines }, { secrets: { 'team/key': 'text' } })
    expect(await runToEnd(aws, 'Get', { id: 'a' })).toMatchObject({ output: { value: null } })
    expect(await runToEnd(aws, 'Put', { id: 'a' })).toMatchObject({
      error: 'AccessDeniedException',
      cause: {
        errorMessage:
          'User: arn:aws:sts::123456789012:assumed-role/Roleput/put is not authorized to perform: dynamodb:PutItem on resource: arn:aws:dynamodb:us-east-1:123456789012:table/records because no identity-based policy allows the dynamodb:PutItem action',
      },
    })
    expect(await runToEnd(aws, 'Secret')).toMatchObject({ error: 'AccessDeniedException' })
  })

  test('reads the secret that its statement names', async () => {
    const statements = [{ Effect: 'Allow', Action: 'secretsmanager:GetSecretValue', Resource: { Ref: 'Secret' } }]
    const functions = { put: readOnly, get: readOnly, secret: { environment, statements } }
    const aws = await boot({ functions, resources, machines }, { secrets: { 'team/key': 'text' } })
    expect(await runToEnd(aws, 'Secret')).toMatchObject({ output: { length: 4 } })
  })
})

describe('a hook', () => {
  const fixture = {
    functions: { put: ON_TABLE, get: ON_TABLE },
    resources: { Table: TABLE },
    machines: { Put: oneTask('put'), Get: oneTask('get') },
  }

  /** Answers the first PutItem of the phase with the verdict, and gives what the table holds afterwards. */
  async function putWith(phase: EndpointCall['phase'], verdict: EndpointVerdict) {
    const calls: EndpointCall[] = []
    const aws = await boot(fixture, {
      onEndpointCall: (call) => {
        if (call.operation !== 'PutItem') return undefined
        calls.push(call)
        return call.phase === phase ? verdict : undefined
      },
    })
    const run = await runToEnd(aws, 'Put', { id: 'a' })
    const Key = { pk: { S: 'a' } }
    const { Item } = await clientOf(DynamoDBClient, aws).send(new GetItemCommand({ TableName: 'records', Key }))
    return { run, calls, isWritten: Item !== undefined }
  }

  test('sees who calls what, before and after', async () => {
    const calls: EndpointCall[] = []
    const aws = await boot(fixture, { onEndpointCall: (call) => void calls.push(call) })
    await runToEnd(aws, 'Put', { id: 'a' })
    const seen = { service: 'dynamodb', operation: 'PutItem', functionName: 'put', body: { TableName: 'records' } }
    expect(calls).toMatchObject([
      { ...seen, phase: 'before' },
      { ...seen, phase: 'after' },
    ])
  })

  test('kills the caller before its request is applied', async () => {
    const { run, calls, isWritten } = await putWith('before', 'kill-function')
    expect(run).toMatchObject({ status: 'FAILED', error: 'Runtime.ExitError' })
    expect(calls).toHaveLength(1)
    expect(isWritten).toBe(false)
  })

  test('kills the caller after its request was applied', async () => {
    const { run, isWritten } = await putWith('after', 'kill-function')
    expect(run).toMatchObject({ status: 'FAILED', error: 'Runtime.ExitError' })
    expect(isWritten).toBe(true)
  })

  test('is asked after a request that the service refused, too', async () => {
    const phases: string[] = []
    const aws = await boot(fixture, { onEndpointCall: (call) => void phases.push(call.phase) })
    const missing = new GetItemCommand({ TableName: 'elsewhere', Key: { pk: { S: 'a' } } })
    await expect(clientOf(DynamoDBClient, aws).send(missing)).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    })
    expect(phases).toEqual(['before', 'after'])
  })

  test('drops the connection of a request that was applied', async () => {
    const { run, isWritten } = await putWith('after', 'drop')
    expect(run).toMatchObject({ status: 'FAILED', cause: { errorMessage: expect.stringMatching(/socket|ECONNRESET/) } })
    expect(isWritten).toBe(true)
  })

  test('answers an error instead of applying the request', async () => {
    const { run, isWritten } = await putWith('before', { errorType: 'ThrottlingException', status: 400 })
    expect(run).toMatchObject({ status: 'FAILED', error: 'ThrottlingException' })
    expect(isWritten).toBe(false)
  })
})

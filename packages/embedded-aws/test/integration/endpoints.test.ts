// Tests the other AWS endpoints through the SDK, the permissions of a role there, and hooks that interfere.
import { DynamoDBClient, GetItemCommand, PutItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb'
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager'
import { describe, expect, test } from 'vitest'
import type { EndpointCall, EndpointVerdict } from '../../embedded-aws.ts'
import { ON_TABLE, oneTask, SECRET, TABLE } from './fixture/assembly.ts'
import { boot, runToEnd } from './fixture/booted.ts'
import { clientOf } from './fixture/clients.ts'

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

  test('keeps the former value as AWSPREVIOUS, and can make it current again', async () => {
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

  test('has no value for a secret that nobody has given a value', async () => {
    const aws = await boot({ resources: { Secret: SECRET } })
    const client = clientOf(SecretsManagerClient, aws)
    await expect(client.send(new GetSecretValueCommand({ SecretId }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    })
  })
})

describe('DynamoDB', () => {
  test('accepts a conditional write once', async () => {
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

  test('refuses operations that are not supported', async () => {
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

  test('allows only the actions and resources in its statements', async () => {
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

  /** Answers the first PutItem of the phase with the verdict. Returns the run, the calls and whether the item exists. */
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

  test('gets the caller and the operation of each call, before and after', async () => {
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

  test('is also called after a request that the service refused', async () => {
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

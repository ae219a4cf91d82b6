// Data under a KMS key of one's own: nothing is encrypted here, and who reads or writes needs the key as on AWS.
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import {
  CreateSecretCommand,
  DescribeSecretCommand,
  SecretsManagerClient,
  UpdateSecretCommand,
} from '@aws-sdk/client-secrets-manager'
import { expect, test } from 'vitest'
import { ON_TABLE, oneTask, SECRET, TABLE } from './fixture/assembly.ts'
import { boot, runToEnd } from './fixture/booted.ts'
import { clientOf } from './fixture/clients.ts'

const KEY = 'arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab'
const may = (service: string, Resource = KEY) => ({
  ...{ Effect: 'Allow', Action: 'kms:Decrypt', Resource },
  Condition: { StringLike: { 'kms:ViaService': `${service}.us-east-1.amazonaws.com*` } },
})
const SSESpecification = { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: KEY }
const UNDER_KEY = { ...TABLE, Properties: { ...TABLE.Properties, SSESpecification } }
const DENIED = {
  error: 'AccessDeniedException',
  cause: { errorMessage: expect.stringContaining(`kms:Decrypt on resource: ${KEY}`) },
}

test.each([
  ['no key', []],
  ['another key', [may('dynamodb', KEY.replace('1234abcd', '5678abcd'))]],
  ['the key by way of another service', [may('secretsmanager')]],
])('a function whose role has %s neither reads nor writes a table that is under one', async (_what, statements) => {
  const ofFunction = { ...ON_TABLE, statements: [...ON_TABLE.statements, ...statements] }
  const aws = await boot({
    functions: { put: ofFunction, get: ofFunction },
    resources: { Table: UNDER_KEY },
    machines: { Put: oneTask('put'), Get: oneTask('get') },
  })
  expect(await runToEnd(aws, 'Put', { id: 'a' })).toMatchObject(DENIED)
  expect(await runToEnd(aws, 'Get', { id: 'a' })).toMatchObject(DENIED)
  // What the table is, is told without a key.
  await clientOf(DynamoDBClient, aws).send(new DescribeTableCommand({ TableName: 'records' }))
})

test('a function whose role may decrypt by way of DynamoDB reads and writes', async () => {
  const ofFunction = { ...ON_TABLE, statements: [...ON_TABLE.statements, may('dynamodb')] }
  const aws = await boot({
    functions: { put: ofFunction, get: ofFunction },
    resources: { Table: UNDER_KEY },
    machines: { Put: oneTask('put'), Get: oneTask('get') },
  })
  expect((await runToEnd(aws, 'Put', { id: 'a' })).status).toBe('SUCCEEDED')
  expect((await runToEnd(aws, 'Get', { id: 'a' })).status).toBe('SUCCEEDED')
  expect(aws.permissions().unused.filter(({ action }) => action.startsWith('kms:'))).toEqual([])
})

test('a table whose key is told by an alias is refused: nobody here knows aliases of such keys', async () => {
  const byAlias = { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: 'alias/journal' }
  const Table = { ...TABLE, Properties: { ...TABLE.Properties, SSESpecification: byAlias } }
  await expect(boot({ resources: { Table } })).rejects.toThrow(/KMSMasterKeyId.*the ARN of a KMS key/)
})

test('a secret that is put under a key is read by whose role may decrypt by way of Secrets Manager, and by no other', async () => {
  const reads = { Effect: 'Allow', Action: 'secretsmanager:GetSecretValue', Resource: { Ref: 'Secret' } }
  const environment = { SECRET: { Ref: 'Secret' } }
  const started = (statements: readonly object[]) =>
    boot(
      {
        functions: { secret: { environment, statements: [reads, ...statements] } },
        resources: { Secret: SECRET },
        machines: { Secret: oneTask('secret') },
      },
      { secrets: { 'team/key': 'text' } },
    )
  for (const statements of [[], [may('dynamodb')]]) {
    const aws = await started(statements)
    const client = clientOf(SecretsManagerClient, aws)
    expect(await runToEnd(aws, 'Secret')).toMatchObject({ output: { length: 4 } })
    await client.send(new UpdateSecretCommand({ SecretId: 'team/key', KmsKeyId: KEY }))
    expect((await client.send(new DescribeSecretCommand({ SecretId: 'team/key' }))).KmsKeyId).toBe(KEY)
    expect(await runToEnd(aws, 'Secret', {}, 'run-2')).toMatchObject(DENIED)
  }
  const aws = await started([may('secretsmanager')])
  await clientOf(SecretsManagerClient, aws).send(new UpdateSecretCommand({ SecretId: 'team/key', KmsKeyId: KEY }))
  expect(await runToEnd(aws, 'Secret')).toMatchObject({ output: { length: 4 } })
})

test('a secret is made under the key that it is made with, and under none of one’s own without', async () => {
  const client = clientOf(SecretsManagerClient, await boot({}))
  await client.send(new CreateSecretCommand({ Name: 'ours', KmsKeyId: KEY }))
  await client.send(new CreateSecretCommand({ Name: 'plain' }))
  expect((await client.send(new DescribeSecretCommand({ SecretId: 'ours' }))).KmsKeyId).toBe(KEY)
  expect(await client.send(new DescribeSecretCommand({ SecretId: 'plain' }))).not.toHaveProperty('KmsKeyId')
})

// Tests data under a customer's KMS key. Nothing is encrypted here, but a reader or writer needs permission for the
// key, as on AWS.
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
const allowDecrypt = (service: string, Resource = KEY) => ({
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
  ['another key', [allowDecrypt('dynamodb', KEY.replace('1234abcd', '5678abcd'))]],
  ['the key through another service only', [allowDecrypt('secretsmanager')]],
])('a function whose role has %s cannot read or write a table under a KMS key', async (_name, statements) => {
  const onTable = { ...ON_TABLE, statements: [...ON_TABLE.statements, ...statements] }
  const aws = await boot({
    functions: { put: onTable, get: onTable },
    resources: { Table: UNDER_KEY },
    machines: { Put: oneTask('put'), Get: oneTask('get') },
  })
  expect(await runToEnd(aws, 'Put', { id: 'a' })).toMatchObject(DENIED)
  expect(await runToEnd(aws, 'Get', { id: 'a' })).toMatchObject(DENIED)
  // DescribeTable needs no permission for the key.
  await clientOf(DynamoDBClient, aws).send(new DescribeTableCommand({ TableName: 'records' }))
})

test('a function whose role may decrypt through DynamoDB reads and writes', async () => {
  const onTable = { ...ON_TABLE, statements: [...ON_TABLE.statements, allowDecrypt('dynamodb')] }
  const aws = await boot({
    functions: { put: onTable, get: onTable },
    resources: { Table: UNDER_KEY },
    machines: { Put: oneTask('put'), Get: oneTask('get') },
  })
  expect((await runToEnd(aws, 'Put', { id: 'a' })).status).toBe('SUCCEEDED')
  expect((await runToEnd(aws, 'Get', { id: 'a' })).status).toBe('SUCCEEDED')
  expect(aws.permissions().unused.filter(({ action }) => action.startsWith('kms:'))).toEqual([])
})

test('a table whose key is given as an alias is refused, because the embedded AWS knows no aliases of these keys', async () => {
  const byAlias = { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: 'alias/journal' }
  const Table = { ...TABLE, Properties: { ...TABLE.Properties, SSESpecification: byAlias } }
  await expect(boot({ resources: { Table } })).rejects.toThrow(/KMSMasterKeyId.*the ARN of a KMS key/)
})

test('a secret under a key is readable only for a role that may decrypt through Secrets Manager', async () => {
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
  for (const statements of [[], [allowDecrypt('dynamodb')]]) {
    const aws = await started(statements)
    const client = clientOf(SecretsManagerClient, aws)
    expect(await runToEnd(aws, 'Secret')).toMatchObject({ output: { length: 4 } })
    await client.send(new UpdateSecretCommand({ SecretId: 'team/key', KmsKeyId: KEY }))
    expect((await client.send(new DescribeSecretCommand({ SecretId: 'team/key' }))).KmsKeyId).toBe(KEY)
    expect(await runToEnd(aws, 'Secret', {}, 'run-2')).toMatchObject(DENIED)
  }
  const aws = await started([allowDecrypt('secretsmanager')])
  await clientOf(SecretsManagerClient, aws).send(new UpdateSecretCommand({ SecretId: 'team/key', KmsKeyId: KEY }))
  expect(await runToEnd(aws, 'Secret')).toMatchObject({ output: { length: 4 } })
})

test('a secret is created under the given key, or under the default key if none is given', async () => {
  const client = clientOf(SecretsManagerClient, await boot({}))
  await client.send(new CreateSecretCommand({ Name: 'ours', KmsKeyId: KEY }))
  await client.send(new CreateSecretCommand({ Name: 'plain' }))
  expect((await client.send(new DescribeSecretCommand({ SecretId: 'ours' }))).KmsKeyId).toBe(KEY)
  expect(await client.send(new DescribeSecretCommand({ SecretId: 'plain' }))).not.toHaveProperty('KmsKeyId')
})

// A secret's resource policy: put, read and deleted through the SDK, and checked for the administrator.
import {
  DeleteResourcePolicyCommand,
  GetResourcePolicyCommand,
  GetSecretValueCommand,
  PutResourcePolicyCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import { expect, test } from 'vitest'
import { boot } from './fixture/booted.ts'
import { clientOf } from './fixture/clients.ts'

const SecretId = 'keys/a'
const SECRET = { Type: 'AWS::SecretsManager::Secret', Properties: { Name: SecretId } }
const denies = (Action: string, Condition?: object) => ({
  ...{ Effect: 'Deny', Principal: { AWS: '*' }, Action, Resource: '*' },
  ...(Condition && { Condition }),
})

test('a policy that denies reads applies to the administrator until it is deleted', async () => {
  const aws = await boot({ resources: { Secret: SECRET } }, { secrets: { [SecretId]: 'value' } })
  const client = clientOf(SecretsManagerClient, aws)
  const read = () => client.send(new GetSecretValueCommand({ SecretId }))
  const put = (statement: object) =>
    client.send(new PutResourcePolicyCommand({ SecretId, ResourcePolicy: JSON.stringify({ Statement: [statement] }) }))
  expect(await client.send(new GetResourcePolicyCommand({ SecretId }))).not.toHaveProperty('ResourcePolicy')

  await put(denies('secretsmanager:GetSecretValue'))
  await expect(read()).rejects.toThrow(/GetSecretValue .*explicit deny in a resource-based policy/)
  const { ResourcePolicy = '' } = await client.send(new GetResourcePolicyCommand({ SecretId }))
  expect(JSON.parse(ResourcePolicy)).toEqual({ Statement: [denies('secretsmanager:GetSecretValue')] })

  await client.send(new DeleteResourcePolicyCommand({ SecretId }))
  expect((await read()).SecretString).toBe('value')
})

test('a policy with a condition on the calling function is refused, because AWS does not supply that key to a secret', async () => {
  const aws = await boot({ resources: { Secret: SECRET } }, { secrets: { [SecretId]: 'value' } })
  const client = clientOf(SecretsManagerClient, aws)
  const condition = { ArnNotLike: { 'lambda:SourceFunctionArn': 'arn:aws:lambda:us-east-1:123456789012:function:f' } }
  const ResourcePolicy = JSON.stringify({ Statement: [denies('secretsmanager:GetSecretValue', condition)] })
  await expect(client.send(new PutResourcePolicyCommand({ SecretId, ResourcePolicy }))).rejects.toThrow(
    expect.objectContaining({ name: 'MalformedPolicyDocumentException' }),
  )
})

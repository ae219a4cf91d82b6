// A table's own policy, and who may change it: read, put and deleted through the AWS SDK, and asked of roles.
import {
  DeleteItemCommand,
  DeleteResourcePolicyCommand,
  DynamoDBClient,
  GetResourcePolicyCommand,
  PutResourcePolicyCommand,
} from '@aws-sdk/client-dynamodb'
import { expect, inject, test } from 'vitest'
import { planDeployment } from '../../assembly/deployment.ts'
import { readAssembly } from '../../assembly/read-assembly.ts'
import { TablePolicies } from '../../dynamodb/table-policies.ts'
import { Access } from '../../endpoint/access.ts'
import { parsePolicy } from '../../endpoint/access-policy.ts'
import { TABLE } from './fixture/assembly.ts'
import { boot } from './fixture/booted.ts'
import { clientOf } from './fixture/clients.ts'

const ARN = 'arn:aws:dynamodb:us-east-1:123456789012:table/records'
const denies = (Action: string | readonly string[], Condition?: object) => ({
  ...{ Effect: 'Deny', Principal: { AWS: '*' }, Action, Resource: ARN },
  ...(Condition && { Condition }),
})
const POLICY = {
  Version: '2012-10-17',
  Statement: [
    denies('dynamodb:DeleteItem'),
    denies(['dynamodb:PutResourcePolicy', 'dynamodb:DeleteResourcePolicy'], {
      ArnNotLike: { 'aws:PrincipalArn': 'arn:aws:iam::123456789012:role/trusted' },
    }),
  ],
}

test('the policy of the assembly is in force until root deletes it, and what is put then is', async () => {
  const ResourcePolicy = { PolicyDocument: POLICY }
  const aws = await boot({
    resources: { Table: { ...TABLE, Properties: { ...TABLE.Properties, ResourcePolicy } } },
  })
  const client = clientOf(DynamoDBClient, aws)
  const put = (policy: object) =>
    client.send(new PutResourcePolicyCommand({ ResourceArn: ARN, Policy: JSON.stringify(policy) }))
  const deleted = () => client.send(new DeleteItemCommand({ TableName: 'records', Key: { pk: { S: 'a' } } }))

  const { Policy = '' } = await client.send(new GetResourcePolicyCommand({ ResourceArn: ARN }))
  expect(JSON.parse(Policy)).toEqual(POLICY)
  await expect(deleted()).rejects.toThrow(/explicit deny in a resource-based policy/)
  await expect(put({ Statement: [] })).rejects.toThrow(/dynamodb:PutResourcePolicy .*explicit deny/)

  await client.send(new DeleteResourcePolicyCommand({ ResourceArn: ARN }))
  await expect(client.send(new GetResourcePolicyCommand({ ResourceArn: ARN }))).rejects.toThrow(
    expect.objectContaining({ name: 'PolicyNotFoundException' }),
  )
  await deleted()
  await expect(put({ Statement: [{ ...denies('dynamodb:DeleteItem'), Effect: 'Allow' }] })).rejects.toThrow(
    expect.objectContaining({ name: 'ValidationException' }),
  )
  await put({ Statement: [denies('dynamodb:DeleteItem')] })
  await expect(deleted()).rejects.toThrow(/explicit deny/)
})

test('there is no policy of a table that is not there', async () => {
  const aws = await boot({ resources: { Table: TABLE } })
  const client = clientOf(DynamoDBClient, aws)
  for (const ResourceArn of [`${ARN}s`, 'records']) {
    await expect(client.send(new GetResourcePolicyCommand({ ResourceArn }))).rejects.toThrow(
      expect.objectContaining({ name: 'ResourceNotFoundException' }),
    )
  }
})

test('the journal’s policy is changed by CloudFormation’s role and by break-glass, and by no other administrator', () => {
  const { account, region, tablePolicies, tables } = planDeployment(readAssembly(inject('assemblyDir')), {})
  const [journal] = tables
  const role = (name: string) => `arn:aws:iam::${account}:role/${name}`
  const roles = [
    ...[`cdk-hnb659fds-cfn-exec-role-${account}-${region}`, 'sluice-break-glass'],
    ...[`cdk-hnb659fds-deploy-role-${account}-${region}`, 'administrator', 'other-sluice-break-glass'],
    ...[`cdk-hnb659fds-cfn-exec-role-${account}-eu-west-9`],
  ]
  const everything = parsePolicy({ Statement: { Effect: 'Allow', Action: '*', Resource: '*' } }, 'role')
  const access = new Access({
    account,
    policies: new Map(roles.map((name) => [role(name), everything])),
    resourcePolicies: new TablePolicies(tablePolicies),
  })
  const mayOf = (action: string) =>
    roles.filter((name) => {
      try {
        const asking = { roleArn: role(name), functionName: 'session' }
        access.authorise(asking, { action: `dynamodb:${action}`, resource: journal?.arn ?? '' })
        return true
      } catch {
        return false
      }
    })
  expect(mayOf('PutResourcePolicy')).toEqual(roles.slice(0, 2))
  expect(mayOf('DeleteResourcePolicy')).toEqual(roles.slice(0, 2))
  expect(mayOf('DeleteItem')).toEqual([])
  expect(mayOf('PutItem')).toEqual(roles)
})

// A table's resource policy: read, put and deleted through the SDK by root, and checked for several roles.
import {
  DeleteItemCommand,
  DeleteResourcePolicyCommand,
  DynamoDBClient,
  GetResourcePolicyCommand,
  PutResourcePolicyCommand,
} from '@aws-sdk/client-dynamodb'
import { expect, inject, test } from 'vitest'
import { planDeployment } from '../../assembly/plan-deployment.ts'
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

test('the policy of the assembly applies until root deletes it, and then the policy that is put', async () => {
  const ResourcePolicy = { PolicyDocument: POLICY }
  const aws = await boot({
    resources: { Table: { ...TABLE, Properties: { ...TABLE.Properties, ResourcePolicy } } },
  })
  const client = clientOf(DynamoDBClient, aws)
  const put = (policy: object) =>
    client.send(new PutResourcePolicyCommand({ ResourceArn: ARN, Policy: JSON.stringify(policy) }))
  const deleteItem = () => client.send(new DeleteItemCommand({ TableName: 'records', Key: { pk: { S: 'a' } } }))

  const { Policy = '' } = await client.send(new GetResourcePolicyCommand({ ResourceArn: ARN }))
  expect(JSON.parse(Policy)).toEqual(POLICY)
  await expect(deleteItem()).rejects.toThrow(/explicit deny in a resource-based policy/)
  await expect(put({ Statement: [] })).rejects.toThrow(/dynamodb:PutResourcePolicy .*explicit deny/)

  await client.send(new DeleteResourcePolicyCommand({ ResourceArn: ARN }))
  await expect(client.send(new GetResourcePolicyCommand({ ResourceArn: ARN }))).rejects.toThrow(
    expect.objectContaining({ name: 'PolicyNotFoundException' }),
  )
  await deleteItem()
  await expect(put({ Statement: [{ ...denies('dynamodb:DeleteItem'), Effect: 'Allow' }] })).rejects.toThrow(
    expect.objectContaining({ name: 'ValidationException' }),
  )
  await put({ Statement: [denies('dynamodb:DeleteItem')] })
  await expect(deleteItem()).rejects.toThrow(/explicit deny/)
})

test('reading the policy of an unknown table is refused', async () => {
  const aws = await boot({ resources: { Table: TABLE } })
  const client = clientOf(DynamoDBClient, aws)
  for (const ResourceArn of [`${ARN}s`, 'records']) {
    await expect(client.send(new GetResourcePolicyCommand({ ResourceArn }))).rejects.toThrow(
      expect.objectContaining({ name: 'ResourceNotFoundException' }),
    )
  }
})

test('only CloudFormation’s role and the break-glass role can change the policy of the journal', () => {
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
  const allowedFor = (action: string) =>
    roles.filter((name) => {
      try {
        const caller = { roleArn: role(name), functionName: 'session' }
        access.authorise(caller, { action: `dynamodb:${action}`, resource: journal?.arn ?? '' })
        return true
      } catch {
        return false
      }
    })
  expect(allowedFor('PutResourcePolicy')).toEqual(roles.slice(0, 2))
  expect(allowedFor('DeleteResourcePolicy')).toEqual(roles.slice(0, 2))
  expect(allowedFor('DeleteItem')).toEqual([])
  expect(allowedFor('PutItem')).toEqual(roles)
})

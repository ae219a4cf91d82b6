import { Match } from 'aws-cdk-lib/assertions'
import { beforeAll, expect, test } from 'vitest'
import {
  ASKED_AT_KEY,
  ASKED_INDEX,
  ASKED_KEY,
  LISTED_INDEX,
  LISTED_KEY,
  RECORD_KEY,
} from '../../core/contract/records.ts'
import { kindOf } from '../../infra/updates/resource-kinds.ts'
import { synthesizeTemplates, type Templates, treasury } from './assembly.ts'

let templates: Templates
beforeAll(() => {
  templates = synthesizeTemplates()
})

test('the journal is protected, kept, restorable, and billed by use', () => {
  templates.state.hasResource('AWS::DynamoDB::Table', {
    Properties: {
      TableName: 'sluice-journal',
      KeySchema: [{ AttributeName: RECORD_KEY, KeyType: 'HASH' }],
      AttributeDefinitions: [
        { AttributeName: RECORD_KEY, AttributeType: 'S' },
        { AttributeName: LISTED_KEY, AttributeType: 'S' },
        { AttributeName: ASKED_KEY, AttributeType: 'S' },
        { AttributeName: ASKED_AT_KEY, AttributeType: 'S' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: LISTED_INDEX,
          KeySchema: [{ AttributeName: LISTED_KEY, KeyType: 'HASH' }],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
        {
          IndexName: ASKED_INDEX,
          KeySchema: [
            { AttributeName: ASKED_KEY, KeyType: 'HASH' },
            { AttributeName: ASKED_AT_KEY, KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
      BillingMode: 'PAY_PER_REQUEST',
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      // A record that expired would be an intent forgotten.
      TimeToLiveSpecification: Match.absent(),
    },
    // A first creation that fails leaves nothing behind that would block the next.
    DeletionPolicy: 'RetainExceptOnCreate',
    UpdateReplacePolicy: 'Retain',
  })
})

test('whatever a policy allows, nobody deletes a record', () => {
  const [journal] = Object.values(templates.state.findResources('AWS::DynamoDB::Table'))
  const [denial, ...others] = journal?.Properties.ResourcePolicy.PolicyDocument.Statement ?? []
  expect(others).toEqual([])
  expect(denial).toMatchObject({ Effect: 'Deny', Principal: { AWS: '*' } })
  expect(denial).not.toHaveProperty('Condition')
  expect(JSON.stringify(denial.Resource)).toContain(':table/sluice-journal"')
  expect(denial.Action).toEqual([
    'dynamodb:BatchWriteItem',
    'dynamodb:DeleteItem',
    'dynamodb:PartiQLDelete',
    'dynamodb:UpdateTimeToLive',
  ])
})

test('there is little else in the stack: secrets of keys are no part of a deployment', () => {
  const keys = { read: { secret: 'team/read-key' } }
  for (const { state } of [templates, synthesizeTemplates({ service: { ...treasury.service, keys } })]) {
    const types = Object.values(state.toJSON().Resources as Record<string, { Type: string }>)
    expect(types.map((resource) => resource.Type).sort()).toEqual([
      'AWS::Backup::BackupPlan',
      'AWS::Backup::BackupSelection',
      'AWS::Backup::BackupVault',
      'AWS::DynamoDB::Table',
      'AWS::IAM::Policy',
      'AWS::IAM::Role',
      'AWS::IAM::Role',
    ])
  }
})

test('a role whose name is the account’s keeps an environment in one region, and may do nothing', () => {
  templates.state.hasResourceProperties('AWS::IAM::Role', {
    RoleName: 'sluice-home',
    ManagedPolicyArns: Match.absent(),
    Policies: Match.absent(),
  })
  const roles = Object.entries(templates.state.findResources('AWS::IAM::Role'))
  const [home] = roles.flatMap(([id, { Properties }]) => (Properties.RoleName === 'sluice-home' ? [id] : []))
  const policies = Object.values(templates.state.findResources('AWS::IAM::Policy'))
  expect(policies.flatMap(({ Properties }) => Properties.Roles)).not.toContainEqual({ Ref: home })
  // A table that was made first would be left behind where the name of the role is taken.
  templates.state.hasResource('AWS::DynamoDB::Table', { DependsOn: [home] })
})

test('a deployment takes over a journal that was left, and nothing else that has its name', () => {
  const imported = Object.values(templates).flatMap((template) =>
    Object.values(template.toJSON().Resources as Record<string, Resource>).flatMap(
      ({ DeletionPolicy = '', Properties = {}, Type }) => {
        const { name } = kindOf(Type)
        return name !== undefined && typeof Properties[name] === 'string' && DeletionPolicy.startsWith('Retain')
          ? [`${Type} ${Properties[name]}`]
          : []
      },
    ),
  )
  // Not the home role: CloudFormation of a second region would take it away from the first.
  expect(imported).toEqual(['AWS::DynamoDB::Table sluice-journal', 'AWS::Backup::BackupVault sluice-journal-backups'])
})

interface Resource {
  readonly Type: string
  readonly DeletionPolicy?: string
  readonly Properties?: Readonly<Record<string, unknown>>
}

test('the journal is backed up every day into a vault that outlives the stack, and copied where treasury.json says so', () => {
  const ruleOf = (each: Templates) => {
    const [plan] = Object.values(each.state.findResources('AWS::Backup::BackupPlan'))
    return plan?.Properties.BackupPlan.BackupPlanRule[0]
  }
  expect(ruleOf(templates)).toMatchObject({
    ScheduleExpression: 'cron(0 3 * * ? *)',
    Lifecycle: { DeleteAfterDays: 365 },
  })
  expect(ruleOf(templates)).not.toHaveProperty('CopyActions')
  const [copy] = ruleOf(synthesizeTemplates({ journal: { copyRegion: 'eu-central-1' } })).CopyActions
  expect(JSON.stringify(copy)).toContain(':backup:eu-central-1:')
  expect(JSON.stringify(copy)).toContain(':backup-vault:sluice-journal-backups')
  templates.state.hasResource('AWS::Backup::BackupVault', {
    DeletionPolicy: 'RetainExceptOnCreate',
    UpdateReplacePolicy: 'Retain',
  })
})

test('no stack exports a value: what another one imports could not change any more', () => {
  for (const template of Object.values(templates)) {
    const outputs = Object.values((template.toJSON().Outputs ?? {}) as Record<string, { Export?: unknown }>)
    expect(outputs.filter((output) => output.Export !== undefined)).toEqual([])
    expect(JSON.stringify(template.toJSON())).not.toContain('Fn::ImportValue')
  }
})

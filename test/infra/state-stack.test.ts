// No policy of the account allows anybody to delete a record, and the journal outlives its stack.
import { join } from 'node:path'
import {
  App,
  CliCredentialsStackSynthesizer,
  DefaultStackSynthesizer,
  type IReusableStackSynthesizer,
  type StackSynthesizer,
} from 'aws-cdk-lib'
import { Match, Template } from 'aws-cdk-lib/assertions'
import { beforeAll, expect, test } from 'vitest'
import {
  ASKED_AT_KEY,
  ASKED_INDEX,
  ASKED_KEY,
  LISTED_INDEX,
  LISTED_KEY,
  RECORD_KEY,
} from '../../core/contract/records.ts'
import type { TreasuryInput } from '../../core/contract/treasury.ts'
import { BUNDLES_CONTEXT, Sluice } from '../../infra/sluice.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { kindOf } from '../updates/resource-kinds.ts'
import { buildApp, stackOf, synthesizeTemplates, type Templates, treasury } from './assembly.ts'

let templates: Templates
beforeAll(() => {
  templates = synthesizeTemplates()
})

test('the journal is protected, retained, restorable, and billed by use', () => {
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
      // An expired record would be a forgotten intent.
      TimeToLiveSpecification: Match.absent(),
    },
    // A failed first creation leaves nothing that would block the next.
    DeletionPolicy: 'RetainExceptOnCreate',
    UpdateReplacePolicy: 'Retain',
  })
})

const journalPolicyOf = ({ state }: Templates) => {
  const [journal] = Object.values(state.findResources('AWS::DynamoDB::Table'))
  return journal?.Properties.ResourcePolicy.PolicyDocument.Statement ?? []
}

test('nobody deletes a record, whatever a policy allows', () => {
  const [denial] = journalPolicyOf(templates)
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

test("only CloudFormation through the CDK's role, and the role of break-glass, may remove this protection", () => {
  const [, denial, ...others] = journalPolicyOf(synthesizeTemplates({ environment: 'live' }))
  expect(others).toEqual([])
  expect(denial).toMatchObject({ Effect: 'Deny', Principal: { AWS: '*' } })
  expect(JSON.stringify(denial.Resource)).toContain(':table/live-sluice-journal"')
  expect(denial.Action).toEqual(['dynamodb:DeleteResourcePolicy', 'dynamodb:PutResourcePolicy'])
  const [[operator, keys] = [], ...conditions] = Object.entries(denial.Condition)
  expect([operator, conditions]).toEqual(['ArnNotLike', []])
  const roles = (keys as Record<string, unknown[]>)['aws:PrincipalArn']?.map(inPlace)
  expect(roles).toEqual([
    `arn:aws:iam::${PLACE.account}:role/cdk-*-cfn-exec-role-${PLACE.account}-${PLACE.region}`,
    `arn:aws:iam::${PLACE.account}:role/live-sluice-break-glass`,
  ])
  // A deployment that the policy kept out of its own table could never change it again.
  const { synthesizer } = stackOf(buildApp(temporaryFolder()), 'SluiceState')
  const executing = (synthesizer as DefaultStackSynthesizer).cloudFormationExecutionRoleArn
  const [pattern = ''] = roles ?? []
  expect(inPlace(executing.replaceAll('${', '').replaceAll('}', ''))).toMatch(
    new RegExp(`^${pattern.replace('*', '\\w+')}$`),
  )
})

/** The roles that may change the policy, where the app has another synthesizer. */
function deployersBy(synthesizer: StackSynthesizer, deployRoles?: string[]) {
  const folder = temporaryFolder()
  const app = new App({
    ...{ outdir: join(folder, 'cdk.out'), context: { [BUNDLES_CONTEXT]: folder } },
    defaultStackSynthesizer: synthesizer as unknown as IReusableStackSynthesizer,
  })
  const aws = deployRoles === undefined ? undefined : { ...PLACE, deployRoles }
  const given: TreasuryInput = { service: treasury.service, ...(aws && { aws }) }
  const { state } = new Sluice(app, 'Sluice', { treasury: given }).stacks
  const tables = Object.values(Template.fromStack(state).findResources('AWS::DynamoDB::Table'))
  const [, denial] = tables.flatMap(({ Properties }) => Properties.ResourcePolicy.PolicyDocument.Statement)
  return denial.Condition.ArnNotLike['aws:PrincipalArn'].map((role: unknown) =>
    JSON.stringify(role).replaceAll('"', ''),
  )
}

test("a role of CloudFormation's own may change the policy, as the synthesizer or the file names it", () => {
  const own = 'arn:aws:iam::123456789012:role/company/deploys'
  const other = 'arn:aws:iam::123456789012:role/people'
  expect(deployersBy(new DefaultStackSynthesizer({ qualifier: 'corp01' }))).toHaveLength(2)
  expect(deployersBy(new DefaultStackSynthesizer({ cloudFormationExecutionRole: own }), [other])).toEqual(
    expect.arrayContaining([own, other]),
  )
  // CDK's own placeholder, which is no part of a template string here.
  const named = ['arn:aws:iam::', '{AWS::AccountId}:role/deploys'].join('$')
  expect(deployersBy(new DefaultStackSynthesizer({ cloudFormationExecutionRole: named }))).toContain(
    `{Fn::Sub:${named}}`,
  )
})

test('where nobody can know who deploys, the file has to name them', () => {
  const people = 'arn:aws:iam::123456789012:role/people'
  expect(() => deployersBy(new CliCredentialsStackSynthesizer())).toThrow(/aws\.deployRoles/)
  expect(deployersBy(new CliCredentialsStackSynthesizer(), [people])).toContain(people)
})

const PLACE = { account: '123456789012', region: 'eu-west-1' }

/** A text of a template as it is deployed in this place. */
function inPlace(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const parts = /^\{"Fn::Join":\["",(\[.*\])\]\}$/.exec(text)?.[1]
  const joined = parts === undefined ? text : (JSON.parse(parts) as unknown[]).map(wordOf).join('')
  return joined
    .replaceAll('AWS::Partition', 'aws')
    .replaceAll('AWS::AccountId', PLACE.account)
    .replaceAll('AWS::Region', PLACE.region)
}

function wordOf(part: unknown): string {
  return typeof part === 'string' ? part : String((part as { readonly Ref: string }).Ref)
}

test('the stack has little else: secrets of keys are not part of a deployment', () => {
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
      'AWS::KMS::Alias',
      'AWS::KMS::Key',
    ])
  }
})

test('a role with an account-wide name keeps an environment in one region, and has no permissions', () => {
  templates.state.hasResourceProperties('AWS::IAM::Role', {
    RoleName: 'sluice-home',
    ManagedPolicyArns: Match.absent(),
    Policies: Match.absent(),
  })
  const roles = Object.entries(templates.state.findResources('AWS::IAM::Role'))
  const [home] = roles.flatMap(([id, { Properties }]) => (Properties.RoleName === 'sluice-home' ? [id] : []))
  const policies = Object.values(templates.state.findResources('AWS::IAM::Policy'))
  expect(policies.flatMap(({ Properties }) => Properties.Roles)).not.toContainEqual({ Ref: home })
  // A table that was created first would be left behind if the role's name is taken.
  templates.state.hasResource('AWS::DynamoDB::Table', { DependsOn: [home] })
})

test('a deployment takes over a journal that was left, and no other resource with its name', () => {
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
  // The home role is left out, because CloudFormation of a second region would take it from the first.
  // The alias then leads to the key that was left, and old decisions still count.
  expect(imported).toEqual([
    'AWS::DynamoDB::Table sluice-journal',
    'AWS::KMS::Alias alias/sluice-decisions',
    'AWS::Backup::BackupVault sluice-journal-backups',
  ])
})

test('the role of Decide alone may sign with the key of decisions, which outlives the stack, and nobody may give that on', () => {
  const [key] = Object.values(templates.state.findResources('AWS::KMS::Key'))
  expect(key).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' })
  expect(key?.Properties).toMatchObject({ KeySpec: 'ECC_NIST_EDWARDS25519', KeyUsage: 'SIGN_VERIFY' })
  const statements: readonly Record<string, unknown>[] = key?.Properties.KeyPolicy.Statement
  const [administers, signs, verifies] = statements
  expect(statements).toHaveLength(3)
  expect(verifies).toMatchObject({
    Action: 'kms:GetPublicKey',
    Condition: { StringEquals: { 'kms:CallerAccount': { Ref: 'AWS::AccountId' } } },
  })
  expect(signs).toMatchObject({ Action: 'kms:Sign', Effect: 'Allow' })
  const { ArnLike = {} } = (signs?.Condition ?? {}) as { readonly ArnLike?: Readonly<Record<string, unknown[]>> }
  expect(ArnLike['aws:PrincipalArn']?.map((arn) => /:role\/[^"]*/.exec(JSON.stringify(arn))?.[0])).toEqual([
    ':role/sluice-decide',
    ':role/*/sluice-decide',
  ])
  templates.triggers.hasResourceProperties('AWS::IAM::Role', { RoleName: 'sluice-decide' })
  expect(administers?.Action).toEqual(expect.arrayContaining(['kms:PutKeyPolicy', 'kms:ScheduleKeyDeletion']))
  for (const action of ['kms:*', 'kms:Sign', 'kms:Create*', 'kms:CreateGrant', 'kms:Update*', 'kms:UpdateAlias'])
    expect(administers?.Action).not.toContain(action)
})

interface Resource {
  readonly Type: string
  readonly DeletionPolicy?: string
  readonly Properties?: Readonly<Record<string, unknown>>
}

test('the journal is backed up every day into a vault that survives the stack, and copied where treasury.json says', () => {
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

test('the role of backups may copy recovery points into the vault of copies only, and without copies not at all', () => {
  const allowed = (each: Templates) =>
    Object.values(each.state.findResources('AWS::IAM::Policy')).flatMap(({ Properties }) =>
      Properties.PolicyDocument.Statement.filter(({ Action }: { Action: unknown }) =>
        ['backup:CopyFromBackupVault', 'backup:TagResource'].includes(String(Action)),
      ),
    )
  expect(allowed(templates)).toEqual([])
  const [copies, tags] = allowed(synthesizeTemplates({ journal: { copyRegion: 'eu-central-1' } }))
  expect(JSON.stringify(copies.Resource)).toMatch(/:backup:.*:recovery-point:\*.*\/backup\/\*/)
  expect(JSON.stringify(copies.Condition)).toMatch(
    /^{"ForAllValues:ArnEquals":{"backup:CopyTargets":.*:backup:eu-central-1:.*:backup-vault:sluice-journal-backups"\]\]}\]}}$/,
  )
  expect(JSON.stringify(tags.Resource)).toMatch(/:recovery-point:\*.*:backup:eu-central-1:.*:recovery-point:\*/)
})

test('no stack exports a value, because an imported value could not change any more', () => {
  for (const template of Object.values(templates)) {
    const outputs = Object.values((template.toJSON().Outputs ?? {}) as Record<string, { Export?: unknown }>)
    expect(outputs.filter((output) => output.Export !== undefined)).toEqual([])
    expect(JSON.stringify(template.toJSON())).not.toContain('Fn::ImportValue')
  }
})

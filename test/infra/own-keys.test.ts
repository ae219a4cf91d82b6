// Tests customer KMS keys: what they encrypt, and which roles may decrypt through which service.
import type { Template } from 'aws-cdk-lib/assertions'
import { expect, test } from 'vitest'
import { synthesizeTemplates } from './assembly.ts'
import { statementsOf } from './permissions.ts'

const kmsKey = (id: number, region = 'eu-west-1') =>
  `arn:aws:kms:${region}:123456789012:key/1234abcd-12ab-34cd-56ef-12345678900${id}`
const ENCRYPTION = { secrets: kmsKey(1), journal: kmsKey(2), copies: kmsKey(3, 'eu-central-1'), logs: kmsKey(4) }
const NOTICES = [
  { name: 'chat', to: { webhook: { secret: 'chat-address', shape: 'slack' } }, about: ['halted'] },
] as const
const MORE = { webhooks: { signatureHeader: 'X-Signature' }, notices: NOTICES as never }

const plain = synthesizeTemplates(MORE)
const keyed = synthesizeTemplates({ ...MORE, encryption: ENCRYPTION, journal: { copyRegion: 'eu-central-1' } })
const all: readonly Template[] = Object.values(keyed)

interface Statement {
  readonly Action: string | readonly string[]
  readonly Resource: unknown
  readonly Condition?: unknown
}
const propertiesOf = (template: Template, type: string) =>
  Object.values(template.findResources(type)).map(({ Properties }) => Properties)

test("the table is encrypted with the journal's key, and keeps its name and its id", () => {
  keyed.state.hasResourceProperties('AWS::DynamoDB::Table', {
    TableName: 'sluice-journal',
    SSESpecification: { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: ENCRYPTION.journal },
  })
  const idOf = ({ state }: typeof plain) => Object.keys(state.findResources('AWS::DynamoDB::Table'))
  expect(idOf(keyed)).toEqual(idOf(plain))
})

test('backups go to another vault under the key, and the former vault stays', () => {
  const vaults = (templates: typeof plain) => Object.entries(templates.state.findResources('AWS::Backup::BackupVault'))
  const [[before] = ['']] = vaults(plain)
  const [[id, vault] = ['', { Properties: {} }], ...others] = vaults(keyed)
  expect(others).toEqual([])
  expect(id).not.toBe(before)
  expect(vault).toMatchObject({
    Properties: {
      BackupVaultName: `sluice-journal-backups-${ENCRYPTION.journal.slice(-8)}`,
      EncryptionKeyArn: ENCRYPTION.journal,
    },
    DeletionPolicy: 'RetainExceptOnCreate',
    UpdateReplacePolicy: 'Retain',
  })
  const [plan] = propertiesOf(keyed.state, 'AWS::Backup::BackupPlan')
  expect(plan.BackupPlan.BackupPlanRule[0].TargetBackupVault).toEqual({ 'Fn::GetAtt': [id, 'BackupVaultName'] })
  const [copy] = plan.BackupPlan.BackupPlanRule[0].CopyActions
  expect(JSON.stringify(copy)).toContain(`:backup-vault:sluice-journal-backups-${ENCRYPTION.copies.slice(-8)}`)
})

test('AWS Backup may use the keys of the table and of both vaults, and grant them to AWS alone', () => {
  const ofKeys = all.flatMap((template) =>
    propertiesOf(template, 'AWS::IAM::Policy').flatMap(({ PolicyDocument }) =>
      (PolicyDocument.Statement as Statement[]).filter(({ Resource }) =>
        JSON.stringify(Resource).includes(ENCRYPTION.copies),
      ),
    ),
  )
  expect(ofKeys.map(({ Action, Condition, Resource }) => [Resource, [Action].flat(), Condition])).toEqual([
    [
      [ENCRYPTION.copies, ENCRYPTION.journal],
      ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'],
      undefined,
    ],
    [[ENCRYPTION.copies, ENCRYPTION.journal], ['kms:CreateGrant'], { Bool: { 'kms:GrantIsForAWSResource': 'true' } }],
  ])
})

test('every log group is encrypted with the key of logs', () => {
  const groups = all.flatMap((template) => propertiesOf(template, 'AWS::Logs::LogGroup'))
  expect(groups.length).toBeGreaterThan(20)
  expect(groups.filter(({ KmsKeyId }) => KmsKeyId !== ENCRYPTION.logs)).toEqual([])
})

const through = (service: string) => ({ StringEquals: { 'kms:ViaService': `${service}.eu-west-1.amazonaws.com` } })

test('a role may decrypt only through the service whose data it reads', () => {
  const roles = all.flatMap((template) =>
    Object.keys(template.findResources('AWS::IAM::Role')).map((id) => ({ id, may: statementsOf(template, id) })),
  )
  const functions = roles.filter(({ id }) => !id.startsWith('Backups'))
  const asks = (may: readonly Statement[], action: string) => may.some(({ Action }) => [Action].flat().includes(action))
  for (const { id, may } of functions) {
    const decrypts = may.filter(({ Action }) => [Action].flat().some((action) => action.startsWith('kms:Decrypt')))
    const expected = [
      ...(asks(may, 'dynamodb:GetItem') ? [{ on: ENCRYPTION.journal, by: through('dynamodb') }] : []),
      ...(asks(may, 'secretsmanager:GetSecretValue')
        ? [{ on: ENCRYPTION.secrets, by: through('secretsmanager') }]
        : []),
    ]
    expect
      .soft(
        decrypts.map(({ Action }) => Action),
        id,
      )
      .toEqual(expected.map(() => 'kms:Decrypt'))
    const found = decrypts.map(({ Condition, Resource }) => ({ on: Resource, by: Condition }))
    expect.soft(found, id).toEqual(expect.arrayContaining(expected))
  }
  expect(functions.filter(({ may }) => asks(may, 'kms:Decrypt')).length).toBeGreaterThan(15)
})

test('people who read the journal may decrypt it through DynamoDB, including break-glass', () => {
  const policies = propertiesOf(keyed.triggers, 'AWS::IAM::ManagedPolicy')
  expect(policies.map(({ ManagedPolicyName }) => ManagedPolicyName).sort()).toEqual([
    'sluice-approver',
    'sluice-break-glass',
    'sluice-declarer',
    'sluice-operator',
    'sluice-resolver',
    'sluice-resumer',
  ])
  for (const { PolicyDocument } of policies)
    expect(PolicyDocument.Statement).toContainEqual({
      ...{ Effect: 'Allow', Action: 'kms:Decrypt', Resource: ENCRYPTION.journal },
      Condition: through('dynamodb'),
    })
})

test("a deployment creates no key except the alarms' one and that of decisions, and changes the policy of no key", () => {
  const made = all.flatMap((template) => propertiesOf(template, 'AWS::KMS::Key'))
  expect(made.map(({ Description }) => Description)).toEqual([
    'Signs what people decide in Sluice. Without it no approval counts.',
    'Encrypts what alarms of Sluice tell.',
  ])
})

test('without customer keys no template names a key', () => {
  const rest = JSON.stringify([plain.state, plain.workflow, plain.triggers].map((template) => template.toJSON()))
  expect(rest).not.toMatch(/KMSMasterKeyId|EncryptionKeyArn|KmsKeyId|kms:Decrypt/)
})

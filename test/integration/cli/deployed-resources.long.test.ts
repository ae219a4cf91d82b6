// Tests the findings of `doctor --aws` about a deployment besides its service: backups, alarms and their receivers,
// schedules, and the account of its keys. AWS gives arranged answers, and the service is a sandbox.

import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { marshall } from '@aws-sdk/util-dynamodb'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ALARMS } from '../../../core/contract/alarms.ts'
import { decisionKeyPolicy } from '../../../core/contract/decision-key-policy.ts'
import { journalPolicy, type PolicyStatement } from '../../../core/contract/journal-policy.ts'
import { JOURNAL_FORM } from '../../../core/contract/records.ts'
import { ReadBy, secretPolicy } from '../../../core/contract/secret-policy.ts'
import { chained } from '../../../core/journal/record-chain.ts'
import { hashConfiguration, parseTreasury } from '../../../core/treasury/config.ts'
import type { Check } from '../../../operations/doctor/check.ts'
import { digestOf } from '../../../operations/doctor/service-account/service-account-check.ts'
import { USED } from '../../helpers/used-capacity.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { type ArrangedService, startArrangedService } from './arranged-service.ts'
import { type Answers, named, PINNED_PLACE, TOPIC, toldAws, topic } from './reported-aws.ts'

const tell = toldAws()
let service: ArrangedService
let account: string
beforeAll(async () => {
  service = await startArrangedService('deployed resources')
  const { stdout } = await runInProcess(['whoami', '--json', ...service.flags()])
  account = JSON.parse(stdout).account
})
afterAll(() => service.stop())

const HOURLY = {
  kind: 'rebalance',
  weights: { BTC: '0.5', USDC: '0.5' },
  schedule: { expression: 'rate(1 hour)', start: '2026-12-01T00:07:00Z' },
}
const MORNING = {
  kind: 'rebalance',
  weights: { ETH: '0.5', EUR: '0.5' },
  schedule: { expression: 'cron(0 9 ? * MON-FRI *)', timeZone: 'Europe/Madrid' },
}

function fileOf(changes: object = {}): object {
  return {
    environment: 'live',
    aws: PINNED_PLACE,
    service: { url: service.sandbox.baseUrl, stage: 'test' },
    alarms: { topicArn: TOPIC },
    policies: { hourly: HOURLY, morning: MORNING },
    ...changes,
  }
}

function describeAnswer(file: object) {
  const treasury = parseTreasury(JSON.stringify(file))
  const configuration = hashConfiguration(treasury)
  return { body: { outcome: 'DESCRIBED', release: '0.3.0', configuration, treasury, serviceUrl: treasury.service.url } }
}

const alarm = (name: string, changes: object = {}) => ({
  AlarmName: `live-${name}`,
  ActionsEnabled: true,
  AlarmActions: [TOPIC],
  ...changes,
})
const alarms = (changes: Readonly<Record<string, object>> = {}) => ({
  body: { MetricAlarms: ALARMS.map((name) => alarm(name, changes[name])) },
})
/** The actions of alarms in a deployment without a topic in treasury.json. */
const madeTopics = () =>
  Object.fromEntries(ALARMS.map((name) => [name, { AlarmActions: [TOPIC.replace('on-call', 'live-sluice-page')] }]))
const schedule = (changes: object = {}) => ({
  body: {
    State: 'ENABLED',
    ScheduleExpression: 'cron(7 * * * ? *)',
    ScheduleExpressionTimezone: 'UTC',
    ...changes,
  },
})
const listed = (...names: string[]) => ({ body: { Schedules: names.map((Name) => ({ Name, State: 'ENABLED' })) } })
const stored = (pk: string, fields: object) => ({
  body: { ...USED, Item: marshall(chained({ pk, version: 1, format: 1, stamp: 'one', ...fields }, undefined)) },
})
const pinned = (id: string, stage = 'test') => stored('A#account', { account: id, stage })
const verified = () => stored('A#verified', { at: '2026-11-22T09:00:00.000Z' })
const declared = () => stored('A#journal', { tableId: 'table-1', at: '2026-11-22T08:00:00.000Z', form: JOURNAL_FORM })
const backups = (status: string) => ({
  body: {
    ContinuousBackupsDescription: {
      ContinuousBackupsStatus: 'ENABLED',
      PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: status, RecoveryPeriodInDays: 35 },
    },
  },
})
/** A recovery point of the journal that is `hours` old. */
const recoveryPoint = (hours: number, changes: object = {}) => ({
  ResourceArn: 'arn:aws:dynamodb:eu-west-1:123456789012:table/live-sluice-journal',
  Status: 'COMPLETED',
  CreationDate: Date.now() / 1000 - hours * 3600,
  ...changes,
})
const recoveryPoints = (...points: object[]) => ({ body: { RecoveryPoints: points } })
const VAULT = '/backup-vaults/live-sluice-journal-backups'
const vault = (hours: number) => ({ body: { CreationDate: Date.now() / 1000 - hours * 3600 } })
const copied = () => fileOf({ journal: { copyRegion: 'eu-central-1' } })
/** The request of the vault in the region of copies, by the place of its signature. */
const COPIES = 'eu-central-1/backup/aws4_request'
/** The policy of a deployment, with statements changed by `change`. */
const policy = (change: (statements: PolicyStatement[]) => object[] = (statements) => statements) => {
  const { Statement } = journalPolicy({
    ...{ ...PINNED_PLACE, partition: 'aws', rolePath: undefined },
    table: 'live-sluice-journal',
    named: (name) => `live-${name}`,
  })
  return { body: { Policy: JSON.stringify({ Version: '2012-10-17', Statement: change([...Statement]) }) } }
}
const OWN_KEY = 'arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab'
const keyPolicy = () => decisionKeyPolicy({ partition: 'aws', account: PINNED_PLACE.account, environment: 'live' })
const KEY_SECRET = 'live-sluice/service-key'
const SECRET_ARN = `arn:aws:secretsmanager:eu-west-1:123456789012:secret:${KEY_SECRET}-AbCdEf`
/** The policy of `sluice keys protect`, with statements changed by `change`. */
const protection = (change: (statements: PolicyStatement[]) => object[] = (statements) => statements) => {
  const place = { partition: 'aws', account: '123456789012', environment: 'live', rolePath: undefined }
  const { Statement } = secretPolicy(ReadBy.Workflow, place)
  return JSON.stringify({ Version: '2012-10-17', Statement: change([...Statement]) })
}
const journal = (changes: object = {}) => ({
  body: {
    Table: {
      TableStatus: 'ACTIVE',
      TableArn: 'arn:aws:dynamodb:eu-west-1:123456789012:table/live-sluice-journal',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      DeletionProtectionEnabled: true,
      GlobalSecondaryIndexes: [
        { IndexName: 'listed', IndexStatus: 'ACTIVE' },
        { IndexName: 'asked', IndexStatus: 'ACTIVE' },
      ],
      ...changes,
    },
  },
})

/** The home roles of the AWS account: the service account of each environment. */
const homes = (...names: string[]): Answers => {
  const role = (name: string) =>
    `<member><RoleName>${name}</RoleName><Path>/</Path><RoleId>r</RoleId><Arn>arn:aws:iam::1:role/${name}</Arn><CreateDate>2026-01-01T00:00:00Z</CreateDate></member>`
  const digest = digestOf({ account, stage: 'test' })
  return {
    'Action=ListRoles&': {
      body: `<ListRolesResponse><ListRolesResult><Roles>${names.map(role).join('')}</Roles><IsTruncated>false</IsTruncated></ListRolesResult></ListRolesResponse>`,
    },
    'Action=ListRoleTags': {
      body: `<ListRoleTagsResponse><ListRoleTagsResult><Tags><member><Key>sluice:service-account</Key><Value>${digest}</Value></member></Tags><IsTruncated>false</IsTruncated></ListRoleTagsResult></ListRoleTagsResponse>`,
    },
  }
}

/** Who has the policies of people, each by one answer for all of them. */
const peopleOf = (policies: readonly string[], role: string): Answers => ({
  'Action=ListPolicies': {
    body: `<ListPoliciesResponse><ListPoliciesResult><Policies>${policies.map((name) => `<member><PolicyName>${name}</PolicyName><Arn>arn:aws:iam::1:policy/${name}</Arn></member>`).join('')}</Policies><IsTruncated>false</IsTruncated></ListPoliciesResult></ListPoliciesResponse>`,
  },
  'Action=ListEntitiesForPolicy': {
    body: `<ListEntitiesForPolicyResponse><ListEntitiesForPolicyResult><PolicyRoles><member><RoleName>${role}</RoleName><RoleId>r</RoleId></member></PolicyRoles><IsTruncated>false</IsTruncated></ListEntitiesForPolicyResult></ListEntitiesForPolicyResponse>`,
  },
})

/** Records besides the account: the table is the journal, the keys are verified, and no halt or policy has a record. */
const records = (): Answers => ({
  '"S":"A#journal': declared(),
  '"S":"A#verified': verified(),
  '"S":"H#': { body: USED },
  '"S":"T#': { body: USED },
  '"S":"P#': { body: USED },
})

/** A deployment without faults. */
const well = (): Answers => ({
  'DynamoDB_20120810.DescribeTable': journal(),
  'DynamoDB_20120810.DescribeContinuousBackups': backups('ENABLED'),
  'DynamoDB_20120810.GetResourcePolicy': policy(),
  'TrentService.DescribeKey': { body: { KeyMetadata: { Arn: OWN_KEY, KeyState: 'Enabled' } } },
  'TrentService.GetKeyPolicy': { body: { Policy: JSON.stringify(keyPolicy()) } },
  [`${VAULT}/recovery-points`]: recoveryPoints(recoveryPoint(50), recoveryPoint(20), recoveryPoint(44)),
  'DynamoDB_20120810.Query': { body: { ...USED, Items: [], Count: 0 } },
  'DynamoDB_20120810.GetItem': pinned(account),
  'live-sluice-describe': describeAnswer(fileOf()),
  'secretsmanager.GetSecretValue': { body: { SecretString: JSON.stringify(service.sandbox.keys.full) } },
  'secretsmanager.GetResourcePolicy': { body: { ARN: SECRET_ARN, ResourcePolicy: protection() } },
  DescribeAlarms: alarms(),
  'Action=GetTopicAttributes': topic('1'),
  ...homes('live-sluice-home'),
  ...peopleOf(['live-sluice-approver', 'live-sluice-operator', 'sluice-resolver'], 'treasury'),
  '/schedules/hourly?groupName=live-sluice': schedule(),
  '/schedules/morning?groupName=live-sluice': schedule({
    ScheduleExpression: 'cron(0 9 ? * MON-FRI *)',
    ScheduleExpressionTimezone: 'Europe/Madrid',
  }),
  'ScheduleGroup=live-sluice': listed('hourly', 'morning'),
})

async function examined(answers: Answers = {}, file: object = fileOf(), flag = '--probe-signing') {
  tell({ ...records(), ...answers, ...well(), ...answers })
  const config = path.join(service.dir, 'examined.json')
  writeFileSync(config, JSON.stringify(file))
  const { exitCode, stdout } = await runInProcess(['setup', 'doctor', '--aws', flag, '--json', '--config', config])
  return { exitCode, checks: JSON.parse(stdout) as Check[] }
}

test('another environment with the same account at the service keeps the schedules shut', async () => {
  const unknown = {
    '"S":"A#verified': { body: USED },
    'DynamoDB_20120810.GetItem': { body: USED },
    'DynamoDB_20120810.PutItem': named('TestFailed'),
  }
  const answers = { ...unknown, ...homes('live-sluice-home', 'test-sluice-home') }
  const { exitCode, checks } = await examined(answers, fileOf(), '--after-deploy')
  const of = (name: string) => checks.find(({ check }) => check === name)
  expect(exitCode).toBe(1)
  expect(of('service account')?.detail).toContain('the environment test works with the same account at the service')
  expect(of('account of the journal')?.detail).toBe('not verified: service account failed; schedules wait')
})

test('a deployment without faults has no finding', async () => {
  const { exitCode, checks } = await examined()
  expect({ exitCode, unwell: checks.filter(({ status }) => status !== 'ok') }).toEqual({ exitCode: 0, unwell: [] })
  const details = Object.fromEntries(checks.map(({ check, detail }) => [check, detail]))
  expect(details).toMatchObject({
    'journal backups': 'point-in-time recovery is on, 35 days',
    'recovery points': 'the newest in live-sluice-journal-backups is 20 h old',
    'journal policy': 'nobody deletes records; only a deployment and break-glass may change that',
    alarms: `all ${ALARMS.length} are there, and switched on`,
    'topic of alarms': '1 subscribed',
    people: 'operator: role treasury; approver: role treasury',
    schedules: '2 are there, switched on, as the deployed file has them',
    'account of the keys': `${account} (test)`,
    'account of the journal': `${account} (test): schedules start`,
  })
})

interface Finding {
  readonly status: Check['status']
  readonly detail: RegExp
  readonly answers: Answers | (() => Answers)
  readonly file?: (() => object) | undefined
}
const finding =
  (status: Check['status']) =>
  (detail: RegExp, answers: Finding['answers'], file?: () => object): Finding => ({ status, detail, answers, file })
const [ok, warn, fail] = [finding('ok'), finding('warn'), finding('fail')]
/** The deployed file is this one too. */
const deployed = (file: () => object, answers: Answers) => () => ({
  ...answers,
  'live-sluice-describe': describeAnswer(file()),
})
const withoutTopic = () => fileOf({ alarms: undefined })
const ownKey = () => fileOf({ encryption: { journal: OWN_KEY } })
const secretWith = (ResourcePolicy?: string): Answers => ({
  'secretsmanager.GetResourcePolicy': { body: { ARN: SECRET_ARN, ResourcePolicy } },
})
const hourly = (changes: object): Answers => ({ '/schedules/hourly?groupName=live-sluice': schedule(changes) })

/** By check, then by what is arranged. */
const FINDINGS: Readonly<Record<string, Readonly<Record<string, Finding>>>> = {
  'journal table': {
    'a journal that may be deleted': warn(/may be deleted/, {
      'DynamoDB_20120810.DescribeTable': journal({ DeletionProtectionEnabled: false }),
    }),
  },
  people: {
    'a role that may settle doubts and declare movements foreign': warn(
      /^role ops may settle doubts and declare/,
      peopleOf(['live-sluice-resolver', 'live-sluice-declarer'], 'ops'),
    ),
  },
  'recovery points': {
    'the newest is old, beside one that is not done and one of another table': warn(
      /is 37 h old: a backup is made each day/,
      {
        [`${VAULT}/recovery-points`]: recoveryPoints(
          recoveryPoint(37.5),
          recoveryPoint(1, { Status: 'PARTIAL' }),
          recoveryPoint(2, { ResourceArn: 'arn:aws:dynamodb:eu-west-1:123456789012:table/other' }),
        ),
      },
    ),
    'none in an old vault': warn(/^none in live-sluice-journal-backups from the last 14 days$/, {
      ...{ [`${VAULT}/recovery-points`]: recoveryPoints(), [VAULT]: vault(400) },
    }),
    'none in a new vault': ok(/^none yet in live-sluice-journal-backups, which is 3 h old/, {
      ...{ [`${VAULT}/recovery-points`]: recoveryPoints(), [VAULT]: vault(3) },
    }),
  },
  'recovery points in eu-central-1': {
    'a copy that is old': warn(
      /^the newest in live-sluice-journal-backups is 72 h old/,
      deployed(copied, { [COPIES]: recoveryPoints(recoveryPoint(72)) }),
      copied,
    ),
    'a missing vault for copies': warn(
      /^there is no vault live-sluice-journal-backups$/,
      deployed(copied, { [COPIES]: named('ResourceNotFoundException') }),
      copied,
    ),
  },
  'journal backups': {
    'no point-in-time recovery': warn(/recovery of live-sluice-journal is off/, {
      'DynamoDB_20120810.DescribeContinuousBackups': backups('DISABLED'),
    }),
  },
  'journal policy': {
    'none, so that anybody may delete': warn(/^live-sluice-journal has no policy: anybody/, {
      'DynamoDB_20120810.GetResourcePolicy': named('PolicyNotFoundException'),
    }),
    'that of the release before': warn(
      /^the policy of live-sluice-journal lacks ThePolicyStays, as this release has it$/,
      { 'DynamoDB_20120810.GetResourcePolicy': policy((all) => all.slice(0, 1)) },
    ),
    'one that lets others change it': warn(
      /lacks NothingIsForgotten, ThePolicyStays, .* has what this release does not have: NothingIsForgotten, ThePolicyStays$/,
      {
        'DynamoDB_20120810.GetResourcePolicy': policy((all) =>
          all.map((each) => ({ ...each, Condition: { ArnNotLike: { 'aws:PrincipalArn': 'arn:aws:iam::1:role/*' } } })),
        ),
      },
    ),
    'one that says the same in another order': ok(/^nobody deletes records/, {
      'DynamoDB_20120810.GetResourcePolicy': policy((all) =>
        all.toReversed().map((each) => ({ ...each, Principal: '*', Action: each.Action.toReversed() })),
      ),
    }),
    'one that may not be read': warn(/^not known \(AccessDeniedException\)$/, {
      'DynamoDB_20120810.GetResourcePolicy': named('AccessDeniedException'),
    }),
  },
  [`policy of secret ${KEY_SECRET}`]: {
    'none, so that whoever may read secrets reads it': warn(/^it has none: anybody who may read secrets/, secretWith()),
    'that of `keys protect`': ok(/^read by its functions/, secretWith(protection())),
    'one that anybody may take away': warn(
      /^it lacks ThePolicyStays/,
      secretWith(protection((statements) => statements.slice(0, 1))),
    ),
  },
  'encryption of the journal': {
    'another KMS key than the file’s': warn(
      /^under a key of AWS/,
      deployed(ownKey, { 'TrentService.DescribeKey': named('AccessDeniedException') }),
      ownKey,
    ),
  },
  'KMS key of journal': {
    'one of one’s own that is not there': fail(
      /^there is no arn/,
      deployed(ownKey, { 'TrentService.DescribeKey': named('NotFoundException') }),
      ownKey,
    ),
  },
  alarms: {
    'none at all': fail(new RegExp(`none of the ${ALARMS.length}`), { DescribeAlarms: { body: { MetricAlarms: [] } } }),
    'one that is missing': fail(/^missing: live-sluice-convert-failed$/, {
      DescribeAlarms: { body: { MetricAlarms: ALARMS.slice(1).map((name) => alarm(name)) } },
    }),
    'one that is switched off': warn(/switched off: live-sluice-defect$/, {
      DescribeAlarms: alarms({ 'sluice-defect': { ActionsEnabled: false } }),
    }),
    'one without a receiver': warn(/nobody receives them: live-sluice-breaker$/, {
      DescribeAlarms: alarms({ 'sluice-breaker': { AlarmActions: [] } }),
    }),
    'an AWS that does not let in': warn(/AccessDeniedException/, { DescribeAlarms: named('AccessDeniedException') }),
  },
  'topic of alarms': {
    'no subscriber': warn(/nobody has subscribed/, { 'Action=GetTopicAttributes': topic('0') }),
    'no topic': warn(
      /nobody hears them/,
      deployed(withoutTopic, {
        DescribeAlarms: alarms(Object.fromEntries(ALARMS.map((name) => [name, { AlarmActions: [] }]))),
      }),
      withoutTopic,
    ),
  },
  'topic live-sluice-page': {
    'one of the deployment that nobody hears': warn(
      /nobody has subscribed/,
      { DescribeAlarms: alarms(madeTopics()), 'Action=GetTopicAttributes': topic('0') },
      withoutTopic,
    ),
    'a mail address that is not confirmed': warn(
      /2 asked, and nobody has confirmed yet/,
      { DescribeAlarms: alarms(madeTopics()), 'Action=GetTopicAttributes': topic('0', '2') },
      withoutTopic,
    ),
    'one that nobody hears, beside one of treasury.json that somebody does': ok(/alarms.topicArn hears all/, {
      DescribeAlarms: alarms(madeTopics()),
      'TopicArn=arn%3Aaws%3Asns%3Aeu-west-1%3A123456789012%3Alive-sluice': topic('0'),
      'Action=GetTopicAttributes': topic('1'),
    }),
  },
  'schedule hourly': {
    'one that is missing': fail(/none is deployed/, { 'ScheduleGroup=live-sluice': listed('morning') }),
    'one that is switched off': fail(/it is DISABLED/, hourly({ State: 'DISABLED' })),
    'other times': fail(
      /^it ticks at cron\(8 \* \* \* \? \*\) UTC; by the file at cron\(7 \* \* \* \? \*\) UTC$/,
      hourly({ ScheduleExpression: 'cron(8 * * * ? *)' }),
    ),
    'another zone': fail(/Europe\/Madrid; by the file/, hourly({ ScheduleExpressionTimezone: 'Europe/Madrid' })),
  },
  'schedule morning': {
    'a group that is missing': fail(/none is deployed/, {
      'ScheduleGroup=live-sluice': { status: 404, body: { __type: 'ResourceNotFoundException', Message: 'none' } },
    }),
  },
  'schedule former': {
    'one that is not in the deployed file': warn(/no such schedule/, {
      'ScheduleGroup=live-sluice': listed('hourly', 'morning', 'former'),
    }),
  },
  schedules: {
    'those of the deployed file, where the local one has none': ok(/^2 are there/, {}, () => fileOf({ policies: {} })),
  },
  'deployed file': {
    'another file than is deployed': warn(/another than this one/, {}, () => fileOf({ policies: {} })),
  },
  'account of the journal': {
    'none yet': warn(/^not known yet.* schedules wait$/, {
      ...{ '"S":"A#verified': { body: USED }, 'DynamoDB_20120810.GetItem': { body: USED } },
    }),
    'one whose keys nobody has verified': warn(/\(test\), and no key was verified: schedules wait$/, {
      '"S":"A#verified': { body: USED },
    }),
    'a journal that does not answer': warn(/not known \(.*AccessDeniedException/, {
      'DynamoDB_20120810.GetItem': named('AccessDeniedException'),
    }),
  },
  'account of the keys': {
    'another account than the journal’s': fail(
      /is of account .* \(test\), and this journal is of account account-9 \(test\)/,
      { 'DynamoDB_20120810.GetItem': pinned('account-9') },
    ),
    'another stage than the journal’s': fail(/\(live\)$/, () => ({
      'DynamoDB_20120810.GetItem': pinned(account, 'live'),
    })),
  },
  'key to trade': {
    'a secret that is not there': fail(/does not exist or has no value/, {
      'secretsmanager.GetSecretValue': named('ResourceNotFoundException'),
    }),
  },
}

test.each(
  Object.entries(FINDINGS).flatMap(([name, found]) =>
    Object.entries(found).map(([what, each]) => [name, what, each] as const),
  ),
)('%s: %s', async (name, _what, { status, detail, answers, file }) => {
  const { exitCode, checks } = await examined(typeof answers === 'function' ? answers() : answers, file?.())
  const found = checks.filter(({ check }) => check === name)
  expect(found).toEqual([expect.objectContaining({ status, detail: expect.stringMatching(detail) })])
  if (status !== 'ok') expect(found[0]?.next).toMatch(/\w/)
  expect(exitCode).toBe(status === 'fail' ? 1 : 0)
})

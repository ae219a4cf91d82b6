// `doctor --aws --before-deploy`, against an AWS with arranged answers: those of each service, by its protocol.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { journalPolicy } from '../../../core/contract/journal-policy.ts'
import { servicesCheck } from '../../../operations/doctor/before-deploy/place.ts'
import type { Check } from '../../../operations/doctor/check.ts'
import { temporaryFolder } from '../../helpers/folders.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { type Answers, named, PINNED_PLACE, TOPIC, toldAws, topic, WELL } from './reported-aws.ts'

const tell = toldAws()

const homeIn = (region?: string) =>
  `<ListRoleTagsResponse><ListRoleTagsResult><Tags>${region === undefined ? '' : `<member><Key>sluice:region</Key><Value>${region}</Value></member>`}</Tags><IsTruncated>false</IsTruncated></ListRoleTagsResult></ListRoleTagsResponse>`

const roleIn = (rolePath: string) =>
  `<GetRoleResponse><GetRoleResult><Role><Path>${rolePath}</Path></Role></GetRoleResult></GetRoleResponse>`

async function examined(configuration: object = {}) {
  const file = path.join(temporaryFolder(), 'treasury.json')
  const service = { url: 'https://service.example', stage: 'test' }
  writeFileSync(file, JSON.stringify({ service, alarms: { topicArn: TOPIC }, aws: PINNED_PLACE, ...configuration }))
  const { exitCode, stdout } = await runInProcess([
    'setup',
    'doctor',
    '--aws',
    '--before-deploy',
    '--json',
    '--config',
    file,
  ])
  const checks = JSON.parse(stdout) as Check[]
  return { exitCode, of: (name: string) => checks.find(({ check }) => check === name), checks }
}

test('nothing fails in a new, bootstrapped account', async () => {
  tell(WELL)
  const { exitCode, checks, of } = await examined()
  expect(exitCode).toBe(0)
  // A test may not be able to resolve the names of AWS.
  const others = checks.filter(({ check }) => check !== 'services of the region')
  expect(others.filter(({ status }) => status !== 'ok')).toEqual([])
  expect(of('name of the journal')?.detail).toBe('sluice-journal is free: this is a first deployment')
})

test('a bucket of payout files that does not exist fails, before and after a deployment', async () => {
  const missing = { status: 404, body: '<Error><Code>NoSuchBucket</Code></Error>' }
  tell({ '?versioning': missing, '?notification': missing, ...WELL })
  const files = { bucket: 'company-payouts', prefix: 'salaries/' }
  const salaries = { kind: 'payouts', assets: ['EUR'], approval: { above: '0' }, files }
  const { exitCode, of } = await examined({ policies: { salaries } })
  expect(of('payout files company-payouts')?.status).toBe('fail')
  expect(exitCode).not.toBe(0)
})

const GIVEN = { aws: { ...PINNED_PLACE, eventBus: 'company-events', journalTable: 'company-records' } }
const text = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' })
const index = (IndexName: string, ...keys: string[]) => ({
  IndexName,
  KeySchema: keys.map((AttributeName) => ({ AttributeName })),
})
/** A table that the account made for the journal. */
const table = (changes: object = {}): Answers => ({
  'DynamoDB_20120810.DescribeTable': {
    body: {
      Table: {
        ...{ TableStatus: 'ACTIVE', DeletionProtectionEnabled: true, KeySchema: [{ AttributeName: 'pk' }] },
        TableArn: 'arn:aws:dynamodb:eu-west-1:123456789012:table/company-records',
        AttributeDefinitions: ['pk', 'listed', 'asked', 'askedAt'].map(text),
        GlobalSecondaryIndexes: [index('listed', 'listed'), index('asked', 'asked', 'askedAt')],
        ...changes,
      },
    },
  },
})
const backups = (PointInTimeRecoveryStatus: string): Answers => ({
  'DynamoDB_20120810.DescribeContinuousBackups': {
    body: { ContinuousBackupsDescription: { PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus } } },
  },
})
/** Answers about what the account gives, without faults. The parameters of use come before that of the bootstrap. */
const GIVES: Answers = {
  'sluice-use-of-': named('ParameterNotFound'),
  'AWSEvents.DescribeEventBus': { body: { Name: 'company-events' } },
  ...backups('ENABLED'),
  'DynamoDB_20120810.GetResourcePolicy': {
    body: {
      Policy: JSON.stringify(
        journalPolicy({
          ...{ ...PINNED_PLACE, partition: 'aws', rolePath: undefined, table: 'company-records' },
          named: (name) => name,
        }),
      ),
    },
  },
  ...table(),
}

test('a bus and a table of the account that are as they should be are well', async () => {
  tell({ ...GIVES, ...WELL, ...table() })
  const { exitCode, of } = await examined(GIVEN)
  expect(exitCode).toBe(0)
  const names = ['name of the journal', 'journal table', 'journal backups', 'journal policy', 'use of the journal']
  for (const name of [...names, 'event bus', 'use of the bus'])
    expect.soft(of(name), name).toMatchObject({ status: 'ok' })
})

test.each<[string, Answers, string, Check['status'], RegExp]>([
  [
    'a table that is not there',
    { 'DynamoDB_20120810.DescribeTable': named('ResourceNotFoundException') },
    'name of the journal',
    'fail',
    /^company-records does not exist/,
  ],
  [
    'a table with another key',
    table({ KeySchema: [{ AttributeName: 'id' }] }),
    'journal table',
    'fail',
    /another key than pk/,
  ],
  [
    'a table that may be deleted',
    table({ DeletionProtectionEnabled: false }),
    'journal table',
    'fail',
    /may be deleted/,
  ],
  [
    'a table without an index',
    table({ GlobalSecondaryIndexes: [index('listed', 'listed')] }),
    'journal table',
    'fail',
    /lacks the index asked/,
  ],
  [
    'a table with an index of other keys',
    table({ GlobalSecondaryIndexes: [index('listed', 'listed'), index('asked', 'asked')] }),
    'journal table',
    'fail',
    /the index asked with the keys asked; expected asked, askedAt/,
  ],
  [
    'a table with a number as a key',
    table({ AttributeDefinitions: ['pk', 'listed', 'asked'].map(text) }),
    'journal table',
    'fail',
    /another type for the key askedAt/,
  ],
  [
    'a table with replicas',
    table({ Replicas: [{ RegionName: 'eu-central-1' }] }),
    'journal table',
    'fail',
    /replicas in other regions/,
  ],
  ['a table without point-in-time recovery', backups('DISABLED'), 'journal backups', 'fail', /is off/],
  [
    'a table without the policy',
    { 'DynamoDB_20120810.GetResourcePolicy': named('PolicyNotFoundException') },
    'journal policy',
    'warn',
    /has no policy/,
  ],
  [
    'a table that another deployment uses',
    { 'sluice-use-of-journal-company-records': { body: { Parameter: { Value: 'live-SluiceState' } } } },
    'use of the journal',
    'fail',
    /whose stack is live-SluiceState/,
  ],
  [
    'a table that this deployment uses',
    { 'sluice-use-of-journal-company-records': { body: { Parameter: { Value: 'SluiceState' } } } },
    'use of the journal',
    'ok',
    /by this deployment alone/,
  ],
  [
    'a bus that is not there',
    { 'AWSEvents.DescribeEventBus': named('ResourceNotFoundException') },
    'event bus',
    'fail',
    /^company-events does not exist/,
  ],
  [
    'a bus that another deployment uses',
    { 'sluice-use-of-bus-company-events': { body: { Parameter: { Value: 'test-SluiceTriggers' } } } },
    'use of the bus',
    'fail',
    /whose stack is test-SluiceTriggers/,
  ],
])('%s of the account is reported', async (_name, answers, check, status, detail) => {
  tell({ ...answers, ...GIVES, ...WELL, ...GIVES, ...table(), ...answers })
  const { of } = await examined(GIVEN)
  expect(of(check)).toMatchObject({ status, detail: expect.stringMatching(detail) })
})

/** A boundary whose version in force has these statements. */
const boundary = (...statements: readonly object[]): Answers => ({
  'Action=GetPolicyVersion': {
    body: `<GetPolicyVersionResponse><GetPolicyVersionResult><PolicyVersion><Document>${encodeURIComponent(JSON.stringify({ Version: '2012-10-17', Statement: statements }))}</Document></PolicyVersion></GetPolicyVersionResult></GetPolicyVersionResponse>`,
  },
  'Action=GetPolicy': {
    body: '<GetPolicyResponse><GetPolicyResult><Policy><DefaultVersionId>v3</DefaultVersionId></Policy></GetPolicyResult></GetPolicyResponse>',
  },
})
const ALLOWED = { Effect: 'Allow', Action: '*', Resource: '*' }
const BOUNDED = { aws: { ...PINNED_PLACE, permissionsBoundary: 'arn:aws:iam::123456789012:policy/boundary' } }

test('a boundary that allows what roles need, and the path of roles that was deployed, are well', async () => {
  const elsewhere = { StringNotEquals: { 'aws:RequestedRegion': 'eu-west-1' } }
  const policy = boundary(
    ALLOWED,
    { Effect: 'Deny', Action: 'iam:*', Resource: '*' },
    { ...ALLOWED, Effect: 'Deny', Condition: elsewhere },
  )
  tell({ ...policy, ...WELL, 'Action=GetRole': { body: roleIn('/company/') } })
  const { of } = await examined({ aws: { ...BOUNDED.aws, rolePath: '/company/' } })
  expect(of('permissions boundary')).toMatchObject({
    status: 'ok',
    detail: expect.stringMatching(/allows what roles need$/),
  })
  expect(of('path of roles')).toMatchObject({ status: 'ok' })
})

test.each<[string, Answers, Check['status'], RegExp]>([
  [
    'that lacks a service',
    boundary({ ...ALLOWED, Action: undefined, NotAction: ['states:*', 'xray:*'] }),
    'fail',
    /refuses what roles need: states:StartExecution on arn:aws:states:eu-west-1:123456789012:stateMachine:sluice-sweep, .*, and 3 more actions$/,
  ],
  [
    'that allows other resources',
    boundary(
      { ...ALLOWED, Action: '*', Resource: '*' },
      { Effect: 'Deny', Action: 'dynamodb:PutItem', NotResource: 'arn:aws:dynamodb:*:*:table/other-*' },
    ),
    'fail',
    /refuses what roles need: dynamodb:PutItem on arn:aws:dynamodb:eu-west-1:123456789012:table\/sluice-journal$/,
  ],
  [
    'for another region',
    boundary({ ...ALLOWED, Condition: { StringEquals: { 'aws:RequestedRegion': ['us-east-1'] } } }),
    'fail',
    /refuses what roles need: dynamodb:DescribeTable on /,
  ],
  [
    'whose condition nobody knows before',
    boundary({ ...ALLOWED, Condition: { StringEquals: { 'aws:PrincipalTag/team': 'treasury' } } }),
    'warn',
    /boundary decides by aws:PrincipalTag\/team about dynamodb:DescribeTable on /,
  ],
  [
    'that denies one function',
    boundary(ALLOWED, {
      Effect: 'Deny',
      Action: 'lambda:InvokeFunction',
      Resource: 'arn:aws:lambda:*:*:function:sluice-order:*',
    }),
    'fail',
    /refuses what roles need: lambda:InvokeFunction on arn:aws:lambda:eu-west-1:123456789012:function:sluice-order:\*$/,
  ],
  ['without a document', boundary({ Effect: 'Maybe' }), 'warn', /its document cannot be read$/],
])('a boundary %s is reported', async (_what, answers, status, detail) => {
  tell({ ...answers, ...WELL })
  const { of } = await examined(BOUNDED)
  expect(of('permissions boundary')).toMatchObject({ status, detail: expect.stringMatching(detail) })
})

test.each<[string, Answers, object, string, Check['status'], RegExp, string?]>([
  [
    'credentials that are not let in',
    {
      'Action=GetCallerIdentity': {
        status: 403,
        body: '<ErrorResponse><Error><Code>InvalidClientTokenId</Code></Error></ErrorResponse>',
      },
    },
    {},
    'aws credentials',
    'fail',
    /InvalidClientTokenId/,
  ],
  [
    'another account',
    {},
    { aws: { ...PINNED_PLACE, account: '999999999999' } },
    'pinned place',
    'fail',
    /pins 999999999999/,
  ],
  [
    'no bootstrap',
    { 'AmazonSSM.GetParameter': named('ParameterNotFound') },
    {},
    'cdk bootstrap',
    'fail',
    /never bootstrapped/,
  ],
  [
    'an address that is an example',
    {},
    { service: { url: 'https://api.example.com', stage: 'test' } },
    'service address',
    'fail',
    /^api\.example\.com is an example/,
  ],
  [
    'an old bootstrap',
    { 'AmazonSSM.GetParameter': { body: { Parameter: { Value: '3' } } } },
    {},
    'cdk bootstrap',
    'fail',
    /version 3/,
  ],
  [
    'a quota of 10',
    {
      'account-settings': { body: { AccountLimit: { ConcurrentExecutions: 10, UnreservedConcurrentExecutions: 10 } } },
    },
    {},
    'concurrency of Lambda',
    'fail',
    /sluice-throw-switch 5: that is 5 of 10/,
  ],
  [
    'a quota of 10, shared',
    {
      'account-settings': { body: { AccountLimit: { ConcurrentExecutions: 10, UnreservedConcurrentExecutions: 10 } } },
    },
    { concurrency: 'shared', webhooks: {} },
    'concurrency of Lambda',
    'warn',
    /10 of 10/,
  ],
  [
    'a quota that has room for both shares, of which one is taken already',
    {
      'account-settings': { body: { AccountLimit: { ConcurrentExecutions: 60, UnreservedConcurrentExecutions: 20 } } },
      'sluice-throw-switch/concurrency': { body: { ReservedConcurrentExecutions: 5 } },
    },
    { webhooks: {} },
    'concurrency of Lambda',
    'warn',
    /20 of 60/,
  ],
  [
    'a quota that has room for one share alone',
    {
      'account-settings': { body: { AccountLimit: { ConcurrentExecutions: 60, UnreservedConcurrentExecutions: 20 } } },
    },
    { webhooks: {} },
    'concurrency of Lambda',
    'fail',
    /sluice-throw-switch 5, sluice-receive-webhook 10: that is 15 of 20/,
  ],
  [
    'a share that Lambda does not give',
    {
      'account-settings': { body: { AccountLimit: { ConcurrentExecutions: 10, UnreservedConcurrentExecutions: 10 } } },
    },
    { concurrency: 'shared', webhooks: { mostAtOnce: 5 } },
    'concurrency of Lambda',
    'fail',
    /sluice-receive-webhook 5: that is 5 of 10/,
  ],
  [
    'a journal that was left',
    {
      'DynamoDB_20120810.DescribeTable': { body: { Table: { KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }] } } },
      'sluice-describe': { status: 404, body: { __type: 'ResourceNotFoundException' } },
    },
    {},
    'name of the journal',
    'warn',
    /a deleted deployment has left this journal/,
  ],
  [
    'an environment that is in another region',
    { 'Action=ListRoleTags': { body: homeIn('us-east-1') } },
    {},
    'home of the environment',
    'fail',
    /no journal in eu-west-1: this environment is deployed in us-east-1/,
  ],
  [
    'a boundary that nobody made',
    {
      'Action=GetPolicy': {
        status: 404,
        body: '<ErrorResponse><Error><Code>NoSuchEntity</Code></Error></ErrorResponse>',
      },
    },
    { aws: { ...PINNED_PLACE, permissionsBoundary: 'company/boundary' } },
    'permissions boundary',
    'fail',
    /^arn:aws:iam::123456789012:policy\/company\/boundary does not exist/,
  ],
  [
    'another path of roles than the deployed one',
    { 'Action=GetRole': { body: roleIn('/') } },
    { aws: { ...PINNED_PLACE, rolePath: '/company/' } },
    'path of roles',
    'fail',
    /in \/, and treasury.json says \/company\/: IAM moves no role/,
  ],
  [
    'no path of roles any more',
    { 'Action=GetRole': { body: roleIn('/company/') } },
    {},
    'path of roles',
    'fail',
    /in \/company\/, and treasury.json says \//,
  ],
  [
    'an environment that is somewhere else',
    { 'Action=ListRoleTags': { body: homeIn() } },
    {},
    'home of the environment',
    'fail',
    /is deployed in another region/,
  ],
  [
    'a table of others with the name of the journal',
    {
      'DynamoDB_20120810.DescribeTable': { body: { Table: { KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }] } } },
    },
    {},
    'name of the journal',
    'fail',
    /it is no journal/,
  ],
  [
    'a secret in deletion',
    { 'secretsmanager.DescribeSecret': { body: { DeletedDate: 1_790_000_000 } } },
    {},
    'secret sluice/service-key',
    'fail',
    /being deleted, since 2026/,
  ],
  [
    'a topic that is not there',
    {
      'Action=GetTopicAttributes': {
        status: 404,
        body: '<ErrorResponse><Error><Code>NotFound</Code></Error></ErrorResponse>',
      },
    },
    {},
    'topic of alarms',
    'fail',
    /does not exist/,
  ],
  [
    'a topic that nobody hears',
    { 'Action=GetTopicAttributes': topic('0') },
    {},
    'topic of alarms',
    'warn',
    /nobody has subscribed/,
  ],
  [
    'a topic of another region',
    {},
    { aws: undefined, alarms: { topicArn: TOPIC.replace('eu-west-1', 'us-east-1') } },
    'topic of alarms',
    'fail',
    /it is in us-east-1/,
  ],
  [
    'a region without function URLs',
    {},
    { aws: undefined },
    'addresses of functions',
    'fail',
    /^il-central-1 has no function URLs/,
    'il-central-1',
  ],
  [
    'a region that perhaps has none',
    {},
    { aws: undefined },
    'addresses of functions',
    'warn',
    /names eu-south-2/,
    'eu-south-2',
  ],
  [
    'nobody for what is urgent',
    {},
    { alarms: { ticket: ['mailto:a@b.example'] } },
    'topic of alarms',
    'warn',
    /nobody hears what is urgent/,
  ],
  ['no topic', {}, { alarms: undefined }, 'topic of alarms', 'warn', /nobody hears them/],
  [
    'a KMS key of one’s own that is not there',
    { 'TrentService.DescribeKey': named('NotFoundException') },
    { encryption: { journal: 'arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab' } },
    'KMS key of journal',
    'fail',
    /^there is no arn:aws:kms:eu-west-1/,
  ],
])('%s is reported, with what to do', async (_what, answers, configuration, name, status, detail, region) => {
  if (region !== undefined) vi.stubEnv('AWS_REGION', region)
  tell({ ...answers, ...WELL, ...answers })
  const { exitCode, of } = await examined(configuration)
  expect(of(name)).toMatchObject({ status, detail: expect.stringMatching(detail), next: expect.anything() })
  // The topic is in eu-west-1.
  if (region === undefined) expect(exitCode).toBe(status === 'fail' ? 1 : 0)
})

describe('services of the region', () => {
  const place = { account: '123456789012', region: 'xx-moon-1' }
  const without = (gone: RegExp) => (host: string) =>
    gone.test(host) ? Promise.reject(new Error('ENOTFOUND')) : Promise.resolve()

  test('that do not exist are named', async () => {
    expect(await servicesCheck(place, without(/^scheduler\./))).toMatchObject({
      status: 'fail',
      detail: 'xx-moon-1 has no scheduler',
    })
    expect(await servicesCheck(place, without(/nothing/))).toMatchObject({ status: 'ok' })
  })

  test('are not judged without DNS', async () => {
    expect(await servicesCheck(place, without(/./))).toMatchObject({ status: 'warn' })
  })
})

test('--before-deploy is refused without --aws', async () => {
  const { exitCode, stderr } = await runInProcess(['setup', 'doctor', '--before-deploy'])
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('expected --aws beside it'),
  })
})

test('addresses that the deployment subscribes can replace a topic', async () => {
  tell(WELL)
  const { of } = await examined({ alarms: { page: ['mailto:a@b.example'], ticket: ['mailto:c@b.example'] } })
  expect(of('topic of alarms')).toMatchObject({ status: 'ok', detail: 'the deployment subscribes 2 addresses' })
})

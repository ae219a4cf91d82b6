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
const JOURNAL_POLICY = 'DynamoDB_20120810.GetResourcePolicy'
/** Answers about what the account gives, without faults. The parameters of use come before that of the bootstrap. */
const GIVES: Answers = {
  'sluice-use-of-': named('ParameterNotFound'),
  'AWSEvents.DescribeEventBus': { body: { Name: 'company-events' } },
  ...backups('ENABLED'),
  [JOURNAL_POLICY]: {
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

type Given = readonly [what: string, answers: Answers, status: Check['status'], detail: RegExp]
const DESCRIBED = 'DynamoDB_20120810.DescribeTable'
const usedBy = (what: string, stack: string): Answers => ({
  [`sluice-use-of-${what}`]: { body: { Parameter: { Value: stack } } },
})
const columns = (...names: string[]) => table({ AttributeDefinitions: names.map(text) })
const indexes = (...items: object[]) => table({ GlobalSecondaryIndexes: items })

describe.each<[string, readonly Given[]]>([
  [
    'name of the journal',
    [['is not there', { [DESCRIBED]: named('ResourceNotFoundException') }, 'fail', /^company-records does not exist/]],
  ],
  [
    'journal table',
    [
      ['has another key', table({ KeySchema: [{ AttributeName: 'id' }] }), 'fail', /another key than pk/],
      ['may be deleted', table({ DeletionProtectionEnabled: false }), 'fail', /may be deleted/],
      ['lacks an index', indexes(index('listed', 'listed')), 'fail', /lacks the index asked/],
      [
        'has an index of other keys',
        indexes(index('listed', 'listed'), index('asked', 'asked')),
        'fail',
        /the index asked with the keys asked; expected asked, askedAt/,
      ],
      ['has a number as a key', columns('pk', 'listed', 'asked'), 'fail', /another type for the key askedAt/],
      ['has replicas', table({ Replicas: [{ RegionName: 'eu-central-1' }] }), 'fail', /replicas in other regions/],
    ],
  ],
  ['journal backups', [['has no point-in-time recovery', backups('DISABLED'), 'fail', /is off/]]],
  ['journal policy', [['has none', { [JOURNAL_POLICY]: named('PolicyNotFoundException') }, 'warn', /has no policy/]]],
  [
    'use of the journal',
    [
      [
        'is another’s',
        usedBy('journal-company-records', 'live-SluiceState'),
        'fail',
        /whose stack is live-SluiceState/,
      ],
      ['is its own', usedBy('journal-company-records', 'SluiceState'), 'ok', /by this deployment alone/],
    ],
  ],
  [
    'event bus',
    [
      [
        'is not there',
        { 'AWSEvents.DescribeEventBus': named('ResourceNotFoundException') },
        'fail',
        /^company-events does not exist/,
      ],
    ],
  ],
  [
    'use of the bus',
    [
      [
        'is another’s',
        usedBy('bus-company-events', 'test-SluiceTriggers'),
        'fail',
        /whose stack is test-SluiceTriggers/,
      ],
    ],
  ],
])('of what the account gives: %s', (check, rows) => {
  test.each(rows)('%s', async (_what, answers, status, detail) => {
    tell({ ...answers, ...GIVES, ...WELL, ...GIVES, ...table(), ...answers })
    const { of } = await examined(GIVEN)
    expect(of(check)).toMatchObject({ status, detail: expect.stringMatching(detail) })
  })
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

interface Finding {
  readonly status: Check['status']
  readonly detail: RegExp
  readonly answers: Answers
  readonly configuration: object
  readonly region?: string | undefined
}
const finding =
  (status: Check['status']) =>
  (detail: RegExp, answers: Answers, configuration: object = {}, region?: string): Finding => ({
    ...{ status, detail, answers, configuration, region },
  })
const [warn, fail] = [finding('warn'), finding('fail')]
const quota = (ConcurrentExecutions: number, UnreservedConcurrentExecutions: number): Answers => ({
  'account-settings': { body: { AccountLimit: { ConcurrentExecutions, UnreservedConcurrentExecutions } } },
})
const bootstrap = (Value: string): Answers => ({ 'AmazonSSM.GetParameter': { body: { Parameter: { Value } } } })
const refused = (action: string, code: string, status = 404): Answers => ({
  [`Action=${action}`]: { status, body: `<ErrorResponse><Error><Code>${code}</Code></Error></ErrorResponse>` },
})
const keyed = (AttributeName: string): Answers => ({
  [DESCRIBED]: { body: { Table: { KeySchema: [{ AttributeName, KeyType: 'HASH' }] } } },
})
const home = (region?: string): Answers => ({ 'Action=ListRoleTags': { body: homeIn(region) } })
const deployedRoles = (rolePath: string): Answers => ({ 'Action=GetRole': { body: roleIn(rolePath) } })
const inPlace = (aws: object) => ({ aws: { ...PINNED_PLACE, ...aws } })

/** By check, then by what is arranged. */
const FINDINGS: Readonly<Record<string, Readonly<Record<string, Finding>>>> = {
  'aws credentials': {
    'not let in': fail(/InvalidClientTokenId/, refused('GetCallerIdentity', 'InvalidClientTokenId', 403)),
  },
  'pinned place': { 'another account': fail(/pins 999999999999/, {}, inPlace({ account: '999999999999' })) },
  'cdk bootstrap': {
    none: fail(/never bootstrapped/, { 'AmazonSSM.GetParameter': named('ParameterNotFound') }),
    'an old one': fail(/version 3/, bootstrap('3')),
  },
  'service address': {
    'an example': fail(
      /^api\.example\.com is an example/,
      {},
      { service: { url: 'https://api.example.com', stage: 'test' } },
    ),
  },
  'concurrency of Lambda': {
    'a quota of 10': fail(/sluice-throw-switch 5: that is 5 of 10/, quota(10, 10)),
    'a quota of 10, shared': warn(/10 of 10/, quota(10, 10), { concurrency: 'shared', webhooks: {} }),
    'room for both shares, of which one is taken already': warn(
      /20 of 60/,
      { ...quota(60, 20), 'sluice-throw-switch/concurrency': { body: { ReservedConcurrentExecutions: 5 } } },
      { webhooks: {} },
    ),
    'room for one share alone': fail(
      /sluice-throw-switch 5, sluice-receive-webhook 10: that is 15 of 20/,
      quota(60, 20),
      { webhooks: {} },
    ),
    'a share that Lambda does not give': fail(/sluice-receive-webhook 5: that is 5 of 10/, quota(10, 10), {
      ...{ concurrency: 'shared', webhooks: { mostAtOnce: 5 } },
    }),
  },
  'name of the journal': {
    'a journal that was left': warn(/a deleted deployment has left this journal/, {
      ...keyed('pk'),
      'sluice-describe': { status: 404, body: { __type: 'ResourceNotFoundException' } },
    }),
    'a table of others': fail(/it is no journal/, keyed('id')),
  },
  'home of the environment': {
    'another region': fail(/no journal in eu-west-1: this environment is deployed in us-east-1/, home('us-east-1')),
    'somewhere else': fail(/is deployed in another region/, home()),
  },
  'permissions boundary': {
    'one that nobody made': fail(
      /^arn:aws:iam::123456789012:policy\/company\/boundary does not exist/,
      refused('GetPolicy', 'NoSuchEntity'),
      inPlace({ permissionsBoundary: 'company/boundary' }),
    ),
  },
  'path of roles': {
    'another than the deployed one': fail(
      /in \/, and treasury.json says \/company\/: IAM moves no role/,
      deployedRoles('/'),
      inPlace({ rolePath: '/company/' }),
    ),
    'none any more': fail(/in \/company\/, and treasury.json says \//, deployedRoles('/company/')),
  },
  'secret sluice/service-key': {
    'in deletion': fail(/being deleted, since 2026/, {
      'secretsmanager.DescribeSecret': { body: { DeletedDate: 1_790_000_000 } },
    }),
  },
  'topic of alarms': {
    'not there': fail(/does not exist/, refused('GetTopicAttributes', 'NotFound')),
    'one that nobody hears': warn(/nobody has subscribed/, { 'Action=GetTopicAttributes': topic('0') }),
    'one of another region': fail(
      /it is in us-east-1/,
      {},
      { aws: undefined, alarms: { topicArn: TOPIC.replace('eu-west-1', 'us-east-1') } },
    ),
    'nobody for what is urgent': warn(
      /nobody hears what is urgent/,
      {},
      { alarms: { ticket: ['mailto:a@b.example'] } },
    ),
    none: warn(/nobody hears them/, {}, { alarms: undefined }),
  },
  'addresses of functions': {
    'a region without function URLs': fail(
      /^il-central-1 has no function URLs/,
      {},
      { aws: undefined },
      'il-central-1',
    ),
    'a region that perhaps has none': warn(/names eu-south-2/, {}, { aws: undefined }, 'eu-south-2'),
  },
  'KMS key of journal': {
    'one of one’s own that is not there': fail(
      /^there is no arn:aws:kms:eu-west-1/,
      { 'TrentService.DescribeKey': named('NotFoundException') },
      { encryption: { journal: 'arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab' } },
    ),
  },
}

test.each(
  Object.entries(FINDINGS).flatMap(([name, found]) =>
    Object.entries(found).map(([what, each]) => [name, what, each] as const),
  ),
)('%s: %s, reported with what to do', async (name, _what, { status, detail, answers, configuration, region }) => {
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

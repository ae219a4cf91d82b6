// `doctor --aws --before-deploy`, against an AWS that answers as it is told: what each service would say, by its protocol.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { servicesCheck } from '../../../cli/doctor/before-deploy/place.ts'
import type { Check } from '../../../cli/doctor/check.ts'
import { type LocalServer, startLocalServer } from '../../helpers/local-server.ts'
import { temporaryFolder } from '../../infra/assembly.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'

interface Answer {
  readonly status?: number
  /** An object is JSON, and a text XML. */
  readonly body: unknown
}

const named = (type: string): Answer => ({ status: 400, body: { __type: type, message: 'as it is told' } })
const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:on-call'
const policy = JSON.stringify({ Statement: [{ Principal: { Service: 'cloudwatch.amazonaws.com' } }] })
const entry = (key: string, value: string) =>
  `<entry><key>${key}</key><value>${value.replaceAll('"', '&quot;')}</value></entry>`
const topic = (subscribed: string) =>
  `<GetTopicAttributesResponse><GetTopicAttributesResult><Attributes>${entry('Policy', policy)}${entry('SubscriptionsConfirmed', subscribed)}</Attributes></GetTopicAttributesResult></GetTopicAttributesResponse>`

const homeIn = (region?: string) =>
  `<ListRoleTagsResponse><ListRoleTagsResult><Tags>${region === undefined ? '' : `<member><Key>sluice:region</Key><Value>${region}</Value></member>`}</Tags><IsTruncated>false</IsTruncated></ListRoleTagsResult></ListRoleTagsResponse>`

/** A new account in which everything is as it should be, by what tells one request from another. */
const WELL: Readonly<Record<string, Answer>> = {
  'Action=GetCallerIdentity': {
    body: '<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>arn:aws:iam::123456789012:user/ada</Arn><Account>123456789012</Account></GetCallerIdentityResult></GetCallerIdentityResponse>',
  },
  'AmazonSSM.GetParameter': { body: { Parameter: { Value: '21' } } },
  'account-settings': { body: { AccountLimit: { ConcurrentExecutions: 1000, UnreservedConcurrentExecutions: 1000 } } },
  'DynamoDB_20120810.DescribeTable': named('ResourceNotFoundException'),
  'secretsmanager.DescribeSecret': named('ResourceNotFoundException'),
  'Action=ListRoleTags': {
    status: 404,
    body: '<ErrorResponse><Error><Code>NoSuchEntity</Code></Error></ErrorResponse>',
  },
  'Action=GetTopicAttributes': { body: topic('2') },
}

let server: LocalServer
let answers: Readonly<Record<string, Answer>>
beforeEach(async () => {
  answers = WELL
  server = await startLocalServer((request, response) => {
    const asked = `${request.headers['x-amz-target'] ?? ''} ${request.target} ${request.body.toString()}`
    const found =
      Object.entries(answers).find(([part]) => asked.includes(part))?.[1] ?? named('UnknownOperationException')
    response.writeHead(found.status ?? 200, { 'content-type': 'application/x-amz-json-1.1' })
    response.end(typeof found.body === 'string' ? found.body : JSON.stringify(found.body))
  })
  vi.stubEnv('AWS_ENDPOINT_URL', server.baseUrl)
  vi.stubEnv('AWS_REGION', 'eu-west-1')
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIATEST')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await server.stop()
})

async function examined(configuration: object = {}) {
  const file = path.join(temporaryFolder(), 'treasury.json')
  const service = { url: 'https://service.example', stage: 'test' }
  writeFileSync(file, JSON.stringify({ service, alarms: { topicArn: TOPIC }, aws: PINNED, ...configuration }))
  const { exitCode, stdout } = await runInProcess(['doctor', '--aws', '--before-deploy', '--json', '--config', file])
  const checks = JSON.parse(stdout) as Check[]
  return { exitCode, of: (name: string) => checks.find(({ check }) => check === name), checks }
}

const PINNED = { account: '123456789012', region: 'eu-west-1' }

test('nothing fails in a new account that is bootstrapped', async () => {
  const { exitCode, checks, of } = await examined()
  expect(exitCode).toBe(0)
  // The names of AWS may be out of reach of a test.
  const others = checks.filter(({ check }) => check !== 'services of the region')
  expect(others.filter(({ status }) => status !== 'ok')).toEqual([])
  expect(of('name of the journal')?.detail).toBe('sluice-journal is free: this is a first deployment')
})

test.each<[string, Readonly<Record<string, Answer>>, object, string, Check['status'], RegExp, string?]>([
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
  ['another account', {}, { aws: { ...PINNED, account: '999999999999' } }, 'pinned place', 'fail', /pins 999999999999/],
  [
    'no bootstrap',
    { 'AmazonSSM.GetParameter': named('ParameterNotFound') },
    {},
    'cdk bootstrap',
    'fail',
    /never bootstrapped/,
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
    'warn',
    /10 of 10/,
  ],
  [
    'a share that Lambda does not give',
    {
      'account-settings': { body: { AccountLimit: { ConcurrentExecutions: 10, UnreservedConcurrentExecutions: 10 } } },
    },
    { webhooks: { mostAtOnce: 5 } },
    'concurrency of Lambda',
    'fail',
    /takes 5 of 10/,
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
    /a journal that one has left/,
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
    { 'Action=GetTopicAttributes': { body: topic('0') } },
    {},
    'topic of alarms',
    'warn',
    /nobody has subscribed/,
  ],
  [
    'a topic of another region',
    {},
    { alarms: { topicArn: TOPIC.replace('eu-west-1', 'us-east-1') } },
    'topic of alarms',
    'fail',
    /it is in us-east-1/,
  ],
  [
    'webhooks in a region without function URLs',
    {},
    { aws: undefined, webhooks: {} },
    'address of webhooks',
    'fail',
    /^il-central-1 has no function URLs/,
    'il-central-1',
  ],
  [
    'webhooks in a region that perhaps has none',
    {},
    { aws: undefined, webhooks: {} },
    'address of webhooks',
    'warn',
    /names eu-south-2/,
    'eu-south-2',
  ],
  ['no topic', {}, { alarms: undefined }, 'topic of alarms', 'warn', /nobody hears them/],
])('%s is told, with what to do', async (_what, told, configuration, name, status, detail, region) => {
  if (region !== undefined) vi.stubEnv('AWS_REGION', region)
  answers = { ...told, ...WELL, ...told }
  const { exitCode, of } = await examined(configuration)
  expect(of(name)).toMatchObject({ status, detail: expect.stringMatching(detail), next: expect.stringMatching(/\w/) })
  // The topic is in eu-west-1.
  if (region === undefined) expect(exitCode).toBe(status === 'fail' ? 1 : 0)
})

test('without webhooks no function URL is asked for', async () => {
  const { of } = await examined()
  expect(of('address of webhooks')).toBeUndefined()
})

describe('services of the region', () => {
  const place = { account: '123456789012', region: 'xx-moon-1' }
  const without = (gone: RegExp) => (host: string) =>
    gone.test(host) ? Promise.reject(new Error('ENOTFOUND')) : Promise.resolve()

  test('that are missing are named', async () => {
    expect(await servicesCheck(place, without(/^scheduler\./))).toMatchObject({
      status: 'fail',
      detail: 'xx-moon-1 has no scheduler',
    })
    expect(await servicesCheck(place, without(/nothing/))).toMatchObject({ status: 'ok' })
  })

  test('are not judged without a name service', async () => {
    expect(await servicesCheck(place, without(/./))).toMatchObject({ status: 'warn' })
  })
})

test('it is for AWS only', async () => {
  const { exitCode, stderr } = await runInProcess(['doctor', '--before-deploy'])
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('expected --aws beside it'),
  })
})

// The network of functions in `doctor --aws --before-deploy`, against an EC2 with arranged answers in its own protocol.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parseTreasury } from '../../../core/treasury/config.ts'
import { networkChecks } from '../../../operations/doctor/before-deploy/network/network-checks.ts'
import { temporaryFolder } from '../../helpers/folders.ts'
import { makeAuthority } from '../../helpers/self-signed.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { type Answers, PINNED_PLACE, toldAws } from './reported-aws.ts'

const tell = toldAws()

const [VPC, A, B, GROUP] = ['vpc-0123456789abcdef0', 'subnet-0000000a', 'subnet-0000000b', 'sg-0123456789abcdef0']
const NOW = Date.parse('2026-11-27T00:00:00Z')

type Item = Readonly<Record<string, unknown>>
/** A list of EC2: an element with an `item` for each entry. */
const xml = (value: unknown): string => {
  if (Array.isArray(value)) return value.map((each) => `<item>${xml(each)}</item>`).join('')
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([name, inner]) => `<${name}>${xml(inner)}</${name}>`)
    .join('')
}
const answer = (action: string, set: string, items: readonly Item[]): Answers => ({
  [`Action=${action}`]: { body: `<${action}Response><${set}>${xml(items)}</${set}></${action}Response>` },
})

const subnets = (...items: readonly Item[]) => answer('DescribeSubnets', 'subnetSet', items)
const subnet = (subnetId: string, availabilityZone: string, vpcId = VPC, cidrBlock = '10.0.1.0/24') => ({
  ...{ subnetId, vpcId, availabilityZone, cidrBlock },
})
const BOTH = subnets(subnet(A, 'eu-west-1a'), subnet(B, 'eu-west-1b'))

const LOCAL = { destinationCidrBlock: '10.0.0.0/16', gatewayId: 'local', state: 'active' }
/** The main table of the VPC, and its default route to `target`. */
const routes = (target: Item | undefined, more: readonly Item[] = []) =>
  answer('DescribeRouteTables', 'routeTableSet', [
    {
      routeTableId: 'rtb-1',
      associationSet: [{ main: true }],
      routeSet: [
        LOCAL,
        ...(target === undefined ? [] : [{ destinationCidrBlock: '0.0.0.0/0', state: 'active', ...target }]),
      ],
    },
    ...more,
  ])
const nat = (natGatewayId: string, publicIp: string, state = 'available') => ({
  ...{ natGatewayId, state, natGatewayAddressSet: [{ publicIp }] },
})
const gateways = (...items: readonly Item[]) => answer('DescribeNatGateways', 'natGatewaySet', items)
const endpoints = (...items: readonly Item[]) => answer('DescribeVpcEndpoints', 'vpcEndpointSet', items)
const endpoint = (name: string, more: Item = {}) => ({
  ...{ vpcEndpointId: `vpce-${name}`, vpcEndpointType: 'Interface', serviceName: `com.amazonaws.eu-west-1.${name}` },
  ...{ state: 'available', privateDnsEnabled: true, ...more },
})
const DYNAMODB = endpoint('dynamodb', {
  ...{ vpcEndpointType: 'Gateway', privateDnsEnabled: false, routeTableIdSet: ['rtb-1'] },
})
const ALL = ['events', 'kms', 'secretsmanager', 'states', 'sts'].map((name) => endpoint(name))
const groups = (...items: readonly Item[]) => answer('DescribeSecurityGroups', 'securityGroupInfo', items)
const group = (rule: Item, vpcId = VPC) => ({ groupId: GROUP, vpcId, ipPermissionsEgress: [rule] })
const to = (fromPort: number, toPort = fromPort) => ({
  ...{ ipProtocol: 'tcp', fromPort, toPort, ipRanges: [{ cidrIp: '0.0.0.0/0' }] },
})

/** Two subnets that send to one NAT gateway, without endpoints. */
const WELL: Answers = {
  ...BOTH,
  ...routes({ natGatewayId: 'nat-1' }),
  ...gateways(nat('nat-1', '203.0.113.7')),
  ...endpoints(),
  ...groups(group(to(443))),
}

const service = { url: 'https://service.example', stage: 'test' }
const vpc = { id: VPC, subnets: [A, B], securityGroups: [GROUP] }
const fileWith = (aws: object, more: object = {}) => ({ service, aws: { ...PINNED_PLACE, vpc, ...aws }, ...more })

async function checked(answers: Answers, file: object = fileWith({})) {
  tell({ ...answers, ...WELL, ...answers })
  const checks = await networkChecks(parseTreasury(JSON.stringify(file)), PINNED_PLACE, NOW)
  return { checks, of: (name: string) => checks.find(({ check }) => check === name) }
}

const WAY = 'way of functions to the service'
const AWS_WAY = 'way of functions to AWS'
const GROUPS = 'security groups of functions'
const SUBNETS = 'subnets of functions'
const ADDRESS = 'address of functions'

test('two subnets behind a NAT gateway are in order, and its address is for the allow-list of the service', async () => {
  const { checks, of } = await checked({})
  expect(checks.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok'])
  expect(of(WAY)?.detail).toBe(`${A} sends to nat-1; ${B} sends to nat-1`)
  expect(of(ADDRESS)?.detail).toBe('service.example sees 203.0.113.7: name each in the allow-list of the service')
  expect(of(AWS_WAY)?.detail).toBe('by the internet: dynamodb, events, secretsmanager, states, sts, kms')
})

test.each<[string, Answers, string, 'warn' | 'fail', RegExp]>([
  [
    'a subnet that does not exist',
    subnets(subnet(A, 'eu-west-1a')),
    SUBNETS,
    'fail',
    /^eu-west-1 has no subnet-0000000b$/,
  ],
  [
    'a subnet of another VPC',
    subnets(subnet(A, 'a'), subnet(B, 'b', 'vpc-2')),
    SUBNETS,
    'fail',
    /^subnet-0000000b is in vpc-2, and not in vpc-/,
  ],
  ['subnets of one zone', subnets(subnet(A, 'a'), subnet(B, 'a')), SUBNETS, 'warn', /in a$/],
  [
    'no default route',
    routes(undefined),
    WAY,
    'fail',
    /subnet-0000000a has no default route; .*: functions do not reach service\.example/,
  ],
  [
    'an internet gateway',
    routes({ gatewayId: 'igw-1' }),
    WAY,
    'fail',
    /igw-1, an internet gateway: functions have no public address/,
  ],
  [
    'a route to something that is gone',
    routes({ natGatewayId: 'nat-1', state: 'blackhole' }),
    WAY,
    'fail',
    /nat-1, which is gone/,
  ],
  [
    'a NAT gateway that failed',
    gateways(nat('nat-1', '203.0.113.7', 'failed')),
    WAY,
    'fail',
    /nat-1, whose state is failed/,
  ],
  ['a transit gateway', routes({ transitGatewayId: 'tgw-1' }), WAY, 'warn', /sends to tgw-1; .* is not known/],
  [
    'a table of its own without a default route, beside a main one with it',
    routes({ natGatewayId: 'nat-1' }, [
      { routeTableId: 'rtb-2', associationSet: [{ main: false, subnetId: B }], routeSet: [LOCAL] },
    ]),
    WAY,
    'fail',
    /^subnet-0000000b has no default route: /,
  ],
  ['a group that lets only port 80 out', groups(group(to(80))), GROUPS, 'fail', /no rule lets TCP out to port 443$/],
  ['a group of another VPC', groups(group(to(443), 'vpc-2')), GROUPS, 'fail', /sg-0123456789abcdef0 is in vpc-2/],
  ['a group that does not exist', groups(), GROUPS, 'fail', /does not exist/],
  [
    'an endpoint without private DNS',
    endpoints(endpoint('states', { privateDnsEnabled: false })),
    AWS_WAY,
    'warn',
    /states: vpce-states has no private DNS$/,
  ],
])('%s is reported, with what to do', async (_what, answers, name, status, detail) => {
  const { of } = await checked(answers)
  expect(of(name)).toMatchObject({ status, detail: expect.stringMatching(detail), next: expect.anything() })
})

test.each([
  ['every port', to(0, 65_535)],
  ['every protocol', { ipProtocol: '-1', ipRanges: [{ cidrIp: '0.0.0.0/0' }] }],
  ['another group', { ipProtocol: 'tcp', fromPort: 443, toPort: 443, groups: [{ groupId: 'sg-2' }] }],
])('a group that lets out to %s is in order', async (_what, rule) => {
  expect((await checked(groups(group(rule)))).of(GROUPS)?.status).toBe('ok')
})

test('without a way to the internet, every service of AWS needs an endpoint, and the missing ones are named', async () => {
  const { of } = await checked({ ...routes(undefined), ...endpoints(DYNAMODB, endpoint('states')) })
  expect(of(AWS_WAY)).toMatchObject({
    status: 'fail',
    detail: 'functions do not reach events, secretsmanager, sts, kms',
    next: 'a NAT gateway, or endpoints in the VPC: com.amazonaws.eu-west-1.events, com.amazonaws.eu-west-1.secretsmanager, com.amazonaws.eu-west-1.sts, com.amazonaws.eu-west-1.kms',
  })
  expect((await checked({ ...routes(undefined), ...endpoints(DYNAMODB, ...ALL) })).of(AWS_WAY)).toMatchObject({
    status: 'ok',
    detail: 'by endpoints of the VPC: dynamodb, events, secretsmanager, states, sts, kms',
  })
})

/** All endpoints, of which that of `states` has a group with this rule for what comes in. */
const guarded = (rule: Item, subnetsThere: Answers = BOTH): Answers => ({
  ...subnetsThere,
  ...endpoints(
    DYNAMODB,
    ...ALL.filter(({ vpcEndpointId }) => vpcEndpointId !== 'vpce-states'),
    endpoint('states', { groupSet: [{ groupId: 'sg-endpoint' }] }),
  ),
  ...groups({ ...group(to(443)) }, { groupId: 'sg-endpoint', vpcId: VPC, ipPermissions: [rule] }),
})
const from = (...ranges: readonly string[]) => ({ ...to(443), ipRanges: ranges.map((cidrIp) => ({ cidrIp })) })

test.each<[string, Item, Answers?]>([
  ['the whole VPC', from('10.0.0.0/16')],
  ['the subnets', from('10.0.2.0/24', '10.0.1.0/24')],
  ['the group of functions', { ...from(), groups: [{ groupId: GROUP }] }],
  ['a prefix list', { ...from(), prefixListIds: [{ prefixListId: 'pl-1' }] }],
  ['every protocol from anywhere', { ipProtocol: '-1', ipRanges: [{ cidrIp: '0.0.0.0/0' }] }],
])('an endpoint whose group lets in %s serves functions', async (_what, rule) => {
  expect((await checked(guarded(rule))).of(AWS_WAY)).toMatchObject({
    status: 'ok',
    detail: 'by endpoints of the VPC: dynamodb, events, secretsmanager, states, sts, kms',
  })
})

test.each<[string, Item, Answers?]>([
  ['a part of the subnet', from('10.0.1.0/25')],
  ['another network', from('10.1.0.0/16')],
  ['another group', { ...from(), groups: [{ groupId: 'sg-2' }] }],
  ['another port', { ...from('10.0.0.0/16'), fromPort: 80, toPort: 80 }],
])('an endpoint whose group lets in only %s stands in the way, even beside a NAT gateway', async (_what, rule) => {
  expect((await checked(guarded(rule))).of(AWS_WAY)).toMatchObject({
    status: 'fail',
    detail: `functions do not reach states (vpce-states is closed: no rule of sg-endpoint lets TCP in to port 443 from ${A} (10.0.1.0/24), ${B} (10.0.1.0/24))`,
    next: 'let functions in by the groups and the policies of the named endpoints',
  })
})

test('groups that the stacks make are let in by addresses alone', async () => {
  const own = fileWith({ vpc: { id: VPC, subnets: [A, B] } })
  const byGroup = guarded({ ...from(), groups: [{ groupId: GROUP }] })
  expect((await checked(byGroup, own)).of(AWS_WAY)?.status).toBe('fail')
  expect((await checked(guarded(from('10.0.0.0/16')), own)).of(AWS_WAY)?.status).toBe('ok')
})

/** All endpoints, of which that of DynamoDB has these statements. */
const withPolicy = (...statements: readonly object[]): Answers =>
  endpoints({ ...DYNAMODB, policyDocument: JSON.stringify({ Statement: statements }) }, ...ALL)
const ANYBODY = { Effect: 'Allow', Principal: '*', Action: '*', Resource: '*' }

test.each<[string, readonly object[], 'ok' | 'fail', RegExp]>([
  ['allows everything', [ANYBODY], 'ok', /^by endpoints/],
  [
    'allows the account',
    [{ ...ANYBODY, Condition: { StringEquals: { 'aws:PrincipalAccount': '123456789012' } } }],
    'ok',
    /^by endpoints/,
  ],
  // Nobody knows the organisation before.
  [
    'allows an organisation',
    [{ ...ANYBODY, Condition: { StringEquals: { 'aws:PrincipalOrgID': 'o-1' } } }],
    'ok',
    /^by endpoints/,
  ],
  [
    'allows another table',
    [{ ...ANYBODY, Resource: 'arn:aws:dynamodb:eu-west-1:123456789012:table/other' }],
    'fail',
    /dynamodb \(the policy of vpce-dynamodb refuses dynamodb:DescribeTable on .*table\/sluice-journal, .*index\/listed\)$/,
  ],
  [
    'allows reading alone',
    [{ ...ANYBODY, Action: ['dynamodb:Get*', 'dynamodb:Describe*', 'dynamodb:Query'] }],
    'fail',
    /dynamodb \(the policy of vpce-dynamodb refuses dynamodb:PutItem on .*table\/sluice-journal\)$/,
  ],
  [
    'allows another account',
    [{ ...ANYBODY, Condition: { StringEquals: { 'aws:PrincipalAccount': '210987654321' } } }],
    'fail',
    /the policy of vpce-dynamodb refuses/,
  ],
])('an endpoint whose policy %s is judged by what functions call', async (_what, statements, status, detail) => {
  expect((await checked(withPolicy(...statements))).of(AWS_WAY)).toMatchObject({
    status,
    detail: expect.stringMatching(detail),
  })
})

test('files of payouts need S3 and SQS', async () => {
  const salaries = {
    ...{ kind: 'payouts', assets: ['EUR'], approval: { above: '0' } },
    files: { bucket: 'company-payouts', prefix: 'salaries/' },
  }
  const closed = { ...routes(undefined), ...endpoints(DYNAMODB, ...ALL) }
  expect((await checked(closed, fileWith({}, { policies: { salaries } }))).of(AWS_WAY)).toMatchObject({
    detail: 'functions do not reach s3, sqs',
    next: expect.stringContaining('com.amazonaws.eu-west-1.s3 (gateway)'),
  })
})

test('a gateway endpoint serves only subnets whose routes have it', async () => {
  const elsewhere = { ...DYNAMODB, routeTableIdSet: ['rtb-9'] }
  const { of } = await checked({ ...routes(undefined), ...endpoints(elsewhere, ...ALL) })
  expect(of(AWS_WAY)).toMatchObject({
    status: 'fail',
    detail: `functions do not reach dynamodb (vpce-dynamodb is not in the routes of ${A}, ${B})`,
  })
})

test('what a file uses decides which endpoints it needs', async () => {
  const more = {
    webhooks: {},
    notices: [{ name: 'mail', to: { sns: ['mailto:a@example.com'] }, about: ['halted'] }],
    service: { ...service, keys: { trade: { secret: 'trade', kmsKey: 'alias/trade' } } },
  }
  const { of } = await checked({ ...routes(undefined), ...endpoints(DYNAMODB, ...ALL) }, fileWith({}, more))
  expect(of(AWS_WAY)?.detail).toBe('functions do not reach sns, sqs')
})

const proxy = (...except: string[]) => ({ proxy: { url: 'http://proxy.company.example:3128', except } })

test('behind a proxy its port must be let out, its address is for the allow-list, and closed subnets are no fault', async () => {
  const closed = { ...routes(undefined), ...endpoints(DYNAMODB, ...ALL) }
  const { of } = await checked(closed, fileWith(proxy('.eu-west-1.amazonaws.com')))
  expect(of(GROUPS)).toMatchObject({ status: 'fail', detail: `${GROUP}: no rule lets TCP out to port 3128` })
  expect(of(ADDRESS)?.detail).toBe('service.example sees the address of the proxy proxy.company.example:3128')
  expect(of(WAY)?.status).toBe('warn')
  expect(of(AWS_WAY)?.status).toBe('ok')
})

test.each(['localhost:3128', '127.0.0.1:3128', '2130706433:8080', 'proxy.localhost', '0.0.0.0:80'])(
  'a proxy at %s, which is the own machine of each function, is a fault',
  async (host) => {
    const { of } = await checked({}, fileWith({ proxy: { url: `http://${host}` } }))
    expect(of('proxy of functions')).toMatchObject({
      status: 'fail',
      detail: expect.stringContaining('is the own machine of each function, where no proxy answers'),
    })
  },
)

test('a proxy that is used although the VPC has endpoints is reported, with the hosts to except', async () => {
  const { of } = await checked(
    endpoints(DYNAMODB, endpoint('states')),
    fileWith(proxy('dynamodb.eu-west-1.amazonaws.com:443')),
  )
  expect(of(AWS_WAY)).toMatchObject({
    status: 'warn',
    detail:
      'by endpoints of the VPC: dynamodb; by the proxy: events, secretsmanager, states, sts, kms; the proxy is used although the VPC has endpoints: states',
    next: 'add them to aws.proxy.except: "states.eu-west-1.amazonaws.com"',
  })
})

test('hosts without the proxy and without a way of their own are not reached', async () => {
  const { of } = await checked({ ...routes(undefined), ...endpoints() }, fileWith(proxy('*.amazonaws.com')))
  expect(of(AWS_WAY)?.detail).toBe('functions do not reach dynamodb, events, secretsmanager, states, sts, kms')
})

test('a missing permission is named, and no check is made up', async () => {
  const denied = {
    status: 403,
    body: '<Response><Errors><Error><Code>UnauthorizedOperation</Code><Message>no</Message></Error></Errors></Response>',
  }
  const { checks } = await checked({ 'Action=DescribeVpcEndpoints': denied })
  expect(checks).toEqual([
    {
      check: `network of functions in ${VPC}`,
      status: 'warn',
      detail: 'not known (UnauthorizedOperation)',
      next: expect.stringMatching(/^let these credentials call ec2:DescribeSubnets, .*ec2:DescribeVpcEndpoints$/),
    },
  ])
})

test('pages of EC2 are read to their end', async () => {
  const page = (body: string, more = '') => ({
    body: `<DescribeSubnetsResponse><subnetSet><item>${body}</item></subnetSet>${more}</DescribeSubnetsResponse>`,
  })
  const { of } = await checked({
    'NextToken=second': page(xml(subnet(B, 'eu-west-1b'))),
    'Action=DescribeSubnets': page(xml(subnet(A, 'eu-west-1a')), '<nextToken>second</nextToken>'),
  })
  expect(of(SUBNETS)?.status).toBe('ok')
})

test('functions in no VPC ask nothing, and a proxy is then said to be public', async () => {
  tell({})
  const of = (aws: object) =>
    networkChecks(parseTreasury(JSON.stringify({ service, aws: { ...PINNED_PLACE, ...aws } })), PINNED_PLACE, NOW)
  expect(await of({})).toEqual([])
  expect(await of(proxy())).toMatchObject([{ check: 'proxy of functions', status: 'warn' }])
})

test('the end of a certificate of the company is watched', async () => {
  const aws = { vpc: undefined, certificateAuthorities: [makeAuthority().cert] }
  const at = (date: string) =>
    networkChecks(parseTreasury(JSON.stringify(fileWith(aws))), PINNED_PLACE, Date.parse(date))
  expect(await at('2026-11-27')).toMatchObject([{ check: 'certificate CN=Company Root', status: 'ok' }])
  expect(await at('2099-12-20')).toMatchObject([{ status: 'warn', detail: 'ends on 2099-12-31' }])
  expect(await at('2100-01-01')).toMatchObject([
    { status: 'fail', detail: 'ended on 2099-12-31: functions trust nobody by it' },
  ])
  expect(await at('2019-01-01')).toMatchObject([{ status: 'fail', detail: 'is not valid before 2020-01-01' }])
})

test('the command shows them among the other checks', async () => {
  tell({
    'Action=GetCallerIdentity': {
      body: '<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>arn:aws:iam::123456789012:user/ada</Arn><Account>123456789012</Account></GetCallerIdentityResult></GetCallerIdentityResponse>',
    },
    ...WELL,
    ...routes({ gatewayId: 'igw-1' }),
  })
  const file = path.join(temporaryFolder(), 'treasury.json')
  writeFileSync(file, JSON.stringify(fileWith({})))
  const { exitCode, stdout } = await runInProcess(['setup', 'doctor', '--aws', '--before-deploy', '--config', file])
  expect(exitCode).toBe(1)
  expect(stdout).toMatch(/way of functions to the service/)
  expect(stdout).toMatch(/igw-1/)
})

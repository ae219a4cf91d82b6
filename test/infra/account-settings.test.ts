// Tests what a company asks of every deployment: tags, a boundary and a path for roles, and how long logs are kept.
import { CfnRole } from 'aws-cdk-lib/aws-iam'
import { describe, expect, test } from 'vitest'
import type { Treasury } from '../../core/contract/treasury.ts'
import { parseTreasury } from '../../core/treasury/config.ts'
import { createApp } from '../../infra/app.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { buildApp, samplePolicies, stackOf, synthesizeTemplates, type Templates, webhooks } from './assembly.ts'

const TAGS = { 'cost-center': '4711', Owner: 'treasury@example.com' }
const AWS: Treasury['aws'] = {
  ...{ account: '123456789012', region: 'eu-west-1', tags: TAGS },
  ...{ permissionsBoundary: 'company/boundary', rolePath: '/company/' },
  logRetentionDays: 3653,
}
const NOTICES = [{ name: 'mail', to: { sns: [] }, about: ['halted'] }] as never
const MORE = { policies: samplePolicies, webhooks, notices: NOTICES, journal: { copyRegion: 'eu-central-1' } }

const plain = synthesizeTemplates(MORE)
const set = synthesizeTemplates({ ...MORE, aws: AWS })

type Resources = Readonly<
  Record<string, { readonly Type: string; readonly Properties?: Readonly<Record<string, unknown>> }>
>
const resourcesOf = (templates: Templates) =>
  Object.values(templates).flatMap((template) => Object.entries(template.toJSON().Resources as Resources))
const ofType = (type: string) => resourcesOf(set).filter(([, { Type }]) => Type === type)

/**
 * Types that CloudFormation gives no tags, in some region at least: parts of another resource, permissions, policies within
 * roles, and dashboards.
 */
const WITHOUT_TAGS = [
  'AWS::CloudWatch::Dashboard',
  ...['AWS::Backup::BackupSelection', 'AWS::IAM::ManagedPolicy', 'AWS::IAM::Policy', 'AWS::Lambda::EventInvokeConfig'],
  ...[
    'AWS::KMS::Alias',
    'AWS::Lambda::Permission',
    'AWS::Lambda::Url',
    'AWS::Lambda::Version',
    'AWS::Logs::MetricFilter',
  ],
  ...['AWS::Scheduler::Schedule', 'AWS::SNS::TopicPolicy', 'AWS::SQS::QueuePolicy'],
]

test('every resource that takes tags has them', () => {
  const untagged = resourcesOf(set).filter(([, { Properties = {} }]) => {
    const text = JSON.stringify(Object.entries(Properties).filter(([name]) => /Tags$/.test(name)))
    return !text.includes('treasury@example.com')
  })
  expect([...new Set(untagged.map(([, { Type }]) => Type))].sort()).toEqual([...WITHOUT_TAGS].sort())
})

test('each stack has the tags too', () => {
  const app = buildApp(temporaryFolder(), { aws: AWS })
  const assembly = app.synth()
  expect(assembly.stacks).toHaveLength(4)
  for (const stack of assembly.stacks) expect(stack.tags).toEqual(TAGS)
})

const BOUNDARY = {
  'Fn::Join': [
    '',
    ['arn:', { Ref: 'AWS::Partition' }, ':iam::', { Ref: 'AWS::AccountId' }, ':policy/company/boundary'],
  ],
}

test('every role has the boundary and the path', () => {
  const roles = ofType('AWS::IAM::Role')
  expect(roles.length).toBeGreaterThan(30)
  for (const [id, { Properties }] of roles)
    expect.soft(Properties, id).toMatchObject({ PermissionsBoundary: BOUNDARY, Path: '/company/' })
})

test('a role that the CDK makes itself has them too', () => {
  const app = buildApp(temporaryFolder(), {
    aws: { ...AWS, permissionsBoundary: 'arn:aws:iam::aws:policy/ReadOnlyAccess' },
  })
  const stack = stackOf(app, 'SluiceWorkflow')
  new CfnRole(stack, 'OfTheCdk', { assumeRolePolicyDocument: {} })
  const { Resources } = app.synth().getStackByName('SluiceWorkflow').template
  expect(Resources.OfTheCdk.Properties).toMatchObject({
    ...{ PermissionsBoundary: 'arn:aws:iam::aws:policy/ReadOnlyAccess', Path: '/company/' },
  })
})

test('every log group keeps its lines for the days of the file, and for 180 days without them', () => {
  const daysOf = (templates: typeof set) =>
    resourcesOf(templates).flatMap(([, { Properties, Type }]) =>
      Type === 'AWS::Logs::LogGroup' ? [Properties?.RetentionInDays] : [],
    )
  expect(new Set(daysOf(set))).toEqual(new Set([3653]))
  expect(new Set(daysOf(plain))).toEqual(new Set([180]))
  expect(daysOf(set).length).toBeGreaterThan(25)
})

test("the journal's policy admits the roles of the path, and CloudFormation's with and without it", () => {
  const [[, { Properties }] = ['', {}]] = ofType('AWS::DynamoDB::Table')
  const text = JSON.stringify(Properties)
  expect(text).toContain(':role/company/sluice-break-glass')
  expect(text).toContain(':role/cdk-*-cfn-exec-role-')
  expect(text).toContain(':role/company/cdk-*-cfn-exec-role-')
})

test('the settings change no resource apart from these properties', () => {
  const without = (templates: typeof set) =>
    Object.fromEntries(
      resourcesOf(templates).map(([id, { Properties = {}, Type }]) => {
        const kept = Object.entries(Properties).filter(
          ([name]) => !/Tags$|^(Path|PermissionsBoundary|RetentionInDays|ResourcePolicy)$/.test(name),
        )
        return [id, { Type, Properties: Object.fromEntries(kept) }]
      }),
    )
  const hashed = (value: unknown) =>
    JSON.parse(JSON.stringify(value).replaceAll(/[0-9a-f]{64}|(?<=CurrentVersion[0-9A-F]{8})[0-9a-f]{32}/g, 'HASH'))
  const versions = (value: Readonly<Record<string, { readonly Type: string }>>) =>
    Object.fromEntries(Object.entries(value).filter(([, { Type }]) => Type !== 'AWS::Lambda::Version'))
  expect(Object.keys(without(set)).length).toBe(Object.keys(without(plain)).length)
  expect(versions(hashed(without(set)))).toEqual(versions(hashed(without(plain))))
})

test('at a desk none of them applies', () => {
  const folder = temporaryFolder()
  const treasury = parseTreasury(
    JSON.stringify({ service: { url: 'https://service.example', stage: 'test' }, aws: AWS }),
  )
  buildApp(folder)
  const app = createApp({ treasury, bundleDir: `${folder}/bundle`, outDir: `${folder}/desk`, isDesk: true })
  const text = JSON.stringify(app.synth().stacks.map(({ tags, template }) => [tags, template.Resources]))
  expect(text).not.toMatch(/treasury@example|company|3653/)
})

describe('treasury.json refuses', () => {
  const refusalOf = (changes: object) => {
    const file = { service: { url: 'https://service.example', stage: 'test' }, aws: { ...AWS, ...changes } }
    try {
      parseTreasury(JSON.stringify(file))
      return 'nothing'
    } catch (error) {
      return String(error instanceof Error ? error.message : error)
    }
  }
  const tags = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`key-${at}`, 'value']))

  test('nothing of what a company may ask', () => {
    expect(refusalOf({ tags: tags(30) })).toBe('nothing')
    expect(refusalOf({ tags: { 'größe der Abteilung': 'a b_.:/=+-@', ['k'.repeat(128)]: 'v'.repeat(256) } })).toBe(
      'nothing',
    )
    expect(refusalOf({ rolePath: '/a/b.c/d_e/', permissionsBoundary: 'arn:aws:iam::aws:policy/PowerUserAccess' })).toBe(
      'nothing',
    )
    expect(refusalOf({ logRetentionDays: 1 })).toBe('nothing')
  })

  test.each([
    ['a tag of AWS', { tags: { 'AWS:x': 'y' } }, 'does not begin with aws: or sluice:'],
    ['a tag of Sluice', { tags: { 'sluice:region': 'y' } }, 'does not begin with aws: or sluice:'],
    ['an empty key', { tags: { '': 'y' } }, 'a key of 1 to 128 letters'],
    ['a long key', { tags: { ['k'.repeat(129)]: 'y' } }, 'a key of 1 to 128 letters'],
    ['an empty value', { tags: { team: '' } }, 'aws.tags.team: expected a text of 1 to 256 letters'],
    ['a long value', { tags: { team: 'v'.repeat(257) } }, 'got a text of 257 characters'],
    ['a value with another sign', { tags: { team: 'a*b' } }, 'expected a text of 1 to 256'],
    ['a number as a value', { tags: { team: 4711 } }, 'aws.tags.team: expected a text of 1 to 256'],
    ['31 tags', { tags: tags(31) }, 'aws.tags: expected at most 30 tags; got an object with 31 in it'],
    [
      'keys that differ by capital letters',
      { tags: { Team: 'a', team: 'b' } },
      'aws.tags.team: expected a key that differs',
    ],
    [
      'a boundary of another account',
      { permissionsBoundary: 'arn:aws:iam::999999999999:policy/x' },
      'expected a policy of the account 123456789012',
    ],
    [
      'a boundary that is a role',
      { permissionsBoundary: 'arn:aws:iam::123456789012:role/x' },
      'the ARN or the name of a managed policy',
    ],
    ['the path of all roles', { rolePath: '/' }, 'a path of names between slashes'],
    ['a path without its last slash', { rolePath: '/company' }, 'a path of names between slashes'],
    ['a pattern as a path', { rolePath: '/*/' }, 'a path of names between slashes'],
    ['the path of AWS itself', { rolePath: '/aws-service-role/' }, 'a path of names between slashes'],
    ['a long path', { rolePath: `${`/${'p'.repeat(64)}`.repeat(8)}/` }, 'at most 512 characters'],
    [
      'days that CloudWatch does not take',
      { logRetentionDays: 100 },
      'aws.logRetentionDays: expected a number of days that CloudWatch Logs takes: 1, 3, 5',
    ],
    ['days as a text', { logRetentionDays: '30' }, 'a number of days that CloudWatch Logs takes'],
  ])('%s, and says what it expects', (_name, changes, message) => {
    expect(refusalOf(changes)).toContain(message)
  })
})

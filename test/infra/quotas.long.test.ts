// Tests how much of each quota a deployment of the largest treasury.json uses. CloudFormation does not check these
// quotas.
import { beforeAll, describe, expect, test } from 'vitest'
import { parseTreasury } from '../../core/treasury/config.ts'
import { treasurySchemaText } from '../../core/treasury/write-schema.ts'
import { synthesizeTemplates, type Templates } from './assembly.ts'
import { largestFile, largestTreasury, RECEIVERS } from './largest-treasury.ts'
import { longestResources } from './longest-text.ts'
import { type NamedResource, QUOTAS, TEMPLATE, WITHOUT_QUOTAS } from './quotas.ts'

const resourcesOf = (templates: Templates): readonly NamedResource[] =>
  // The longest address of the service that the schema accepts.
  Object.values(templates).flatMap((template) => longestResources(template, { ServiceUrl: 'u'.repeat(248) }))

describe.each(RECEIVERS)('with the largest file, whose notices go by %s,', (receiver) => {
  let templates: Templates
  let resources: readonly NamedResource[]
  beforeAll(() => {
    templates = synthesizeTemplates(largestTreasury(receiver))
    resources = resourcesOf(templates)
  })

  test.each(Object.entries(QUOTAS))('%s stay within the limit of AWS', (_name, { most, source, types, uses }) => {
    const beyond = uses(resources.filter(({ Type }) => types.includes(Type))).filter(({ count }) => count > most)
    expect(beyond, `AWS takes ${most}: ${source}`).toEqual([])
  })

  test('each quota counts something, and each type of resource has a quota or needs none', () => {
    const counted = new Set([...Object.values(QUOTAS).flatMap(({ types }) => types), ...WITHOUT_QUOTAS])
    expect(resources.filter(({ Type }) => !counted.has(Type)).map(({ id }) => id)).toEqual([])
    const present = new Set(resources.map(({ Type }) => Type))
    const empty = Object.entries(QUOTAS).filter(
      ([, { types, uses }]) =>
        types.some((type) => present.has(type)) &&
        uses(resources.filter(({ Type }) => types.includes(Type))).length === 0,
    )
    expect(empty).toEqual([])
  })

  test('a template stays within the limits of CloudFormation', () => {
    for (const template of Object.values(templates)) {
      const content = template.toJSON()
      // The CDK writes templates with an indentation of one space.
      expect(JSON.stringify(content, undefined, 1).length).toBeLessThan(TEMPLATE.bytes)
      expect(Object.keys(content.Resources).length).toBeLessThan(TEMPLATE.resources)
    }
  })
})

interface FieldSchema {
  readonly properties?: Readonly<Record<string, FieldSchema>>
  readonly items?: FieldSchema
  readonly additionalProperties?: FieldSchema | boolean
  readonly oneOf?: readonly FieldSchema[]
  readonly const?: unknown
}

/** Paths of the fields that none of the values sets. */
function unset(schema: FieldSchema, values: readonly unknown[], path = ''): string[] {
  const { additionalProperties: each, items, oneOf = [], properties = {} } = schema
  const objects = values.filter((value) => typeof value === 'object' && value !== null) as Record<string, unknown>[]
  return [
    ...Object.entries(properties).flatMap(([name, field]) => {
      const set = objects.flatMap((object) => (object[name] === undefined ? [] : [object[name]]))
      return set.length === 0 ? [`${path}.${name}`] : unset(field, set, `${path}.${name}`)
    }),
    ...(items === undefined ? [] : unset(items, values.flat(), `${path}[]`)),
    ...(typeof each === 'object' ? unset(each, objects.flatMap(Object.values), `${path}.*`) : []),
    ...oneOf.flatMap((option) => {
      const kind = option.properties?.kind?.const
      return unset(
        option,
        objects.filter((object) => object.kind === kind),
        `${path}(${kind})`,
      )
    }),
  ]
}

/** Fields that the rules of a kind refuse: a file starts payouts and has their rows, and the others here send to no contact. */
const REFUSED = [
  /^\.policies\.\*\(payouts\)\.(schedule$|rows\[\])/,
  /^\.policies\.\*\((rebalance|fund|convert-on-arrival)\)\.guards\.contacts\./,
]

test('the largest file has every field of the schema', () => {
  const fields = unset(JSON.parse(treasurySchemaText()), RECEIVERS.map(largestFile))
  expect(fields.filter((field) => !REFUSED.some((pattern) => pattern.test(field)))).toEqual([])
})

test('the largest file is the largest: the schema refuses one more of each', () => {
  const file = largestFile('sns')
  const [notice] = file.notices
  const [policy] = Object.values(file.policies)
  const address = 'mailto:one@more.example'
  const refused = (changes: object) => () => parseTreasury(JSON.stringify({ ...file, ...changes }))
  expect(refused({})).not.toThrow()
  const { certificateAuthorities, proxy, vpc } = file.aws
  const inVpc = (more: object) => ({ aws: { ...file.aws, vpc: { ...vpc, ...more } } })
  expect(refused(inVpc({ subnets: [...vpc.subnets, vpc.subnets[0]] }))).toThrow(/subnets/)
  expect(refused(inVpc({ securityGroups: [...vpc.securityGroups, vpc.securityGroups[0]] }))).toThrow(/securityGroups/)
  const behind = (more: object) => ({ aws: { ...file.aws, proxy: { ...proxy, ...more } } })
  expect(refused(behind({ url: proxy.url.replace('p', 'pp') }))).toThrow(/proxy\.url/)
  expect(refused(behind({ except: [...proxy.except, 'more.example'] }))).toThrow(/proxy\.except/)
  expect(refused(behind({ except: [`${proxy.except[0]?.replace('h', 'hh')}`] }))).toThrow(/proxy\.except/)
  const trusting = { certificateAuthorities: [...certificateAuthorities, ...certificateAuthorities.slice(0, 1)] }
  expect(refused({ aws: { ...file.aws, ...trusting } })).toThrow(/certificateAuthorities/)
  const { rolePath, tags } = file.aws
  expect(refused({ aws: { ...file.aws, tags: { ...tags, more: 'v' } } })).toThrow(/aws\.tags: expected at most 30/)
  const [firstKey = ''] = Object.keys(tags)
  expect(refused({ aws: { ...file.aws, tags: { ...tags, [firstKey]: `${tags[firstKey]}v` } } })).toThrow(/characters/)
  expect(refused({ aws: { ...file.aws, rolePath: `${rolePath}p/` } })).toThrow(/rolePath/)
  expect(refused({ environment: `${file.environment}e` })).toThrow(/environment/)
  expect(refused({ notices: [...file.notices, { ...notice, name: 'more' }] })).toThrow(/notices/)
  expect(refused({ notices: [{ ...notice, name: `${notice?.name}n` }] })).toThrow(/name/)
  expect(refused({ policies: { ...file.policies, more: policy } })).toThrow(/policies/)
  expect(refused({ requesters: [...file.requesters, '123456789012'] })).toThrow(/requesters/)
  expect(refused({ alarms: { page: [...file.alarms.page, address] } })).toThrow(/alarms/)
  expect(refused({ alarms: { page: [`${file.alarms.page[0]}p`] } })).toThrow(/alarms/)
  expect(refused({ service: { ...file.service, url: `${file.service.url}u` } })).toThrow(/url/)
  expect(refused({ service: { ...file.service, keySecret: `${file.service.keySecret}s` } })).toThrow(/keySecret/)
})

test('an eleventh condition in the policy of a queue is counted, whichever statement and operator has it', () => {
  const admits = (keys: number) => ({
    Condition: { ArnEquals: Object.fromEntries(Array.from({ length: keys }, (_, at) => [`aws:key-${at}`, 'x'])) },
  })
  const Statement = [admits(9), { Condition: { Bool: { 'aws:SecureTransport': 'false' } } }, admits(1), {}]
  const policy = { id: 'Policy', Type: 'AWS::SQS::QueuePolicy', Properties: { PolicyDocument: { Statement } } }
  expect(QUOTAS['conditions in the policy of a queue']?.uses([policy])).toEqual([{ of: 'Policy', count: 11 }])
})

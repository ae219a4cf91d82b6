// Tests a deployment on a bus, topics and a table of the account: it makes none of them, names them everywhere, and is
// the only one that uses them.
import { App } from 'aws-cdk-lib'
import { describe, expect, test } from 'vitest'
import type { Treasury } from '../../core/contract/treasury.ts'
import { parseTreasury } from '../../core/treasury/config.ts'
import { createApp } from '../../infra/app.ts'
import { Sluice } from '../../infra/index.ts'
import { BUNDLES_CONTEXT } from '../../infra/sluice.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { buildApp, samplePolicies, synthesizeTemplates, webhooks } from './assembly.ts'

const PLACE = { account: '123456789012', region: 'eu-west-1' }
const ON_CALL = 'arn:aws:sns:eu-west-1:123456789012:on-call'
const TICKETS = 'arn:aws:sns:eu-west-1:123456789012:tickets'
const AWS: Treasury['aws'] = {
  ...PLACE,
  eventBus: 'arn:aws:events:eu-west-1:123456789012:event-bus/company-events',
  journalTable: 'company-records',
}
const MORE = {
  ...{ policies: samplePolicies, webhooks, requesters: ['222222222222'], environment: 'live' },
  notices: [{ name: 'desk', to: { topicArn: TICKETS }, about: ['halted'] }] as never,
  journal: { copyRegion: 'eu-central-1' },
}
const GIVEN = { ...MORE, aws: AWS, alarms: { topics: { page: ON_CALL, ticket: TICKETS } } }
const given = synthesizeTemplates(GIVEN)

type Resources = Readonly<
  Record<string, { readonly Type: string; readonly Properties: Readonly<Record<string, unknown>> }>
>
const resources = Object.values(given).flatMap((template) => Object.values(template.toJSON().Resources as Resources))
const ofType = (type: string) => resources.filter(({ Type }) => Type === type).map(({ Properties }) => Properties)
const text = JSON.stringify(resources)

test('it makes no bus, no table and no topic, and no key but that of decisions', () => {
  const types = new Set(resources.map(({ Type }) => Type))
  const made = ['AWS::Events::EventBus', 'AWS::DynamoDB::Table', 'AWS::SNS::Topic', 'AWS::SNS::TopicPolicy']
  expect(made.filter((type) => types.has(type))).toEqual([])
  expect(resources.filter(({ Type }) => Type === 'AWS::KMS::Key')).toHaveLength(1)
})

test('nothing names the bus or the table that it would make itself', () => {
  expect(text).not.toMatch(/live-sluice-journal(?!-backups)/)
  expect(text).not.toMatch(/event-bus\/live-sluice"/)
  expect(text).toContain('table/company-records')
  expect(text).toContain('event-bus/company-events')
})

test("its rules for requests, ends and notices are on the account's bus, under ids of that bus", () => {
  const rules = Object.entries(given.triggers.findResources('AWS::Events::Rule')).filter(
    ([, { Properties }]) => Properties.EventBusName !== undefined,
  )
  expect(rules.map(([, { Properties }]) => [Properties.Name, Properties.EventBusName]).sort()).toEqual([
    ['live-sluice-notice-desk', 'company-events'],
    ['live-sluice-requests', 'company-events'],
    ['live-sluice-resumed', 'company-events'],
  ])
  for (const [id] of rules) expect(id).toContain('Oncompanyevents')
})

test('names that only look like that of the bus stay as they are', () => {
  expect(ofType('AWS::Scheduler::ScheduleGroup')).toEqual([{ Name: 'live-sluice-checks' }, { Name: 'live-sluice' }])
  expect(ofType('AWS::CloudWatch::Dashboard').map(({ DashboardName }) => DashboardName)).toEqual(['live-sluice'])
})

test("the policy of the account's bus gets two statements, beside those that it has", () => {
  const added = ofType('AWS::Events::EventBusPolicy') as { Statement: Record<string, unknown>; StatementId: string }[]
  expect(added.map(({ Statement, StatementId }) => [StatementId, Statement.Effect, Statement.Principal])).toEqual([
    ['sluice-InOurName', 'Deny', '*'],
    ['sluice-Requests', 'Allow', expect.anything()],
  ])
})

test("alarms and notices go to the account's topics", () => {
  const actions = ofType('AWS::CloudWatch::Alarm').map(({ AlarmActions }) => JSON.stringify(AlarmActions))
  expect(new Set(actions)).toEqual(new Set([JSON.stringify([ON_CALL]), JSON.stringify([TICKETS])]))
  expect(text).toMatch(new RegExp(`"Action":"sns:Publish","Effect":"Allow","Resource":"${TICKETS}"`))
})

test('one parameter for each tells a second deployment that the resource is taken', () => {
  const uses = ofType('AWS::SSM::Parameter').filter(({ Name }) => String(Name).startsWith('sluice-use-of-'))
  expect(uses.map(({ Name, Value }) => [Name, Value])).toEqual([
    ['sluice-use-of-journal-company-records', 'live-SluiceState'],
    ['sluice-use-of-bus-company-events', 'live-SluiceTriggers'],
  ])
})

const SERVICE = { url: 'https://service.example', stage: 'test' as const }

test('two deployments of one app cannot have one environment in one account and region', () => {
  const folder = temporaryFolder()
  buildApp(folder)
  const app = new App({ outdir: `${folder}/two`, context: { [BUNDLES_CONTEXT]: `${folder}/bundle` } })
  const place = (id: string, environment?: string, aws?: object) => () =>
    new Sluice(app, id, {
      treasury: { ...(environment && { environment }), service: SERVICE, ...(aws && { aws: { ...PLACE, ...aws } }) },
    })
  expect(place('one')).not.toThrow()
  expect(place('two')).toThrow('environment: expected another one')
  expect(place('three', 'live', {})).not.toThrow()
  expect(place('four', 'live', { region: 'eu-central-1' })).not.toThrow()
  expect(place('five', 'live', {})).toThrow('three has the environment live too')
})

test('two deployments of one app cannot have one journal or one bus', () => {
  const folder = temporaryFolder()
  buildApp(folder)
  const app = new App({ outdir: `${folder}/two`, context: { [BUNDLES_CONTEXT]: `${folder}/bundle` } })
  const place = (environment: string, aws: object) => () =>
    new Sluice(app, environment, {
      treasury: { environment, service: SERVICE, aws: { ...PLACE, ...aws } },
    })
  expect(place('one', { journalTable: 'records', eventBus: 'events' })).not.toThrow()
  expect(place('two', { journalTable: 'records' })).toThrow(
    'aws.journalTable: expected one that no other deployment uses; one uses records',
  )
  expect(place('three', { eventBus: 'events' })).toThrow(
    'aws.eventBus: expected one that no other deployment uses; one uses events',
  )
  expect(place('four', { eventBus: 'records', journalTable: 'events' })).not.toThrow()
  expect(place('five', { region: 'eu-central-1', journalTable: 'records' })).not.toThrow()
})

test('a desk makes its own bus, table and topics', () => {
  const folder = temporaryFolder()
  const file = {
    service: { url: 'https://service.example', stage: 'test' },
    ...GIVEN,
    policies: {},
    webhooks: undefined,
  }
  buildApp(folder)
  const treasury = parseTreasury(JSON.stringify(file))
  const app = createApp({ treasury, bundleDir: `${folder}/bundle`, outDir: `${folder}/desk`, isDesk: true })
  const made = app.synth().stacks.flatMap(({ template }) => Object.values(template.Resources as Resources))
  const names = made.flatMap(({ Properties, Type }) =>
    /EventBus$|Table$|SNS::Topic$/.test(Type) ? [Properties.Name ?? Properties.TableName ?? Properties.TopicName] : [],
  )
  expect(names.sort()).toEqual(['sluice', 'sluice-journal', 'sluice-notice-desk'])
})

describe('treasury.json refuses', () => {
  const refusalOf = (changes: object) => {
    const service = { url: 'https://service.example', stage: 'test' }
    try {
      parseTreasury(JSON.stringify({ service, ...changes }))
      return 'nothing'
    } catch (error) {
      return String(error instanceof Error ? error.message : error)
    }
  }
  const aws = (changes: object) => ({ aws: { ...PLACE, ...changes } })
  const arn = (service: string, rest: string, region = 'eu-west-1', account = '123456789012') =>
    `arn:aws:${service}:${region}:${account}:${rest}`
  const topic = { page: arn('sns', 'on-call') }
  const notice = (to: object) => ({ notices: [{ name: 'desk', to, about: ['halted'] }] })

  test.each([
    [
      'a table of another region',
      aws({ journalTable: arn('dynamodb', 'table/x-records', 'us-east-1') }),
      'aws.journalTable: expected one of the account 123456789012 in eu-west-1',
    ],
    [
      'a bus of another account',
      aws({ eventBus: arn('events', 'event-bus/x', 'eu-west-1', '999999999999') }),
      'got one of 999999999999 in eu-west-1',
    ],
    ['the default bus', aws({ eventBus: 'default' }), 'the name or the ARN of an event bus of your own'],
    ["a partner's bus", aws({ eventBus: 'aws.partner/example.com/1' }), 'an event bus of your own'],
    [
      "the bus of another environment's",
      aws({ eventBus: 'test-sluice' }),
      'expected a name that does not end with sluice',
    ],
    ["a deployment's own bus", aws({ eventBus: 'sluice' }), 'leave the field out to have that one'],
    [
      'the journal of another environment',
      aws({ journalTable: arn('dynamodb', 'table/test-sluice-journal') }),
      'expected a name that does not end with sluice-journal',
    ],
    [
      'an index in place of a table',
      aws({ journalTable: arn('dynamodb', 'table/records/index/listed') }),
      'the name or the ARN of a DynamoDB table',
    ],
    ['a long name of a table', aws({ journalTable: 'j'.repeat(129) }), 'of 3 to 128 characters'],
    [
      'addresses beside a topic',
      { alarms: { topics: topic, page: ['mailto:a@b.example'] } },
      'alarms.page: expected none beside alarms.topics.page',
    ],
    [
      'a FIFO topic',
      { alarms: { topics: { page: arn('sns', 'x.fifo') } } },
      'the ARN of an SNS topic that is not FIFO',
    ],
    [
      'a topic of alarms in another region',
      { ...aws({}), alarms: { topics: { ticket: arn('sns', 'x', 'us-east-1') } } },
      'alarms.topics.ticket: expected a topic of eu-west-1',
    ],
    [
      'a topic of all alarms in another region',
      { ...aws({}), alarms: { topicArn: arn('sns', 'x', 'us-east-1') } },
      'alarms.topicArn: expected a topic of eu-west-1',
    ],
    [
      'a FIFO topic of all alarms',
      { alarms: { topicArn: arn('sns', 'x.fifo') } },
      'alarms.topicArn: expected the ARN of an SNS topic that is not FIFO',
    ],
    [
      'copies of backups in the region of the journal',
      { ...aws({}), journal: { copyRegion: 'eu-west-1' } },
      'journal.copyRegion: expected another region than aws.region',
    ],
    [
      'a topic of a notice in another region',
      { ...aws({}), ...notice({ topicArn: arn('sns', 'x', 'us-east-1') }) },
      'notices[0].to.topicArn: expected a topic of eu-west-1',
    ],
    [
      'two receivers of a notice',
      notice({ topicArn: topic.page, sns: [] }),
      'one of the three: webhook, sns or topicArn',
    ],
    ['a notice without a receiver', notice({}), 'one of the three: webhook, sns or topicArn'],
  ])('%s, and says what it expects', (_name, changes, message) => {
    expect(refusalOf(changes)).toContain(message)
  })

  test('nothing of a bus, a table and topics that may be given', () => {
    expect(refusalOf(aws({ eventBus: 'Company.events_1', journalTable: 'my-sluice-journal-2' }))).toBe('nothing')
    expect(
      refusalOf({
        ...aws({}),
        alarms: { topics: topic, ticket: ['mailto:a@b.example'] },
        ...notice({ topicArn: topic.page }),
      }),
    ).toBe('nothing')
  })
})

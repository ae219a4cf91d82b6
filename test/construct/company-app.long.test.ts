// A deployment with everything that a company may ask, on the embedded AWS. It converts by an event on the company's bus,
// records that in the company's table, and tells the company's topic.
import { join } from 'node:path'
import { DynamoDB, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { type EmbeddedAws, startEmbeddedAws } from '@sluice/embedded-aws'
import { type Sandbox, startSandbox } from '@sluice/service-sandbox'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { EVENT_SOURCE, RequestEvent, ResultEvent } from '../../core/contract/events.ts'
import { IntentKind, recordKey } from '../../core/contract/records.ts'
import { declareOwnTable } from '../../place/journal/own-table.ts'
import { bundleOf } from '../helpers/assemble.ts'
import { withBundles } from '../helpers/bundles.ts'
import { folderOfFile } from '../helpers/folders.ts'
import { ASKED, BUS, createCompanyApp, ENDS_QUEUE, TABLE, TOPIC } from './company-app.ts'

const KEY_SECRET = 'company/service-key'
const TREASURY = {
  environment: 'acme',
  service: { url: 'https://service.example', stage: 'test' as const, keySecret: KEY_SECRET },
  timing: { pollInsideSeconds: 0 },
  ...ASKED,
}
const PURCHASE = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '250' } as const
/** Actions that the boundary allows. It grants nothing, so each role also needs its own statements. */
const ACTIONS = ['dynamodb', 'events', 'lambda', 'logs', 'secretsmanager', 'sns', 'sqs', 'states', 'xray'].map(
  (service) => `${service}:*`,
)

const folder = folderOfFile()
let aws: EmbeddedAws
let sandbox: Sandbox
let journal: DynamoDB
let bus: EventBridgeClient

beforeAll(async () => {
  const assemblyDir = join(folder, 'cdk.out')
  const bundleDir = bundleOf(inject('assemblyDir'))
  withBundles(bundleDir, () => createCompanyApp({ treasury: TREASURY, outDir: assemblyDir, actions: ACTIONS })).synth()
  sandbox = await startSandbox()
  const { secret, privateKeyPem, alg } = sandbox.keys.full
  aws = await startEmbeddedAws({
    ...{ assemblyDir, stateDir: join(folder, 'state'), executionEvents: true },
    parameters: { ServiceUrl: sandbox.baseUrl },
    secrets: { [KEY_SECRET]: JSON.stringify({ secret, privateKeyPem, alg }) },
  })
  const { credentials, endpointUrl: endpoint, region } = aws
  journal = new DynamoDB({ endpoint, region, credentials })
  bus = new EventBridgeClient({ endpoint, region, credentials })
  await declareOwnTable({ client: journal, tableName: TABLE }, { hasRunBefore: () => false, nowMs: Date.now() })
})

afterAll(async () => {
  journal?.destroy()
  bus?.destroy()
  await aws?.stop()
  await sandbox?.stop()
})

const put = (Source: string, DetailType: string, detail: object) =>
  bus.send(
    new PutEventsCommand({ Entries: [{ EventBusName: BUS, Source, DetailType, Detail: JSON.stringify(detail) }] }),
  )

test("a request on the company's bus converts once, in the company's table, and its end is on the same bus", async () => {
  await put('shop', RequestEvent.Conversion, { version: 1, id: 'invoice-17', request: PURCHASE })
  await expect.poll(() => aws.queueMessages(ENDS_QUEUE).length).toBe(1)
  const [ended] = aws.queueMessages(ENDS_QUEUE).map(({ body }) => JSON.parse(body))
  expect(ended).toMatchObject({ source: EVENT_SOURCE, 'detail-type': ResultEvent.Conversion })
  expect(ended.detail.result).toMatchObject({ outcome: 'FILLED' })
  const pk = recordKey.intent(IntentKind.Convert, ended.detail.result.intentId)
  const { Item } = await journal.send(new GetItemCommand({ TableName: TABLE, Key: { pk: { S: pk } } }))
  expect(Item?.state?.S).toBe('DONE')
  expect(aws.permissions().denied).toEqual([])
})

test("nobody but the deployment's own roles may speak in its name on the company's bus", async () => {
  await expect(put(EVENT_SOURCE, ResultEvent.Conversion, { version: 1 })).rejects.toThrow(/explicit deny/)
})

test("a notice reaches the company's topic", async () => {
  const event = { source: 'notice-test', notice: 'desk', id: '0123456789abcdef0123456789abcdef' }
  const answer = JSON.parse(await aws.invokeFunction('acme-sluice-notify', JSON.stringify(event)))
  expect(answer).toMatchObject({ outcome: 'DELIVERED' })
  expect(aws.publishedTo(TOPIC)).toHaveLength(1)
})

test('a boundary that lacks an action takes it from every role', async () => {
  const assemblyDir = join(folder, 'bounded.out')
  const bundleDir = bundleOf(inject('assemblyDir'))
  const actions = ACTIONS.filter((action) => action !== 'sns:*')
  withBundles(bundleDir, () => createCompanyApp({ treasury: TREASURY, outDir: assemblyDir, actions })).synth()
  const bounded = await startEmbeddedAws({
    ...{ assemblyDir, stateDir: join(folder, 'bounded'), executionEvents: true },
    secrets: { [KEY_SECRET]: '{}' },
  })
  try {
    const event = { source: 'notice-test', notice: 'desk', id: '0123456789abcdef0123456789abcdef' }
    await expect(bounded.invokeFunction('acme-sluice-notify', JSON.stringify(event))).rejects.toMatchObject({
      name: 'OwnFault',
    })
    expect(bounded.publishedTo(TOPIC)).toEqual([])
  } finally {
    await bounded.stop()
  }
})

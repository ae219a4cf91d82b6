// The examples as they are published: one app around the construct, on one machine.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { GetQueueUrlCommand, ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { startEmbeddedAws } from '@sluice/embedded-aws'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createAwsOnlyApp, createExamplesApp } from '../../examples/app.ts'
import { DEAD_OBJECTS } from '../../examples/bucket/stack.ts'
import { ENDS, INVOICES_BUS } from '../../examples/event-rule/stack.ts'
import { DESK } from '../../examples/http/stack.ts'
import { BUYER } from '../../examples/lambda/stack.ts'
import { DEAD_FILES, FILES } from '../../examples/payout-file/stack.ts'
import { DEAD_REQUESTS, REQUESTS } from '../../examples/queue/stack.ts'
import { MONDAYS } from '../../examples/schedule/stack.ts'
import { ORDERS } from '../../examples/step-functions/stack.ts'
import { WAITING_ORDERS, WAITS } from '../../examples/task-token/stack.ts'
import { DEAD_NOTIFICATIONS, NOTIFIED } from '../../examples/topic/stack.ts'
import { send, signed, timestamp, withBodyHash } from '../../packages/embedded-aws/test/integration/fixture/signed.ts'
import { bundleOf } from '../helpers/assemble.ts'
import { withBundles } from '../helpers/bundles.ts'
import { folderOfFile } from '../helpers/folders.ts'
import { type RunningMachines, startMachines } from '../helpers/running-machines.ts'

const SERVICE = { url: 'https://service.example', stage: 'test', shared: false } as const

const treasury = { service: SERVICE, timing: { pollInsideSeconds: 0 } }
const policies = { salaries: { kind: 'payouts' as const, assets: ['USDC'] } }

const folder = folderOfFile()
let machine: RunningMachines
let queues: SQSClient
let events: EventBridgeClient
let s3: S3Client
let deliveries: 'twice' | undefined
let dynamo: DynamoDBClient

beforeAll(async () => {
  const outDir = join(folder, 'cdk.out')
  withBundles(bundleOf(inject('assemblyDir')), () =>
    createExamplesApp({ treasury: { ...treasury, policies }, outDir }),
  ).synth()
  machine = await startMachines(outDir, () => ({ executionEvents: true, onDelivery: () => deliveries }))
  const { credentials, endpointUrl: endpoint, region } = machine.aws
  queues = new SQSClient({ endpoint, region, credentials })
  events = new EventBridgeClient({ endpoint, region, credentials })
  s3 = new S3Client({ endpoint, region, credentials })
  dynamo = new DynamoDBClient({ endpoint, region, credentials })
})

afterAll(async () => {
  for (const client of [queues, events, s3, dynamo]) client?.destroy()
  await machine?.stop()
})

const movements = async () => (await machine.movements()).length

const urlOf = async (QueueName: string) => (await queues.send(new GetQueueUrlCommand({ QueueName }))).QueueUrl

/** All messages that have arrived until now, by the calls of one test. */
function inbox(queueName: string) {
  const arrived: { readonly body: unknown; readonly reason: string | undefined }[] = []
  return async () => {
    const request = { QueueUrl: await urlOf(queueName), MaxNumberOfMessages: 10, MessageAttributeNames: ['All'] }
    const { Messages = [] } = await queues.send(new ReceiveMessageCommand(request))
    arrived.push(
      ...Messages.map(({ Body, MessageAttributes }) => ({
        body: Body,
        reason: MessageAttributes?.reason?.StringValue,
      })),
    )
    return arrived
  }
}

const purchase = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '250' }
const convertExecution = (name: string) => machine.aws.findExecution('sluice-convert', name)

test('the function of the example buys once for an invoice, and answers with the purchase', async () => {
  const known = await movements()
  const buy = async () => JSON.parse(await machine.aws.invokeFunction(BUYER, '{"invoice":"17","amount":"250"}'))
  const first = await buy()
  expect(first).toMatchObject({ outcome: 'FILLED', intentId: 'invoice-17', quoteAmount: '250' })
  expect(await buy()).toEqual(first)
  const other = machine.aws.invokeFunction(BUYER, '{"invoice":"17","amount":"251"}')
  await expect(other).rejects.toMatchObject({ name: 'IdTaken' })
  expect(await movements()).toBe(known + 1)
})

test('a signed purchase over HTTP is bought once, and each refusal has a status of its own', async () => {
  const known = await movements()
  const { credentials, region } = machine.aws
  const api = `${machine.aws.httpApis()[0]?.url}/purchases/`
  const own = machine.aws.functionUrls().find(({ functionName }) => functionName === DESK)?.url ?? ''
  const post = async (id: string, body: string, service = 'execute-api') => {
    const url = new URL(service === 'lambda' ? own : api)
    const date = timestamp(Date.now())
    const headers = { host: url.host, 'content-type': 'application/json', 'x-amz-date': date }
    const draft = withBodyHash({ method: 'POST', path: `${url.pathname}${id}`, headers, body })
    return send(url.origin, signed(draft, { ...credentials, region, service, date: date.slice(0, 8) }))
  }
  const request = JSON.stringify(purchase)
  const first = await post('web-1', request)
  expect(first).toMatchObject({ status: 200, body: { outcome: 'FILLED', intentId: 'web-1' } })
  expect(await post('web-1', request)).toMatchObject({ status: 200, body: first.body })
  expect(await post('web-1', request, 'lambda')).toMatchObject({ status: 200, body: first.body })
  for (const [id, body, status] of [
    ['web-1', JSON.stringify({ ...purchase, amount: '251' }), 409],
    ['web-2', JSON.stringify({ ...purchase, amount: 250 }), 400],
    ['web-2', 'no JSON', 400],
    ['web-2', JSON.stringify({ ...purchase, worstRate: '0.01' }), 422],
  ] as const) {
    expect(await post(id, body), body).toMatchObject({ status, body: { code: expect.any(String) } })
  }
  expect(await post('web-3', request, 'states')).toMatchObject({ status: 403 })
  expect(await movements()).toBe(known + 1)
})

test('messages in any order and twice are one purchase each, and bad ones are dead letters with a reason', async () => {
  const known = await movements()
  const send = async (body: string) =>
    queues.send(new SendMessageCommand({ QueueUrl: await urlOf(REQUESTS), MessageBody: body }))
  const good = ['q-2', 'q-1', 'q-3', 'q-2', 'q-1'].map((id) => JSON.stringify({ id, request: purchase }))
  const bad = [
    ['no JSON', 'body: expected JSON'],
    [JSON.stringify({ id: 'q-4', request: { ...purchase, amount: 250 } }), expect.stringMatching(/^amount: expected/)],
    [JSON.stringify({ id: 'not an id', request: purchase }), expect.stringMatching(/^id: expected/)],
    ['null', expect.any(String)],
  ] as const
  for (const body of [...good, ...bad.map(([text]) => text)]) await send(body)
  const dead = inbox(DEAD_REQUESTS)
  await expect.poll(async () => (await dead()).length).toBe(bad.length)
  expect(await dead()).toEqual(expect.arrayContaining(bad.map(([body, reason]) => ({ body, reason }))))
  for (const id of ['q-1', 'q-2', 'q-3']) {
    await expect.poll(() => convertExecution(id)?.status).toBe('SUCCEEDED')
  }
  expect(convertExecution('q-4')).toBeUndefined()

  await send(JSON.stringify({ id: 'q-1', request: { ...purchase, amount: '9' } }))
  await expect.poll(async () => (await dead()).at(-1)?.reason).toMatch(/^id q-1 was used for another request/)
  expect(await movements()).toBe(known + 3)
})

test('an event that is put twice pays its invoice once, and the end is an event', async () => {
  const known = await movements()
  const Detail = JSON.stringify({ number: '99', amount: '100', asset: 'USDC', payee: 'exchange-usdc-eth' })
  const entry = { EventBusName: INVOICES_BUS, Source: 'billing', DetailType: 'Invoice Due', Detail }
  const { FailedEntryCount } = await events.send(new PutEventsCommand({ Entries: [entry, entry] }))
  expect(FailedEntryCount).toBe(0)
  const ends = inbox(ENDS)
  await expect.poll(async () => (await ends()).length).toBe(1)
  const [end] = await ends()
  expect(JSON.parse(String(end?.body))).toMatchObject({
    'detail-type': 'Withdrawal Ended',
    detail: { execution: 'invoice-99', result: { outcome: 'COMPLETED', total: '100' } },
  })
  expect(await movements()).toBe(known + 1)
})

test('a state machine waits for its purchase, and buys nothing for an order that was bought', async () => {
  const known = await movements()
  const order = async (name: string, input: object) => {
    const { executionArn } = await machine.aws.startExecution({
      stateMachine: ORDERS,
      name,
      input: JSON.stringify(input),
    })
    return machine.aws.untilFinished(executionArn)
  }
  const bought = await order('first', { order: 'order-1', amount: '250' })
  expect({ status: bought.status, output: JSON.parse(bought.output ?? '{}') }).toMatchObject({
    status: 'SUCCEEDED',
    output: { purchase: { Output: { outcome: 'FILLED', intentId: 'order-1' } } },
  })
  expect(await order('second', { order: 'order-1', amount: '250' })).toMatchObject({ error: 'ASKED_BEFORE' })
  expect(await order('third', { order: 'order-3', amount: 'much' })).toMatchObject({ error: 'MOVED_NOTHING' })
  expect(await movements()).toBe(known + 1)
})

/** Puts an object into the bucket of an example, and returns its version. */
async function putObject(Key: string, Body: string, example = 'BucketExample'): Promise<string> {
  const Bucket = machine.aws.resources().buckets.find(({ path }) => path.startsWith(example))?.name
  return (await s3.send(new PutObjectCommand({ Bucket, Key, Body }))).VersionId ?? ''
}

test('an object starts its purchase once, whether its event comes twice or the object is put again', async () => {
  const known = await movements()
  const content = (id: string, more: object = {}) => JSON.stringify({ id, request: { ...purchase, ...more } })
  deliveries = 'twice'
  await putObject('in/one.json', content('object-1'))
  await expect.poll(() => convertExecution('object-1')?.status).toBe('SUCCEEDED')
  await machine.aws.untilDelivered()
  deliveries = undefined
  await putObject('in/one.json', content('object-1'))
  await putObject('copy of one.json', content('object-1'))
  await putObject('in/other.txt', content('object-9'))
  await machine.aws.untilDelivered()

  const dead = inbox(DEAD_OBJECTS)
  expect(await dead()).toEqual([])
  const bad = [
    ['in/no.json', 'no JSON', 'body: expected JSON'],
    ['in/n ü.json', content('object-2', { amount: 250 }), expect.stringMatching(/^amount: expected/)],
    ['in/one.json', content('object-1', { amount: '9' }), expect.stringMatching(/^id object-1 was used for another/)],
    ['in/large.json', content('x'.repeat(10_001)), 'body: expected at most 10000 bytes'],
  ] as const
  const letters = []
  for (const [key, body, reason] of bad) letters.push({ key, versionId: await putObject(key, body), reason })
  await expect.poll(async () => (await dead()).length).toBe(bad.length)
  const read = (await dead()).map(({ body, reason }) => ({ ...JSON.parse(String(body)), reason }))
  expect(read).toEqual(expect.arrayContaining(letters.map((letter) => expect.objectContaining(letter))))
  expect(convertExecution('object-9')).toBeUndefined()
  expect(await movements()).toBe(known + 1)
})

/** The ends of the executions for the file of this name, oldest first. */
const endsOfFile = async (key: string) => {
  const ofFile = machine.aws.listExecutions(FILES).filter(({ input }) => JSON.parse(input).detail.object.key === key)
  const ended = await Promise.all(ofFile.map(({ executionArn }) => machine.aws.untilFinished(executionArn)))
  return ended.toReversed().map(({ error, status }) => error ?? status)
}

test('a file of payouts pays each row once, also put again or corrected, and two files wait for each other', async () => {
  const known = await movements()
  const contactId = machine.sandbox.contacts.find(({ reference }) => reference === 'exchange-usdc-eth')?.id
  const row = (id: string, amount = '10') => JSON.stringify({ id, contactId, asset: 'USDC', amount })
  const putFile = (key: string, ...rows: string[]) => putObject(key, `${rows.join('\n')}\n`, 'PayoutFileExample')
  const untilEnded = async (key: string, count: number) => {
    await expect.poll(async () => (await endsOfFile(key)).length).toBe(count)
    return endsOfFile(key)
  }
  deliveries = 'twice'
  await putFile('june.jsonl', row('june-1'), row('june-2'))
  expect(await untilEnded('june.jsonl', 2)).toEqual(['SUCCEEDED', 'SUCCEEDED'])
  deliveries = undefined
  expect(await movements()).toBe(known + 2)
  await putFile('june.jsonl', row('june-1'), row('june-2'), row('june-3', '11'))
  // Rows of other amounts: a payee's same amount again under another id would ask a person.
  await putFile('july.jsonl', row('july-1', '12'))
  await untilEnded('june.jsonl', 3)
  expect(await untilEnded('july.jsonl', 1)).toEqual(['SUCCEEDED'])
  expect(await movements()).toBe(known + 4)

  const versionId = await putFile('bad.jsonl', row('bad-1'), row('bad-2', '-1'))
  expect(await untilEnded('bad.jsonl', 1)).toEqual(['BAD_FILE'])
  const [letter] = await inbox(DEAD_FILES)()
  expect(JSON.parse(String(letter?.body))).toMatchObject({ key: 'bad.jsonl', versionId })
  expect(letter?.reason).toMatch(/^line 2\.amount: expected/)
  expect(await movements()).toBe(known + 4)
})

const waitsOf = async (order: string) => {
  const { Item } = await dynamo.send(new GetItemCommand({ TableName: WAITS, Key: { order: { S: order } } }))
  return { tokens: Item?.tokens?.SS ?? [], end: Item?.end?.S }
}
const waitingOrder = async (name: string, order: string, amount = '250') => {
  const input = JSON.stringify({ order, amount })
  return (await machine.aws.startExecution({ stateMachine: WAITING_ORDERS, name, input })).executionArn
}
const boughtBy = async (executionArn: string) => {
  const { error, output, status } = await machine.aws.untilFinished(executionArn)
  return { error, status, purchase: JSON.parse(output ?? '{}').purchase }
}

test('two state machines wait by task tokens for one purchase, and Sluice never sees a token', async () => {
  const known = await movements()
  const orders = [await waitingOrder('token-1', 'waits-1'), await waitingOrder('token-1-again', 'waits-1')]
  for (const executionArn of orders) {
    expect(await boughtBy(executionArn)).toMatchObject({ status: 'SUCCEEDED', purchase: { outcome: 'FILLED' } })
  }
  expect(await movements()).toBe(known + 1)

  const { tokens } = await waitsOf('waits-1')
  expect(tokens).toHaveLength(2)
  const ofSluice = machine.aws.resources().stateMachines.filter(({ name }) => name.startsWith('sluice-'))
  const histories = ofSluice.flatMap(({ name }) =>
    machine.aws.listExecutions(name).map(({ executionArn }) => machine.aws.history(executionArn)),
  )
  expect(histories.length).toBeGreaterThan(0)
  for (const token of tokens) expect(JSON.stringify(histories)).not.toContain(token)
})

test('an end that came before the token was kept is found, and buys nothing again', async () => {
  const known = await movements()
  const Detail = JSON.stringify({ version: 1, id: 'waits-2', request: purchase })
  const entry = { EventBusName: 'sluice', Source: 'example', DetailType: 'Conversion Requested', Detail }
  await events.send(new PutEventsCommand({ Entries: [entry] }))
  await expect.poll(async () => (await waitsOf('waits-2')).end).toContain('FILLED')
  expect(await waitsOf('waits-2')).toMatchObject({ tokens: [] })
  expect(await boughtBy(await waitingOrder('token-2', 'waits-2'))).toMatchObject({
    status: 'SUCCEEDED',
    purchase: { outcome: 'FILLED', quoteAmount: '250' },
  })
  expect(await movements()).toBe(known + 1)
})

test('a purchase that moved nothing ends the state machine that waits for it with that outcome', async () => {
  const known = await movements()
  // Nobody has this much.
  const ended = await boughtBy(await waitingOrder('token-3', 'waits-3', '900000000000'))
  expect(ended).toMatchObject({ status: 'FAILED', error: 'MOVED_NOTHING' })
  expect(JSON.parse((await waitsOf('waits-3')).end ?? '{}')).toMatchObject({ result: { outcome: 'REJECTED' } })
  expect(await movements()).toBe(known)
})

test('a message whose start gets no answer stays in the queue alone, and the others of its batch are done', async () => {
  machine.hook = ({ operation, phase, body }) =>
    operation === 'StartExecution' && phase === 'before' && JSON.stringify(body).includes('r-1')
      ? { errorType: 'ServiceUnavailable', status: 503 }
      : undefined
  for (const id of ['r-1', 'r-2']) {
    const MessageBody = JSON.stringify({ id, request: purchase })
    await queues.send(new SendMessageCommand({ QueueUrl: await urlOf(REQUESTS), MessageBody }))
  }
  const left = () => machine.aws.queueMessages(REQUESTS).map(({ body }) => JSON.parse(body).id)
  await expect.poll(left).toEqual(['r-1'])
  await expect.poll(() => convertExecution('r-2')?.status).toBe('SUCCEEDED')
  expect(convertExecution('r-1')).toBeUndefined()
})

test('a notification that comes twice buys once, as SNS would give it to the function', async () => {
  const known = await movements()
  // The topics of the desk have no subscribers.
  const notify = (Message: string) =>
    machine.aws.invokeFunction(NOTIFIED, JSON.stringify({ Records: [{ EventSource: 'aws:sns', Sns: { Message } }] }))
  const good = JSON.stringify({ id: 'topic-1', request: purchase })
  for (const message of [good, good, 'no JSON']) await notify(message)
  await expect.poll(() => convertExecution('topic-1')?.status).toBe('SUCCEEDED')
  expect(await inbox(DEAD_NOTIFICATIONS)()).toEqual([{ body: 'no JSON', reason: 'body: expected JSON' }])
  expect(await movements()).toBe(known + 1)
})

test('a scheduled time that comes twice buys once', async () => {
  const known = await movements()
  machine.aws.schedules.fire(MONDAYS, new Date('2026-11-30T08:00:00Z'), 2)
  await machine.aws.untilDelivered()
  await expect.poll(() => convertExecution('weekly-2026-11-30')?.status).toBe('SUCCEEDED')
  expect(await movements()).toBe(known + 1)
})

interface Resource {
  readonly Type: string
  readonly Properties: {
    readonly RequestParameters?: Readonly<Record<string, unknown>>
    readonly TargetParameters?: {
      readonly InputTemplate: string
      readonly EventBridgeEventBusParameters: { readonly Source: string; readonly DetailType: string }
    }
  }
}

describe('an example that only AWS can run', () => {
  const outDir = join(folder, 'aws-only')
  const manifest = join(outDir, 'manifest.json')
  let whole: { readonly artifacts: object }
  beforeAll(() => {
    withBundles(bundleOf(inject('assemblyDir')), () =>
      createAwsOnlyApp({ treasury: { ...treasury, requesters: ['222222222222'] }, outDir }),
    ).synth()
    whole = JSON.parse(readFileSync(manifest, 'utf8'))
  })

  const resourcesOf = (stack: string, type: string) => {
    const { Resources } = JSON.parse(readFileSync(join(outDir, `${stack}.template.json`), 'utf8'))
    return Object.values<Resource>(Resources).flatMap(({ Properties, Type }) => (Type === type ? [Properties] : []))
  }

  test.each([
    ['ApiGatewayExample', /PayloadFormatVersion: 1.0 is not supported/],
    ['PipeExample', /StreamSpecification: the embedded AWS does not support/],
    ['AskingAccountExample', /is in another account or region than/],
    [
      'EndsElsewhereExample',
      /its target is not .* of the assembly: arn:aws:events:eu-west-1:2{12}:event-bus\/example-orders/,
    ],
  ])('%s is synthesized, and the desk says why it does not start', async (example, reason) => {
    const kept = Object.entries(whole.artifacts).filter(
      ([id]) => !/Example(?:\.assets)?$/.test(id) || id.startsWith(example),
    )
    writeFileSync(manifest, JSON.stringify({ ...whole, artifacts: Object.fromEntries(kept) }))
    const booted = startEmbeddedAws({ assemblyDir: outDir, stateDir: join(folder, example) })
    await expect(booted).rejects.toThrow(reason)
  })

  test('what a pipe makes of a message and of an item is a request, and comes twice as one purchase', async () => {
    const known = await movements()
    const sources = [
      { body: { id: 'pipe-1', request: purchase } },
      { dynamodb: { NewImage: { order: { S: 'pipe-2' }, amount: { S: '250' } } } },
    ]
    const pipes = resourcesOf('PipeExample', 'AWS::Pipes::Pipe')
    const Entries = pipes.map(({ TargetParameters }, index) => ({
      ...{ EventBusName: 'sluice', ...TargetParameters?.EventBridgeEventBusParameters },
      Detail: filled(TargetParameters?.InputTemplate ?? '', sources[index]),
    }))
    for (const _ of ['once', 'twice']) {
      await events.send(new PutEventsCommand({ Entries }))
      await expect.poll(movements).toBe(known + 2)
      await machine.aws.untilDelivered()
    }
    expect(await movements()).toBe(known + 2)
  })

  test('what API Gateway starts has the id of the path as its name, so a second POST buys nothing', async () => {
    const [integration] = resourcesOf('ApiGatewayExample', 'AWS::ApiGatewayV2::Integration')
    expect(integration?.RequestParameters).toMatchObject({ Name: '$request.path.id', Input: '$request.body' })
    const known = await movements()
    const post = () =>
      machine.aws.startExecution({ stateMachine: 'sluice-convert', name: 'post-1', input: JSON.stringify(purchase) })
    const first = await post()
    expect((await post()).executionArn).toBe(first.executionArn)
    expect(await machine.aws.untilFinished(first.executionArn)).toMatchObject({ status: 'SUCCEEDED' })
    await expect(post()).rejects.toThrow(/ExecutionAlreadyExists|already exists/i)
    expect(await movements()).toBe(known + 1)
  })
})

/** Fills a template of a pipe as AWS documents it: a text within its quotes, an object as JSON. */
function filled(template: string, source: unknown): string {
  return template.replace(/<\$\.([\w.]+)>/g, (_, found: string) => {
    const value = found.split('.').reduce((at, name) => (at as Record<string, unknown>)[name], source)
    return typeof value === 'string' ? value : JSON.stringify(value)
  })
}

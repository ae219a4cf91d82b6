// The SDK's clients as a function that moves money has them, beside the SDK's own: what they send, what they make of each
// answer, and how often they try.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import * as dynamoDb from '@aws-sdk/client-dynamodb'
import * as kms from '@aws-sdk/client-kms'
import * as secrets from '@aws-sdk/client-secrets-manager'
import { buildSync } from 'esbuild'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { awsFault } from '../../core/aws-fault.ts'
import { OwnFault } from '../../core/errors.ts'
import { FAST_IN_PLACE_OF } from '../../infra/bundle.ts'

/** Of a package, what the functions use. */
type Sdk = Pick<
  typeof dynamoDb & typeof kms & typeof secrets,
  | 'DescribeTableCommand'
  | 'DynamoDBClient'
  | 'GetItemCommand'
  | 'GetSecretValueCommand'
  | 'KMSClient'
  | 'PutItemCommand'
  | 'QueryCommand'
  | 'SecretsManagerClient'
  | 'SignCommand'
  | 'TransactWriteItemsCommand'
>
type Ask = (sdk: Sdk) => Promise<object>
interface Told {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}
/** What the service does with one request: answers, hangs up, cuts an answer off, or takes a second to end it. */
type Answer = Told | 'hang up' | 'cut off' | 'linger'
interface Asked {
  readonly line: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
}

const folder = mkdtempSync(join(tmpdir(), 'sluice-sdk-'))
const own: Sdk = { ...dynamoDb, ...kms, ...secrets }
const asked: Asked[] = []
let answers: Answer[] = []
let fast: Sdk

const server = createServer((request, response) => void answer(request, response))

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { host, 'content-type': type, 'x-amz-target': target } = request.headers
  asked.push({
    line: `${request.method} ${request.url}`,
    headers: { host, type, target },
    body: JSON.parse(await text(request)),
  })
  const told = answers.shift() ?? { status: 500, body: '{}' }
  if (told === 'hang up') return void request.socket.destroy()
  if (told === 'cut off') {
    response.writeHead(200, { 'content-length': 100 }).write('{"Item"')
    return void setTimeout(() => request.socket.destroy(), 20)
  }
  if (told === 'linger') {
    response.writeHead(200).write('{"Item":')
    return void setTimeout(() => response.end('{"pk":{"S":"late"}}}'), 1_000)
  }
  response.writeHead(told.status, { 'x-amzn-requestid': 'request-1', ...told.headers }).end(told.body)
}

beforeAll(async () => {
  const outfile = join(folder, 'clients.cjs')
  const contents = ['dynamodb', 'kms', 'secrets-manager'].map((name) => `export * from '@aws-sdk/client-${name}'\n`)
  buildSync({
    stdin: { contents: contents.join(''), resolveDir: process.cwd() },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    mainFields: ['module', 'main'],
    alias: FAST_IN_PLACE_OF,
    logLevel: 'silent',
  })
  fast = createRequire(import.meta.url)(outfile)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(({ onTestFinished }) => {
  const environment = process.env
  onTestFinished(() => {
    process.env = environment
  })
  process.env = { ...environment }
  process.env.AWS_REGION = 'eu-west-1'
  process.env.AWS_ACCESS_KEY_ID = 'AKIDEXAMPLE'
  process.env.AWS_SECRET_ACCESS_KEY = 'a secret'
  for (const name of ['DYNAMODB', 'KMS', 'SECRETS_MANAGER'])
    process.env[`AWS_ENDPOINT_URL_${name}`] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

const LIMITS = { maxAttempts: 3, requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000 } }
const TableName = 'journal'
const ask = {
  read: (sdk) => new sdk.DynamoDBClient(LIMITS).send(new sdk.GetItemCommand({ TableName, Key: { pk: { S: 'I#1' } } })),
  write: (sdk) =>
    new sdk.DynamoDBClient(LIMITS).send(
      new sdk.PutItemCommand({
        TableName,
        Item: { pk: { S: 'I#é€' }, n: { N: '1' }, m: { M: { l: { L: [{ BOOL: true }, { NULL: true }] } } } },
        ConditionExpression: '#version = :expected',
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: { ':expected': { N: '3' } },
      }),
    ),
  describe: (sdk) => new sdk.DynamoDBClient(LIMITS).send(new sdk.DescribeTableCommand({ TableName })),
  list: (sdk) =>
    new sdk.DynamoDBClient(LIMITS).send(
      new sdk.QueryCommand({ TableName, IndexName: 'listed', Limit: 5, ExclusiveStartKey: { pk: { S: 'I#1' } } }),
    ),
  secret: (sdk) => new sdk.SecretsManagerClient(LIMITS).send(new sdk.GetSecretValueCommand({ SecretId: 'key' })),
  sign: (sdk) =>
    new sdk.KMSClient(LIMITS).send(
      new sdk.SignCommand({ KeyId: 'alias/key', Message: Buffer.from('ab'), SigningAlgorithm: 'ED25519_SHA_512' }),
    ),
} satisfies Record<string, Ask>

/** What came of it, and what the service was asked. */
async function outcomeOf(way: Ask, sdk: Sdk, told: readonly Answer[]) {
  asked.length = 0
  answers = [...told]
  const came = await way(sdk).then(
    ({ $metadata, ...output }: { $metadata?: { httpStatusCode?: number; attempts?: number } }) => ({
      output,
      status: $metadata?.httpStatusCode,
      attempts: $metadata?.attempts,
    }),
    ({ name, message, $fault, $metadata }) => ({
      error: { name, message, $fault },
      status: $metadata?.httpStatusCode,
      attempts: $metadata?.attempts,
    }),
  )
  return { ...came, asked: [...asked] }
}

const ok = (body: object): Told => ({ status: 200, body: JSON.stringify(body) })
const refused = (name: string, status = 400): Told => ({
  status,
  body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'because' }),
})
const ITEM = { Item: { pk: { S: 'I#1' }, at: { N: '1.5' }, b: { B: 'AAEC' }, l: { L: [{ M: { s: { S: '' } } }] } } }

test.each<[string, Ask, readonly Answer[]]>([
  ['a record', ask.read, [ok(ITEM)]],
  ['no record', ask.read, [ok({})]],
  ['a field that the SDK does not know', ask.read, [ok({ ...ITEM, New: 1 })]],
  ['a write', ask.write, [ok({})]],
  [
    'a table and its times',
    ask.describe,
    [ok({ Table: { TableId: 't-1', CreationDateTime: 1_764_000_000.5, RestoreSummary: { RestoreDateTime: 1 } } })],
  ],
  ['a list', ask.list, [ok({ Items: [ITEM.Item], Count: 1, LastEvaluatedKey: { pk: { S: 'I#1' } } })]],
  ['a secret', ask.secret, [ok({ SecretString: '{"secret":"…"}', CreatedDate: 1_764_000_000, VersionStages: ['A'] })]],
  ['a signature', ask.sign, [ok({ KeyId: 'k', Signature: 'AAEC' })]],
])('%s: sent and read as the SDK does', async (_what, way, told) => {
  expect(await outcomeOf(way, fast, told)).toEqual(await outcomeOf(way, own, told))
})

test.each<[string, Ask, readonly Answer[]]>([
  ['a condition that does not hold', ask.write, [refused('ConditionalCheckFailedException')]],
  ['a wrong request', ask.write, [refused('ValidationException')]],
  ['a table that is not there', ask.read, [refused('ResourceNotFoundException')]],
  ['an error that nobody has heard of', ask.read, [refused('NewException')]],
  ['an error that names no kind', ask.read, [{ status: 418, body: '{}' }]],
  ['a secret that may not be read', ask.secret, [{ status: 400, body: '{"__type":"AccessDeniedException"}' }]],
  [
    'an error that a header names',
    ask.secret,
    [{ status: 400, body: '{"Message":"m"}', headers: { 'x-amzn-errortype': 'DecryptionFailure:http://x' } }],
  ],
  ['a key that is disabled', ask.sign, [{ status: 400, body: '{"__type":"DisabledException","message":"m"}' }]],
])('%s is the error that it is for the SDK, and is not tried again', async (_what, way, told) => {
  const ours = await outcomeOf(way, fast, told)
  expect(ours).toEqual(await outcomeOf(way, own, told))
  expect(ours.asked).toHaveLength(1)
})

test.each<[string, Ask, readonly Answer[], number]>([
  ['throttled', ask.read, [refused('ProvisionedThroughputExceededException'), ok(ITEM)], 2],
  ['unavailable', ask.write, [{ status: 503, body: '{}' }, ok({})], 2],
  ['at fault', ask.read, [refused('InternalServerError', 500), ok(ITEM)], 2],
  ['at fault for good', ask.write, [refused('InternalServerError', 500)], 3],
  ['gone', ask.read, ['hang up', ok(ITEM)], 2],
  ['gone for good', ask.write, ['hang up', 'hang up', 'hang up'], 3],
])('a service that is %s is asked again as often as by the SDK', async (_what, way, told, times) => {
  const ours = await outcomeOf(way, fast, told)
  expect(ours).toEqual(await outcomeOf(way, own, told))
  expect(ours.asked).toHaveLength(times)
})

test('an answer that is cut off is tried again, and never read as one', async () => {
  const { asked, ...came } = await outcomeOf(ask.read, fast, ['cut off', ok({ Item: { pk: { S: 'whole' } } })])
  expect(came).toMatchObject({ output: { Item: { pk: { S: 'whole' } } } })
  expect(asked).toHaveLength(2)
})

test.each([
  [100, 'I#1'],
  [0, 'late'],
])(
  'an answer has as long to its end as to its head, %i ms, where 0 is the usual; then it is asked for again',
  async (requestTimeout, pk) => {
    const client = new fast.DynamoDBClient({ ...LIMITS, requestHandler: { ...LIMITS.requestHandler, requestTimeout } })
    answers = ['linger', ok(ITEM)]
    const read = new fast.GetItemCommand({ TableName, Key: { pk: { S: 'I#1' } } })
    expect(await client.send(read)).toMatchObject({ Item: { pk: { S: pk } } })
  },
)

test('no timer is left behind an answer', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  answers = [ok(ITEM), ok(ITEM)]
  await ask.read(fast)
  const before = timers()
  await ask.read(fast)
  // One of an earlier test may end meanwhile.
  expect(timers()).toBeLessThanOrEqual(before)
})

test.each(['{"Item":{"pk":null}}', '{"Item":{"pk":"x"}}', '{"Item":[]}', '{"Item":{"l":{"L":{}}}}'])(
  'a record that is none is not read as an empty one: %s',
  async (body) => {
    answers = [{ status: 200, body }]
    await expect(ask.read(fast)).rejects.toThrow(SyntaxError)
  },
)

test.each(['AAE', 'AA EC', '!', 'AAEC='])('bytes that are no base64 are refused: %j', async (Signature) => {
  answers = [ok({ Signature })]
  await expect(ask.sign(fast)).rejects.toThrow('no base64')
})

test('a command that wants a token for each request is refused before it is sent', async () => {
  asked.length = 0
  const write = new fast.TransactWriteItemsCommand({ TransactItems: [] })
  await expect(new fast.DynamoDBClient(LIMITS).send(write)).rejects.toThrow('TransactWriteItems wants a token')
  expect(asked).toEqual([])
})

test.each(['', 'null', '[]', '"x"'])(
  'an answer that is no object is an error, and not an empty one: %j',
  async (body) => {
    for (const each of [ask.read, ask.write]) {
      answers = [{ status: 200, body }]
      await expect(each(fast)).rejects.toThrow(SyntaxError)
    }
  },
)

test('a service that says when is asked again no sooner', async ({ onTestFinished }) => {
  // The clock stands still, so the wait is exactly as long as the service has said.
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const timer = setTimeout
  const { promise: wait, resolve: onWait } = Promise.withResolvers<() => void>()
  // No other timer is for two seconds.
  const timers = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation(((then: () => void, ms: number) =>
      ms === 2_000 ? onWait(then) : timer(then, ms)) as typeof setTimeout)
  onTestFinished(() => timers.mockRestore())
  asked.length = 0
  answers = [{ status: 503, body: '{}', headers: { 'retry-after': '2' } }, ok({})]
  const came = ask.read(fast)
  const end = await Promise.race([wait, came])
  expect(asked).toHaveLength(1)
  if (end instanceof Function) end()
  await came
  expect(asked).toHaveLength(2)
})

test('a page of a gateway is an error of its status', async () => {
  const page = { status: 502, body: '<html>' }
  expect(await outcomeOf(ask.write, fast, [page, page, page])).toMatchObject({ status: 502, attempts: 3 })
})

test('without credentials or a region nothing is sent', async () => {
  const { AWS_REGION, ...rest } = process.env
  process.env = rest
  await expect(ask.read(fast)).rejects.toThrow('Region is missing')
  process.env = { ...rest, AWS_REGION: '' }
  await expect(ask.read(fast)).rejects.toThrow('Region is missing')
  process.env = { ...rest, AWS_REGION, AWS_ACCESS_KEY_ID: '' }
  await expect(ask.read(fast)).rejects.toThrow('the environment holds no AWS credentials')
})

test.each(['http://127.0.0.1/aws', 'http://127.0.0.1/?a', 'http://a:b@127.0.0.1', 'localhost:8000'])(
  'an address that has more than a host, or less, is refused and is a fault of ours: %s',
  async (address) => {
    process.env.AWS_ENDPOINT_URL_DYNAMODB = address
    const error = await ask.read(fast).then(String, (failure) => failure)
    expect(error.message).toContain('AWS_ENDPOINT_URL_DYNAMODB must be an address and no more')
    expect(awsFault('no answer', error)).toBeInstanceOf(OwnFault)
  },
)

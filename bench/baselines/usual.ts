// Implements the steps Quote and Order in the usual way, as a baseline of speed. CDK's NodejsFunction bundles a handler
// with the SDK's document client, zod, Powertools (logger, metrics, idempotency), jose and the global fetch. It is no
// model: where an answer is lost, it pays twice. The first call of a process asks as often as our steps do: 6 calls of
// AWS for a quote, 9 for an order.
import { createHash, randomUUID } from 'node:crypto'
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency'
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb'
import { Logger } from '@aws-lambda-powertools/logger'
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import type { Context } from 'aws-lambda'
import { importPKCS8, SignJWT } from 'jose'
import { z } from 'zod'

const environment = z
  .object({ SLUICE_JOURNAL_TABLE: z.string(), SLUICE_KEY_SECRET: z.string(), SLUICE_SERVICE_URL: z.url() })
  .parse(process.env)

const logger = new Logger({ serviceName: 'usual' })
const metrics = new Metrics({ namespace: 'usual', serviceName: 'usual' })
const table = environment.SLUICE_JOURNAL_TABLE
const dynamoDb = new DynamoDBClient({})
const documents = DynamoDBDocumentClient.from(dynamoDb)
const secrets = new SecretsManagerClient({})
const persistenceStore = new DynamoDBPersistenceLayer({ tableName: table, keyAttr: 'pk', awsSdkV3Client: dynamoDb })

const amount = z.string().regex(/^\d+(\.\d+)?$/)
const request = z.object({
  baseAsset: z.string(),
  quoteAsset: z.string(),
  side: z.enum(['BUY', 'SELL']),
  amountAsset: z.string(),
  amount,
})
const quoteEvent = z.object({ execution: z.string(), startedAt: z.iso.datetime(), request })
const quoteAnswer = z.object({ orderId: z.string(), rate: amount, baseAmount: amount, quoteAmount: amount })
/** `said`: the result of the step Quote, as the state machine passes it on. */
const orderEvent = z.object({ said: z.object({ intentId: z.string(), quote: quoteAnswer }) })
const keyMaterial = z.object({ secret: z.string(), privateKeyPem: z.string(), alg: z.string().default('EdDSA') })

/** Length of the public prefix of a service key, by which the service finds the key. */
const PREFIX_LENGTH = 21
const ANSWER_TIMEOUT_MS = 5_000
const TOKEN_SECONDS = 30

interface Key {
  readonly secret: string
  readonly prefix: string
  readonly alg: string
  readonly privateKey: Awaited<ReturnType<typeof importPKCS8>>
}
let keyPromise: Promise<Key> | undefined

function key(): Promise<Key> {
  keyPromise ??= (async () => {
    const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId: environment.SLUICE_KEY_SECRET }))
    const { secret, privateKeyPem, alg } = keyMaterial.parse(JSON.parse(SecretString ?? ''))
    return { secret, prefix: secret.slice(0, PREFIX_LENGTH), alg, privateKey: await importPKCS8(privateKeyPem, alg) }
  })()
  return keyPromise
}

async function call(method: string, path: string, body?: object): Promise<unknown> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const answer = await fetch(`${environment.SLUICE_SERVICE_URL}${path}`, {
    method,
    headers: { ...(await authorisation(method, path, text)), 'content-type': 'application/json' },
    ...(text !== undefined && { body: text }),
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`)
  return answer.json()
}

async function authorisation(method: string, path: string, body: string | undefined): Promise<Record<string, string>> {
  const { alg, prefix, privateKey, secret } = await key()
  // Only a request that moves money is signed. Quotes and reads carry the secret.
  if (path !== '/v2/orders') return { authorization: `Bearer ${secret}` }
  const bodyHash = createHash('sha256')
    .update(body ?? '')
    .digest('hex')
  const token = await new SignJWT({ uri: `${method} ${path}`, nonce: randomUUID(), bodyHash })
    .setProtectedHeader({ alg, typ: 'JWT' })
    .setSubject(prefix)
    .setIssuedAt()
    .setExpirationTime(`${TOKEN_SECONDS}s`)
    .sign(privateKey)
  return { authorization: `Bearer ${token}`, 'x-api-key': prefix }
}

/** Prefix of this baseline's records, which share the table with the journal. */
const OWN = 'U#'

const read = (pk: string) => documents.send(new GetCommand({ TableName: table, Key: { pk }, ConsistentRead: true }))
const write = (pk: string, item: object) =>
  documents.send(new PutCommand({ TableName: table, Item: { pk, writtenAt: new Date().toISOString(), ...item } }))

let isAccountRead = false

const assets = new Map<string, Promise<unknown>>()

async function askQuote(event: unknown) {
  const { execution, request } = quoteEvent.parse(event)
  await readAccountOnce()
  await read(`${OWN}${execution}`)
  await call('GET', '/v2/time')
  await readAssetOnce(request.amountAsset)
  const terms = quoteAnswer.parse(await call('POST', '/v2/quotes', { ...request, assetFormat: 'base' }))
  logger.info('quoted', { execution, orderId: terms.orderId })
  metrics.addMetric('Quoted', MetricUnit.Count, 1)
  metrics.publishStoredMetrics()
  return { intentId: execution, quote: terms }
}

/** Reads the time, the account and its records, once in a process, as our steps do. */
async function readAccountOnce(): Promise<void> {
  if (isAccountRead) return
  isAccountRead = true
  await call('GET', '/v2/time')
  await call('GET', '/v2/account')
  await read(`${OWN}settings`)
  await read(`${OWN}account`)
}

function readAssetOnce(asset: string): Promise<unknown> {
  const known = assets.get(asset) ?? call('GET', `/v2/assets/${asset}`)
  assets.set(asset, known)
  return known
}

async function sendOrder(event: unknown) {
  const { intentId, quote } = orderEvent.parse(event).said
  await readAccountOnce()
  await read(`${OWN}${intentId}`)
  await read(`${OWN}halt`)
  await call('GET', '/v2/time')
  await write(`${OWN}${intentId}`, { state: 'ARMED', orderId: quote.orderId })
  await call('POST', '/v2/orders', { orderId: quote.orderId })
  const order = z
    .object({ status: z.string() })
    .parse(await call('GET', `/v2/orders/${quote.orderId}?assetFormat=base`))
  await call('GET', `/v2/orders/${quote.orderId}/fills?limit=100&assetFormat=base`)
  await write(`${OWN}${quote.orderId}`, { intentId })
  logger.info('ordered', { intentId, status: order.status })
  metrics.addMetric('Ordered', MetricUnit.Count, 1)
  metrics.publishStoredMetrics()
  return { intentId, outcome: order.status }
}

function handler(work: (event: unknown) => Promise<object>, idAt: string) {
  const config = new IdempotencyConfig({ eventKeyJmesPath: idAt })
  const idempotent = makeIdempotent(work, { persistenceStore, config })
  return (event: unknown, context: Context) => {
    logger.addContext(context)
    config.registerLambdaContext(context)
    return idempotent(event)
  }
}

export const quote = handler(askQuote, 'execution')
export const order = handler(sendOrder, 'said.intentId')

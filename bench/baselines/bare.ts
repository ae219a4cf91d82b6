// Makes the same calls as the steps Quote and Order, in the same number, one after the other. It uses the SDK's client,
// node:http with kept connections, and a signature. It checks nothing, stores nothing, and logs nothing. It is a
// baseline of speed: the extra time of the steps is the price of safety.
import { createHash, createPrivateKey, randomUUID, sign } from 'node:crypto'
import { Agent, request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'

const { SLUICE_JOURNAL_TABLE: TableName, SLUICE_KEY_SECRET: SecretId, SLUICE_SERVICE_URL: SERVICE } = process.env
const PREFIX_LENGTH = 21
const TOKEN_SECONDS = 30

const dynamoDb = new DynamoDBClient({})
const agent = new Agent({ keepAlive: true })
const key = readKey()

interface Quoted {
  readonly said: { readonly intentId: string; readonly quote: { readonly orderId: string } }
}

let isRead = false

/** Read once a process, as the step does. */
async function readAssetOnce(asset: string): Promise<void> {
  if (isRead) return
  isRead = true
  await call('GET', `/v2/assets/${asset}`)
}

export async function quote({ execution, request }: { execution: string; request: { amountAsset: string } }) {
  await read(`U#${execution}`)
  await call('GET', '/v2/time')
  await readAssetOnce(request.amountAsset)
  await write(`U#${execution}`, 'OPEN', 800, listedIn('OPEN', execution))
  const quoted = await call('POST', '/v2/quotes', { ...request, assetFormat: 'base' })
  return { intentId: execution, quote: quoted }
}

export async function order({ said }: Quoted) {
  const { intentId, quote } = said
  const { orderId } = quote
  await read(`U#${intentId}`)
  await call('GET', '/v2/time')
  await read('U#halt')
  await write(`U#${intentId}`, 'ARMED', 1_620, listedIn('OPEN', intentId), 'OPEN')
  await call('POST', '/v2/orders', { orderId })
  await write(`U#${orderId}`, 'CLAIMED', 226, {})
  await write(`U#${intentId}`, 'DONE', 1_680, listedIn('DONE', intentId), 'ARMED')
  const { status } = await call('GET', `/v2/orders/${orderId}?assetFormat=base`)
  await call('GET', `/v2/orders/${orderId}/fills?limit=100&assetFormat=base`)
  return { intentId, outcome: status }
}

const read = (pk: string) =>
  dynamoDb.send(new GetItemCommand({ TableName, Key: { pk: { S: pk } }, ConsistentRead: true }))
/** Writes as many bytes as the step does, also under a condition. `listed`: from `listedIn`, or empty. */
const write = (pk: string, state: string, bytes: number, listed: object, before?: string) =>
  dynamoDb.send(
    new PutItemCommand({
      TableName,
      Item: { pk: { S: pk }, state: { S: state }, text: { S: 'x'.repeat(bytes) }, ...listed },
      ...(before === undefined
        ? { ConditionExpression: 'attribute_not_exists(pk)' }
        : { ConditionExpression: '#state = :before', ...namedState(before) }),
    }),
  )
/** The keys of both indexes. The step's record of an intent has them, and the table writes an index with the record. */
const listedIn = (list: string, id: string) => ({
  listed: { S: list },
  asked: { S: 'ASKED#convert#2026-01' },
  askedAt: { S: `2026-01-01T00:00:00.000Z#${id}` },
})
const namedState = (before: string) => ({
  ExpressionAttributeNames: { '#state': 'state' },
  ExpressionAttributeValues: { ':before': { S: before } },
})

async function readKey() {
  const { SecretString } = await new SecretsManagerClient({}).send(new GetSecretValueCommand({ SecretId }))
  const { secret, privateKeyPem } = JSON.parse(SecretString ?? '')
  return { secret, prefix: secret.slice(0, PREFIX_LENGTH), privateKey: createPrivateKey(privateKeyPem) }
}

async function call(method: string, path: string, body?: object) {
  const sent = body === undefined ? '' : JSON.stringify(body)
  const headers = { ...(await authorisation(method, path, sent)), 'content-type': 'application/json' }
  const asked = httpRequest(`${SERVICE}${path}`, { agent, method, headers })
  const answered = new Promise<Parameters<typeof text>[0] & { statusCode?: number }>((resolve, reject) => {
    asked.once('response', resolve).once('error', reject)
  })
  asked.end(sent)
  const answer = await answered
  const content = await text(answer)
  if (answer.statusCode === undefined || answer.statusCode >= 300) throw new Error(`${method} ${path}: ${content}`)
  return JSON.parse(content)
}

async function authorisation(method: string, path: string, body: string): Promise<Record<string, string>> {
  const { prefix, privateKey, secret } = await key
  if (method !== 'POST' || path !== '/v2/orders') return { authorization: `Bearer ${secret}` }
  const now = Math.floor(Date.now() / 1_000)
  const bodyHash = createHash('sha256').update(body).digest('hex')
  const claims = {
    uri: `${method} ${path}`,
    nonce: randomUUID(),
    bodyHash,
    sub: prefix,
    iat: now,
    exp: now + TOKEN_SECONDS,
  }
  const head = `${encoded({ alg: 'EdDSA', typ: 'JWT' })}.${encoded(claims)}`
  const token = `${head}.${sign(null, Buffer.from(head), privateKey).toString('base64url')}`
  return { authorization: `Bearer ${token}`, 'x-api-key': prefix }
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

// Tests the description's "Events", received on a real socket and verified with the published key set.
import { createPublicKey, verify } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Caller } from './caller.ts'

interface Received {
  readonly signature: string
  readonly bytes: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any field of the event
  readonly event: any
}

let caller: Caller
let receiver: Server
let answerWith: (attempt: number) => number = () => 204
const received: Received[] = []
let attempts = 0

beforeAll(async () => {
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      attempts += 1
      const status = answerWith(attempts)
      const bytes = Buffer.concat(chunks)
      if (status < 300) {
        const signature = String(request.headers['x-webhook-signature'])
        received.push({ signature, bytes, event: JSON.parse(bytes.toString()) })
      }
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const { port } = receiver.address() as AddressInfo
  caller = await Caller.start({ webhookUrl: `http://127.0.0.1:${port}/hook` })
})
beforeEach(() => {
  received.length = 0
  attempts = 0
  answerWith = () => 204
})
afterAll(async () => {
  await caller.sandbox.stop()
  receiver.closeAllConnections()
  receiver.close()
})

const types = () => received.map(({ event }) => event.type).sort()
const until = (expected: string[]) => expect.poll(types, { interval: 10 }).toEqual(expected)

test('a delivery verifies with the published key that its kid names, over the very bytes of the body', async () => {
  await caller.control('POST', '/balance', { assetSymbol: 'USD', credit: '5' })
  await until(['deposit.credited'])
  const [{ signature, bytes }] = received as [Received]
  const [head, payload, mac] = signature.split('.') as [string, string, string]
  expect(payload).toBe('')
  const { alg, kid } = JSON.parse(Buffer.from(head, 'base64url').toString())
  expect(alg).toBe('EdDSA')
  const { body } = await caller.send('GET', '/v2/.well-known/webhook-jwks.json', {})
  const jwk = body.keys.find((key: { kid: string }) => key.kid === kid)
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  const signed = (text: Buffer) => Buffer.from(`${head}.${text.toString('base64url')}`)
  expect(verify(null, signed(bytes), key, Buffer.from(mac, 'base64url'))).toBe(true)
  expect(verify(null, signed(Buffer.from('{}')), key, Buffer.from(mac, 'base64url'))).toBe(false)
})

test('an order and its fill cause events with both representations and the multiplier', async () => {
  const { body: placed } = await caller.convert('NVDASPV-USD', 'BUY', 'NVDASPV', '0.5')
  await until(['fill.executed', 'order.status.updated'])
  for (const { event } of received) {
    expect(event.data).toMatchObject({ multiplier: '10', baseAmount: '5', base: { baseAmount: '0.5' } })
  }
  const fill = received.find(({ event }) => event.type === 'fill.executed')
  expect(fill?.event.data.id).toBe(placed.transactionId)
})

test('each status change of a withdrawal is reported without a request', async () => {
  const to = { assetSymbol: 'USDC', amount: '50', contactReference: 'cold-usdc-polygon' }
  const { body } = await caller.signed('/v2/withdrawals', to)
  await until(['withdrawal.created'])
  await caller.advance(2_000)
  await until(['withdrawal.created', 'withdrawal.status.updated'])
  const [, { event }] = received as [Received, Received]
  expect(event.data).toMatchObject({ id: body.id, status: 'PROCESSING', transactionHash: expect.any(String) })
})

test('a refused delivery is retried', async () => {
  answerWith = (attempt) => (attempt <= 2 ? 500 : 200)
  await caller.control('POST', '/balance', { assetSymbol: 'EUR', credit: '5' })
  await until(['deposit.credited'])
  expect(attempts).toBe(3)
  const { deliveries } = await caller.control('GET', '/webhooks')
  expect(deliveries.at(-1)).toMatchObject({ type: 'deposit.credited', attempts: 3, state: 'delivered' })
})

// What the service lists and where contacts lead may change between two requests: by control, over HTTP or from
// within the process.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Caller, expectProblem } from './caller.ts'

let caller: Caller
let asked: string[]
beforeAll(async () => {
  caller = await Caller.start({
    seed: 'listings',
    onRequest: (method, path) => asked.push(`${method} ${path}`),
  })
})
beforeEach(() => {
  asked = []
  for (const assetSymbol of ['LINK', 'ETH'])
    caller.sandbox.control('POST', '/listing', { assetSymbol, listing: 'full' })
})
afterAll(() => caller.sandbox.stop())

const namesIn = async (path: string, field: string) =>
  (await caller.get(`${path}?limit=100`)).body.data.map((one: Record<string, unknown>) => one[field])

test('an asset without a price keeps its listing, and nothing is quoted on its markets', async () => {
  caller.sandbox.control('POST', '/listing', { assetSymbol: 'LINK', listing: 'unpriced' })
  expect(await namesIn('/v2/markets', 'id')).toContain('LINK-USD')
  expectProblem(await caller.get('/v2/markets/LINK-USD/price?side=SELL'), 404, 'not_found')
  const quote = { baseAsset: 'LINK', quoteAsset: 'USD', amountAsset: 'LINK', side: 'BUY', amount: '10' }
  expectProblem(await caller.post('/v2/quotes', quote), 422, 'unprocessable')
})

test('an asset that is not listed has neither a name nor markets, and what is held of it stays', async () => {
  caller.sandbox.control('POST', '/listing', { assetSymbol: 'ETH', listing: 'unlisted' })
  expect(await namesIn('/v2/assets', 'assetSymbol')).not.toContain('ETH')
  expect(await namesIn('/v2/markets', 'id')).not.toContain('ETH-USD')
  expectProblem(await caller.get('/v2/assets/ETH'), 404, 'not_found')
  expectProblem(await caller.get('/v2/markets/ETH-USD'), 404, 'not_found')
  const { body } = await caller.get('/v2/balances')
  expect(body.map(({ assetSymbol }: { assetSymbol: string }) => assetSymbol)).toContain('ETH')
})

test('a contact that leads elsewhere was changed by then', async () => {
  const { id = '' } = caller.sandbox.contacts.find(({ reference }) => reference === 'cold-usdc-polygon') ?? {}
  const before = (await caller.get(`/v2/contacts/${id}`)).body
  caller.sandbox.control('POST', `/contacts/${id}`, { destination: 'elsewhere', networkId: 'SOLANA' })
  const after = (await caller.get(`/v2/contacts/${id}`)).body
  expect(after.crypto).toMatchObject({ networkId: 'SOLANA' })
  expect(Date.parse(after.updatedAt)).toBeGreaterThanOrEqual(Date.parse(before.updatedAt))
  expect(() => caller.sandbox.control('POST', `/contacts/${id}`, { networkId: 'BITCOIN' })).toThrow(/network/)
})

test('each request of the API is told before it is answered, and no call of the control API', async () => {
  await caller.get('/v2/markets/ETH-USD/price?side=SELL')
  await fetch(`${caller.sandbox.controlUrl}/clock`)
  expect(asked).toEqual(['GET /v2/markets/ETH-USD/price'])
})

// The assets that the service lists, and where contacts lead, may change between two requests: by a control call over
// HTTP or within the process.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Caller, expectProblem } from './caller.ts'

let caller: Caller
let seen: string[]
beforeAll(async () => {
  caller = await Caller.start({
    seed: 'listings',
    onRequest: (method, path) => seen.push(`${method} ${path}`),
  })
})
beforeEach(() => {
  seen = []
  for (const assetSymbol of ['LINK', 'ETH'])
    caller.sandbox.control('POST', '/listing', { assetSymbol, listing: 'full' })
})
afterAll(() => caller.sandbox.stop())

const namesIn = async (path: string, field: string) =>
  (await caller.get(`${path}?limit=100`)).body.data.map((row: Record<string, unknown>) => row[field])

test('an asset without a price stays listed, and its markets quote nothing', async () => {
  caller.sandbox.control('POST', '/listing', { assetSymbol: 'LINK', listing: 'unpriced' })
  expect(await namesIn('/v2/markets', 'id')).toContain('LINK-USD')
  expectProblem(await caller.get('/v2/markets/LINK-USD/price?side=SELL'), 404, 'not_found')
  const quote = { baseAsset: 'LINK', quoteAsset: 'USD', amountAsset: 'LINK', side: 'BUY', amount: '10' }
  expectProblem(await caller.post('/v2/quotes', quote), 422, 'unprocessable')
})

test('an unlisted asset is in no list of assets or markets, and its balance stays', async () => {
  caller.sandbox.control('POST', '/listing', { assetSymbol: 'ETH', listing: 'unlisted' })
  expect(await namesIn('/v2/assets', 'assetSymbol')).not.toContain('ETH')
  expect(await namesIn('/v2/markets', 'id')).not.toContain('ETH-USD')
  expectProblem(await caller.get('/v2/assets/ETH'), 404, 'not_found')
  expectProblem(await caller.get('/v2/markets/ETH-USD'), 404, 'not_found')
  const { body } = await caller.get('/v2/balances')
  expect(body.map(({ assetSymbol }: { assetSymbol: string }) => assetSymbol)).toContain('ETH')
})

test('a moved contact shows the time of its change', async () => {
  const { id = '' } = caller.sandbox.contacts.find(({ reference }) => reference === 'cold-usdc-polygon') ?? {}
  const before = (await caller.get(`/v2/contacts/${id}`)).body
  caller.sandbox.control('POST', `/contacts/${id}`, { destination: 'elsewhere', networkId: 'SOLANA' })
  const after = (await caller.get(`/v2/contacts/${id}`)).body
  expect(after.crypto).toMatchObject({ networkId: 'SOLANA' })
  expect(Date.parse(after.updatedAt)).toBeGreaterThanOrEqual(Date.parse(before.updatedAt))
  expect(() => caller.sandbox.control('POST', `/contacts/${id}`, { networkId: 'BITCOIN' })).toThrow(/network/)
})

test('each request of the API is reported before its answer; calls of the control API are not', async () => {
  await caller.get('/v2/markets/ETH-USD/price?side=SELL')
  await fetch(`${caller.sandbox.controlUrl}/clock`)
  expect(seen).toEqual(['GET /v2/markets/ETH-USD/price'])
})

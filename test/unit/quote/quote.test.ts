// An intent uses only a quote of its own request within its bounds, and certifies a zero otherwise.
import { describe, expect, test } from 'vitest'
import { Refused, Transient } from '../../../core/errors.ts'
import type { QuoteRequest } from '../../../core/service/ports.ts'
import { quote } from '../../../functions/quote/quote.ts'
import { fakePorts, START_MS, TERMS } from '../../helpers/fake-conversion-service.ts'

const startedAt = new Date(START_MS).toISOString()
const REQUEST = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'BTC', amount: '0.1' }
const inputOf = (change: object = {}) => ({ execution: 'intent-1', startedAt, request: { ...REQUEST, ...change } })

test('a first start opens the intent and brings a quote for its first attempt', async () => {
  const ports = fakePorts()
  const asked = { kid: 'svc_test_0123456789ab', account: 'account-1' }
  expect(await quote(inputOf(), ports)).toEqual({
    ...{ intentId: 'intent-1', outcome: 'QUOTED', attempt: 1 },
    quote: { ...TERMS, ...asked },
    settled: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect(await ports.journal.find('intent-1', 'convert')).toMatchObject({
    state: 'READY',
    params: REQUEST,
    notAfter: '2026-01-01T00:15:00.000Z',
  })
})

test('the amount is rounded down to the increment before it is sent', async () => {
  const ports = fakePorts({ increment: '0.001', terms: { ...TERMS, baseAmount: '0.123' } })
  await quote(inputOf({ amount: '0.1239999' }), ports)
  expect(ports.fake.quotesAsked).toMatchObject([{ amount: '0.123' }])
})

test('an amount of less than one increment is rejected without requesting a quote', async () => {
  const ports = fakePorts({ increment: '1' })
  expect(await quote(inputOf({ amount: '0.9', maxSlippageBps: 10 }), ports)).toMatchObject({ outcome: 'RECORDED' })
  expect(await ports.journal.find('intent-1', 'convert')).toMatchObject({ state: 'REJECTED', outcome: 'REJECTED' })
  expect(ports.fake.quotesAsked).toEqual([])
})

test('the reference rate is taken once, at the start, and frozen', async () => {
  const ports = fakePorts()
  const said = await quote(inputOf({ maxSlippageBps: 10 }), ports)
  ports.fake.indicative = '60000'
  ports.fake.terms = { ...TERMS, rate: '50051' }
  await quote({ ...inputOf({ maxSlippageBps: 10 }), said }, ports)
  expect(ports.fake.calls.filter((call) => call === 'indicativeRate')).toHaveLength(1)
  expect(await ports.journal.find('intent-1', 'convert')).toMatchObject({
    outcome: 'PRICE_REFUSED',
    why: expect.stringContaining('10 bps above'),
  })
})

test('without a slippage bound no indicative price is requested', async () => {
  const ports = fakePorts()
  await quote(inputOf(), ports)
  expect(ports.fake.calls).not.toContain('indicativeRate')
})

test('a quote outside worstRate ends the intent PRICE_REFUSED', async () => {
  const ports = fakePorts()
  expect(await quote(inputOf({ worstRate: '49999.99' }), ports)).toEqual({
    ...{ intentId: 'intent-1', outcome: 'RECORDED' },
    refused: { isFirstUse: true, isUnsent: true },
  })
  expect(await ports.journal.find('intent-1', 'convert')).toMatchObject({ state: 'REJECTED', outcome: 'PRICE_REFUSED' })
})

test('a quote for another amount than requested is never executed', async () => {
  const ports = fakePorts({ terms: { ...TERMS, baseAmount: '0.11' } })
  await quote(inputOf(), ports)
  expect(await ports.journal.find('intent-1', 'convert')).toMatchObject({
    state: 'REJECTED',
    why: 'the quote is not what was asked for: its base amount is 0.11, not 0.1',
  })
})

test('a quote of another market than requested is never executed', async () => {
  const ports = fakePorts({ terms: { ...TERMS, market: 'BTC-USDT' } })
  expect(await quote(inputOf(), ports)).toMatchObject({ outcome: 'RECORDED' })
  expect(await ports.journal.find('intent-1', 'convert')).toMatchObject({
    ...{ state: 'REJECTED', outcome: 'REJECTED' },
    why: 'the quote is not what was asked for: its market is BTC-USDT, not BTC-USDC',
  })
})

test('a quote that spells the market in another way continues', async () => {
  const ports = fakePorts({ terms: { ...TERMS, market: 'aaplx-usdc' } })
  const equity = { baseAsset: 'AAPLX', amountAsset: 'AAPLX' }
  expect(await quote(inputOf(equity), ports)).toMatchObject({ outcome: 'QUOTED', quote: { market: 'aaplx-usdc' } })
})

test('an amount counted in the quote asset is compared with the quote leg', async () => {
  const ports = fakePorts()
  const input = inputOf({ amountAsset: 'usdc', amount: '5000.00' })
  expect(await quote(input, ports)).toMatchObject({ outcome: 'QUOTED' })
})

test('a refused quote ends the intent REJECTED, since nothing was sent', async () => {
  const ports = fakePorts({ terms: new Refused('unprocessable: below the minimum') })
  await quote(inputOf(), ports)
  expect(await ports.journal.find('intent-1', 'convert')).toMatchObject({
    state: 'REJECTED',
    why: 'unprocessable: below the minimum',
  })
})

test('a service that does not answer is a fault, and the intent stays ready', async () => {
  const ports = fakePorts({ terms: new Transient('no answer') })
  await expect(quote(inputOf(), ports)).rejects.toThrow(Transient)
  expect(await ports.journal.find('intent-1', 'convert')).toMatchObject({ state: 'READY', attemptNumber: 1 })
})

test('a quote during which the key was replaced belongs to no known account, and is requested again', async () => {
  const ports = fakePorts()
  const { createQuote } = ports.service
  const replacing = { ...ports.service, createQuote: (request: QuoteRequest) => createQuote(request).finally(replace) }
  const replace = () => {
    ports.fake.kid = 'svc_test_another00000'
  }
  const asked = quote(inputOf(), { ...ports, service: replacing })
  await expect(asked).rejects.toThrow('the key was replaced while the service was read')
  expect(await ports.journal.find('intent-1', 'convert')).toMatchObject({ state: 'READY', attemptNumber: 1 })
  expect(await quote(inputOf(), ports)).toMatchObject({ outcome: 'QUOTED', quote: { kid: 'svc_test_another00000' } })
})

test('past its time the intent ends EXPIRED_OUT without a quote', async () => {
  const ports = fakePorts()
  await quote(inputOf({ notAfter: '2026-01-01T00:00:00Z' }), ports)
  expect(await ports.journal.find('intent-1', 'convert')).toMatchObject({ state: 'EXHAUSTED', outcome: 'EXPIRED_OUT' })
  expect(ports.fake.quotesAsked).toEqual([])
})

test('an ended intent is not quoted again, and nothing is requested from the service', async () => {
  const ports = fakePorts({ terms: new Refused('no') })
  await quote(inputOf(), ports)
  ports.fake.calls.length = 0
  expect(await quote(inputOf(), ports)).toEqual({ intentId: 'intent-1', outcome: 'RECORDED' })
  expect(ports.fake.calls).toEqual([])
})

test('the same id with another request is refused', async () => {
  const ports = fakePorts()
  await quote(inputOf(), ports)
  await expect(quote(inputOf({ amount: '0.2' }), ports)).rejects.toThrow(/already asked for with other parameters/)
})

describe('an impossible request is refused by its field, and opens no intent', () => {
  test.each([
    [{ amount: '1e3' }, 'input.amount'],
    [{ amount: 1 }, 'input.amount'],
    [{ amount: '0' }, 'input.amount'],
    [{ side: 'HOLD' }, 'input.side'],
    [{ amountAsset: 'ETH' }, 'input.amountAsset'],
    [{ quoteAsset: 'btc' }, 'input.quoteAsset'],
    [{ worstRate: '0.0' }, 'input.worstRate'],
    [{ maxSlippageBps: 10.5 }, 'input.maxSlippageBps'],
    [{ maxSlippageBps: 10_000 }, 'input.maxSlippageBps'],
    [{ notAfter: 'tomorrow' }, 'input.notAfter'],
    [{ notAfter: `2026-01-01T00:00:00.${'0'.repeat(300_000)}Z` }, 'input.notAfter'],
    [{ amout: '1' }, 'unknown amout'],
    [{ baseAsset: '../etc' }, 'input.baseAsset'],
  ])('%o', async (change, named) => {
    const ports = fakePorts()
    await expect(quote(inputOf(change), ports)).rejects.toThrow(named)
    expect(await ports.journal.find('intent-1', 'convert')).toBeUndefined()
    expect(ports.fake.calls).toEqual([])
  })

  test.each([[null], ['text'], [[]], [undefined]])('%o instead of an object', async (request) => {
    await expect(quote({ execution: 'intent-1', startedAt, request }, fakePorts())).rejects.toThrow(Refused)
  })
})

test('a refusal says whether the id was used before, and whether anything was ever sent for it', async () => {
  const ports = fakePorts()
  await quote(inputOf({ worstRate: '50000' }), ports)
  ports.fake.terms = { ...TERMS, rate: '50001' }
  const later = { ...inputOf({ worstRate: '50000' }), startedAt: new Date(START_MS + 1_000).toISOString() }
  expect(await quote(later, ports)).toMatchObject({ refused: { isFirstUse: false, isUnsent: true } })
  // An earlier refusal is only reported from the journal.
  expect(await quote(later, ports)).toEqual({ intentId: 'intent-1', outcome: 'RECORDED' })
})

// Tests which values and slippage Quote settles when it opens an intent.
import { describe, expect, test } from 'vitest'
import { quote } from '../../../functions/quote/quote.ts'
import {
  type FakeService,
  type FakeTreasury,
  fakePorts,
  START_MS,
  TERMS,
} from '../../helpers/fake-conversion-service.ts'
import { CONVERSION } from '../../helpers/intents.ts'

const startedAt = new Date(START_MS).toISOString()
const REQUEST = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'BTC', amount: '0.1' } as const
const FUND = { kind: 'fund', asset: 'BTC', atLeast: '1', from: [{ asset: 'USDC' }] }

async function opened(parts: FakeTreasury, change: object = {}, service: Partial<FakeService> = {}) {
  const ports = fakePorts(service, {}, parts)
  const output = await quote({ execution: 'intent-1', startedAt, request: { ...REQUEST, ...change } }, ports)
  return { ports, output, intent: await ports.journal.find('intent-1', 'convert') }
}

test('without guards, none of their data is requested or frozen', async () => {
  const { ports, intent } = await opened({})
  expect(intent?.frozen).toEqual({ account: 'account-1', stage: 'test', ...CONVERSION.frozen })
  expect(ports.fake.calls).toEqual(['measure', 'knownAsset', 'knownAsset', 'ensure', 'createQuote'])
})

describe('a bound in values', () => {
  const parts = { guards: { total: { daily: '10000' } } }

  test('freezes the cost of a unit of the asset that is sold: the quote asset in a purchase', async () => {
    const { intent } = await opened(parts, {}, { prices: { 'USDC-USD SELL': '0.97', 'USDC-USD BUY': '0.99' } })
    expect(intent?.frozen.unitValues).toEqual({ USD: '0.99' })
  })

  test('freezes the cost of a unit of the base asset in a sale', async () => {
    const { intent } = await opened(parts, { side: 'SELL' }, { prices: { 'BTC-USD BUY': '49000' } })
    expect(intent?.frozen.unitValues).toEqual({ USD: '49000' })
  })

  test('is refused without a market that gives it, and opens no intent', async () => {
    const ports = fakePorts({}, {}, parts)
    const input = { execution: 'intent-1', startedAt, request: REQUEST }
    await expect(quote(input, ports)).rejects.toMatchObject({
      name: 'Refused',
      message: 'guards.total cannot be checked: no market tells what USDC is worth in USD',
    })
    expect(await ports.journal.find('intent-1', 'convert')).toBeUndefined()
  })

  test.each([
    ['that has settled its value keeps it', true, '0.99'],
    ['that finds its record, perhaps an insider’s, settles its value again', false, '2'],
  ])('an execution %s', async (_, handsOn, value) => {
    const { ports, output: said } = await opened(parts, {}, { prices: { 'USDC-USD BUY': '0.99' } })
    ports.fake.prices = { 'USDC-USD BUY': '2' }
    await quote({ execution: 'intent-1', startedAt, request: REQUEST, said: handsOn ? said : REQUEST }, ports)
    expect((await ports.journal.find('intent-1', 'convert'))?.frozen.unitValues).toEqual({ USD: value })
  })
})

test('both assets are frozen by all of their codes, however the request spells them', async () => {
  const change = { baseAsset: 'aaplx', quoteAsset: 'usdc', amountAsset: 'aaplx', side: 'SELL' }
  const { intent } = await opened({}, change)
  expect(intent?.frozen).toMatchObject({
    baseAsset: { assetSymbol: 'AAPLSPV', rebasedSymbol: 'AAPLX' },
    quoteAsset: { assetSymbol: 'USDC' },
  })
})

test('a policy’s bound in values is in its own valuation asset', async () => {
  const parts = { policies: { payroll: { ...FUND, guards: { total: { largest: '5' } }, valuationAsset: 'EUR' } } }
  const { intent } = await opened(parts, { policy: 'payroll' }, { prices: { 'USDC-EUR BUY': '0.9' } })
  expect(intent?.frozen.unitValues).toEqual({ EUR: '0.9' })
})

test('a policy outside treasury.json opens no intent', async () => {
  const ports = fakePorts()
  const input = { execution: 'intent-1', startedAt, request: { ...REQUEST, policy: 'payroll' } }
  await expect(quote(input, ports)).rejects.toThrow('input.policy: treasury.json has no policy payroll')
  expect(ports.fake.calls).toEqual(['measure'])
  expect(await ports.journal.find('intent-1', 'convert')).toBeUndefined()
})

describe('the tightest slippage counts', () => {
  const parts = {
    guards: { worstSlippageBps: 30 },
    policies: { payroll: { ...FUND, guards: { worstSlippageBps: 20 } } },
  }

  test.each<[object, number]>([
    [{}, 30],
    [{ maxSlippageBps: 10 }, 10],
    [{ maxSlippageBps: 40 }, 30],
    [{ policy: 'payroll' }, 20],
    [{ policy: 'payroll', maxSlippageBps: 0 }, 0],
  ])('of %o: %d', async (change, bps) => {
    const { intent } = await opened(parts, change)
    expect(intent?.frozen).toMatchObject({ maxSlippageBps: bps, referenceRate: '50000' })
  })

  test('even if the request has none: a worse quote is refused', async () => {
    const { intent } = await opened(parts, {}, { terms: { ...TERMS, rate: '50151' } })
    expect(intent).toMatchObject({ outcome: 'PRICE_REFUSED', why: expect.stringContaining('30 bps above') })
  })
})

describe('the requested maximum of the other leg', () => {
  test('accepts a quote of exactly that much', async () => {
    const { output } = await opened({}, { most: TERMS.quoteAmount })
    expect(output).toMatchObject({ outcome: 'QUOTED' })
  })

  test('refuses a larger quote: the cost of a purchase by its base, or the proceeds of a sale', async () => {
    for (const side of ['BUY', 'SELL']) {
      const { intent } = await opened({}, { side, most: '4999.99' })
      expect(intent).toMatchObject({
        ...{ state: 'REJECTED', outcome: 'PRICE_REFUSED', guardedBy: 'price' },
        why: 'the quoted 5000 USDC are more than 4999.99, the most that was asked for',
      })
    }
  })

  test('counts the base if the amount counts the quote asset', async () => {
    const { intent } = await opened({}, { amountAsset: 'USDC', amount: '5000', most: '0.09' })
    expect(intent).toMatchObject({ why: 'the quoted 0.1 BTC are more than 0.09, the most that was asked for' })
  })
})

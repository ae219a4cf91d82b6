// Tests how Quote freezes guards when it opens an intent.
import { describe, expect, test } from 'vitest'
import type { PlanLeg } from '../../../core/contract/plan.ts'
import { policy } from '../../../core/contract/policies.ts'
import { quote } from '../../../functions/quote/quote.ts'
import {
  type FakeService,
  type FakeTreasury,
  fakePorts,
  START_MS,
  TERMS,
} from '../../helpers/fake-conversion-service.ts'
import { CONVERSION } from '../../helpers/intents.ts'
import { storedRun } from '../../helpers/stored-run.ts'

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
    expect(intent?.frozen.guards).toEqual({ unitValues: { USD: '0.99' } })
  })

  test('freezes the cost of a unit of the base asset in a sale', async () => {
    const { intent } = await opened(parts, { side: 'SELL' }, { prices: { 'BTC-USD BUY': '49000' } })
    expect(intent?.frozen.guards).toEqual({ unitValues: { USD: '49000' } })
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
    expect((await ports.journal.find('intent-1', 'convert'))?.frozen.guards?.unitValues).toEqual({ USD: value })
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

test('a policy’s guards are frozen as far as they concern the movement, with their own valuation asset', async () => {
  const guards = {
    ...{
      total: { largest: '5' },
      assets: { BTC: { daily: '1' }, USDC: { daily: '2' } },
      allowedMarkets: ['BTC-USDC', 'BTC-USD'],
    },
    ...{ allowedContacts: ['vault'], contacts: { vault: { largest: '1' } } },
  }
  const parts = { policies: { payroll: { ...FUND, guards, valuationAsset: 'EUR' } } }
  const { intent } = await opened(parts, { policy: 'payroll' }, { prices: { 'USDC-EUR BUY': '0.9' } })
  expect(intent?.frozen.guards).toEqual({
    unitValues: { EUR: '0.9' },
    policy: {
      ...{ name: 'payroll', valuationAsset: 'EUR' },
      guards: {
        ...{ total: { largest: '5' }, assets: { USDC: { daily: '2' } }, allowedMarkets: ['BTC-USDC'] },
        ...{ allowedContacts: [], contacts: {} },
      },
    },
  })
})

test('the policy of a run is the policy of its plan', async () => {
  const ports = fakePorts({}, {}, { policies: { payroll: FUND } })
  const { policies } = fakePorts({}, {}, { policies: { payroll: { ...FUND, guards: { worstSlippageBps: 7 } } } }).guards
  expect(await policies.find({ policy: 'payroll' }, 'intent-1')).toMatchObject({ guards: { worstSlippageBps: 7 } })
  const asPlanned = { ...FUND, guards: { worstSlippageBps: 7 } }
  const notAfter = '2026-01-01T00:15:00.000Z'
  const leg: PlanLeg = {
    kind: 'convert',
    ...{ key: 'buy', phase: 1, value: '1000', reason: 'below its target', request: REQUEST },
    ...{ market: 'BTC-USD', indicativeRate: '50000', spreadCost: '0' },
    ...{ gives: { asset: 'USD', amount: '1000' }, brings: { asset: 'BTC', amount: '0.02' } },
  }
  await ports.store.create(
    storedRun({ policy: 'payroll', asPlanned: policy.parse(asPlanned), notAfter, intentId: 'intent-1', leg }),
  )
  const request = { ...REQUEST, policy: 'payroll', run: 'run-1', notAfter }
  await quote({ execution: 'intent-1', startedAt, request }, ports)
  expect((await ports.journal.find('intent-1', 'convert'))?.frozen).toMatchObject({ maxSlippageBps: 7 })
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

// Guards directly before an order's ARM.

import { describe, expect, test } from 'vitest'
import { quoteAnswer } from '../../../core/contract/convert.ts'
import { quote } from '../../../functions/quote/quote.ts'
import { enterOrder as order } from '../../helpers/entered.ts'
import {
  type FakeService,
  type FakeTreasury,
  FILLED_ORDER,
  fakePorts,
  START_MS,
  TERMS,
} from '../../helpers/fake-conversion-service.ts'
import { CONVERSION } from '../../helpers/intents.ts'

const startedAt = new Date(START_MS).toISOString()
const REQUEST = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'BTC', amount: '0.1' }

async function quoted(parts: FakeTreasury, change: object = {}, service: Partial<FakeService> = {}) {
  const ports = fakePorts(service, {}, parts)
  const input = await quote({ execution: 'intent-1', startedAt, request: { ...REQUEST, ...change } }, ports)
  return { ports, input }
}

describe('in quiet hours', () => {
  // The tests start at midnight.
  const night = { guards: { quietHours: [{ from: '00:00', to: '06:00' }] } }

  test('no quote is requested until they are over', async () => {
    const { ports, input } = await quoted(night, { notAfter: '2026-01-02T00:00:00Z' })
    const held = quoteAnswer.parse(await order(input, ports))
    expect(await order(held, ports)).toMatchObject({ outcome: 'HELD', waits: 2 })
    ports.fake.nowMs = Date.parse('2026-01-01T06:00:00Z')
    expect(await order(held, ports)).toMatchObject({ outcome: 'QUOTE_EXPIRED', why: 'its turn has come' })
  })

  test('an order that may spend more than the largest size is judged by its quote, also after a wait', async () => {
    const { ports, input } = await quoted(
      { guards: { ...night.guards, assets: { USDC: { largest: '5050' } } } },
      { most: '5100', notAfter: '2026-01-02T00:00:00Z' },
    )
    const held = quoteAnswer.parse(await order(input, ports))
    ports.fake.nowMs = Date.parse('2026-01-01T06:00:00Z')
    expect(await order(held, ports)).toMatchObject({ outcome: 'QUOTE_EXPIRED', why: 'its turn has come' })
  })

  test('a clock that jumps ahead while a send is prepared does not hide them', async () => {
    const { ports, input } = await quoted({ guards: { quietHours: [{ from: '00:00', to: '00:01' }] } })
    const prepare = ports.sender.prepareOrder
    ports.sender.prepareOrder = (...args) => {
      ports.fake.nowMs += 120_000
      return prepare(...args)
    }
    const open = { ...input, quote: input.quote && { ...input.quote, expiresAt: null } }
    expect(await order(open, ports)).toMatchObject({ outcome: 'HELD' })
    expect(ports.fake.sentOrders).toEqual([])
  })
})

describe('an amount to keep', () => {
  const balances = (balance: string) => [{ assetSymbol: 'BTC', balance, balanceFrozen: '0' }]
  const selling = { side: 'SELL', keep: '1' }

  test('is compared with the balance directly before the send, which is read exactly once more', async () => {
    const orders = [{ ...FILLED_ORDER, side: 'SELL' }]
    const { ports, input } = await quoted({}, selling, { balances: balances('1.1'), orders })
    const without = await quoted({}, { side: 'SELL' }, { orders })
    for (const { fake } of [ports, without.ports]) fake.calls.length = 0
    expect(await order(input, ports)).toMatchObject({ outcome: 'FILLED' })
    await order(without.input, without.ports)
    expect(ports.fake.calls.filter((call) => call !== 'balances')).toEqual(without.ports.fake.calls)
    expect(ports.fake.calls.filter((call) => call === 'balances')).toHaveLength(1)
  })

  test('belongs to the quote asset for a purchase, however the request spells it', async () => {
    const change = { quoteAsset: 'usdc', keep: '1000' }
    const held = (balance: string) => ({ balances: [{ assetSymbol: 'USDC', balance, balanceFrozen: '0' }] })
    const enough = await quoted({}, change, held('6000'))
    expect(await order(enough.input, enough.ports)).toMatchObject({ outcome: 'FILLED' })
    const short = await quoted({}, change, held('5999.99'))
    expect(await order(short.input, short.ports)).toMatchObject({ outcome: 'REJECTED', guardedBy: 'floor' })
  })

  test('waits while another movement may or may not be in the balance', async () => {
    const { ports, input } = await quoted({}, selling, { balances: balances('1.15') })
    const times = { createdAt: startedAt, notAfter: startedAt }
    await ports.journal.open({ ...CONVERSION, intentId: 'other', ...times })
    await ports.store.create({ pk: 'F#BTC', version: 1, format: 1, stamp: 'other', taking: { 'convert#other': '0.1' } })
    expect(await order(input, ports)).toMatchObject({
      outcome: 'HELD',
      why: expect.stringContaining('other will take'),
    })
    expect(ports.fake.sentOrders).toEqual([])
    expect(await ports.journal.find('intent-1', 'convert')).toMatchObject({ state: 'READY' })
  })
})

test('keeps a leg that was planned at a better price from being sold at the present price', async () => {
  const terms = { ...TERMS, rate: '49900', baseAmount: '0.1', quoteAmount: '4990' }
  const change = { side: 'SELL', plannedRate: '56000', maxSlippageBps: 50 }
  const { ports, input } = await quoted({}, change, { terms, indicative: '50000' })
  expect(await order(input, ports)).toMatchObject({ outcome: 'PRICE_REFUSED', guardedBy: 'price' })
  expect(ports.fake.sentOrders).toEqual([])
})

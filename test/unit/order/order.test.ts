// A quote becomes one order, or none: prices, times and the switch that halts.
import { describe, expect, test } from 'vitest'
import { IntentLost, Transient } from '../../../core/errors.ts'
import { rememberNames } from '../../../core/journal/policy-names.ts'
import { enterOrder as order } from '../../helpers/entered.ts'
import { FILLED_ORDER, fakePorts, START_MS, TERMS } from '../../helpers/fake-conversion-service.ts'
import { intentOf, nextOf, quoted, unproven } from './quoted-order.ts'

describe('a held quote', () => {
  test('is sent once, claimed, and reported with its fills', async () => {
    const { ports, input } = await quoted()
    expect(await order(input, ports)).toEqual({
      outcome: 'FILLED',
      intentId: 'intent-1',
      attempts: 1,
      orderId: 'order-1',
      market: 'BTC-USDC',
      side: 'BUY',
      rate: '50000',
      baseAmount: '0.1',
      quoteAmount: '5000',
      fills: [expect.objectContaining({ id: 'fill-1', sequence: 1 })],
    })
    expect(ports.fake.sentOrders).toEqual(['order-1'])
    expect(await intentOf(ports)).toMatchObject({ state: 'DONE', ref: 'order-1' })
    expect(await ports.journal.claim('convert', 'order-1', 'another')).toBe('intent-1')
  })

  test('is armed in the journal before it is sent', async () => {
    const { ports, input } = await quoted({ answer: unproven('no_answer'), orders: [undefined] })
    let whenSent: unknown
    const prepare = ports.sender.prepareOrder
    ports.sender.prepareOrder = async (...args) => {
      const prepared = await prepare(...args)
      const send = async () => {
        whenSent = await intentOf(ports)
        return prepared.send()
      }
      return { ...prepared, send }
    }
    await order(input, ports)
    expect(whenSent).toMatchObject({
      state: 'ARMED',
      attempt: { orderId: 'order-1', iat: START_MS / 1000, exp: START_MS / 1000 + 30, quoteExpiresAt: TERMS.expiresAt },
    })
  })

  test('answered 202 is polled further, and is not sent again', async () => {
    const { ports, input } = await quoted({
      answer: { kind: 'accepted', status: 'PROCESSING' },
      orders: [{ ...FILLED_ORDER, status: 'NEW', filledBaseAmount: '0', filledQuoteAmount: '0' }],
    })
    const processing = { outcome: 'PROCESSING', waits: 1, waitSeconds: 25, orderId: 'order-1' }
    expect(await order(input, ports)).toMatchObject(processing)
    expect(await order(input, ports)).toMatchObject(processing)
    expect(ports.fake.sentOrders).toEqual(['order-1'])
  })

  test('a held quote that is too old is replaced at once, with nothing sent and no fence', async () => {
    const { ports, input } = await quoted()
    ports.fake.nowMs = START_MS + 4_501
    expect(await order(input, ports)).toMatchObject({ outcome: 'QUOTE_EXPIRED', attempts: 2 })
    expect(ports.fake.sentOrders).toEqual([])
  })

  test('a held quote whose life is unknown counts as alive', async () => {
    const { ports, input } = await quoted({ terms: { ...TERMS, expiresAt: null } })
    expect(await order(input, ports)).toMatchObject({ outcome: 'FILLED' })
  })

  test('a held quote of an ended attempt is not sent', async () => {
    const { ports, input } = await quoted()
    expect(await order({ ...input, attempt: 2 }, ports)).toMatchObject({ outcome: 'QUOTE_EXPIRED', attempts: 1 })
    expect(ports.fake.sentOrders).toEqual([])
  })

  test('outside the price guard is not sent, whatever its source', async () => {
    const { ports, input } = await quoted({}, {}, { worstRate: '50000' })
    const dearer = { ...input, quote: { ...TERMS, rate: '50000.01' } }
    expect(await order(dearer, ports)).toMatchObject({ outcome: 'PRICE_REFUSED' })
    expect(ports.fake.sentOrders).toEqual([])
  })

  test('is not sent once the time of its intent is over', async () => {
    const { ports, input } = await quoted({}, {}, { notAfter: '2026-01-01T00:00:01Z' })
    ports.fake.nowMs = START_MS + 1_000
    expect(await order(input, ports)).toMatchObject({ outcome: 'EXPIRED_OUT' })
    expect(ports.fake.sentOrders).toEqual([])
  })

  test('is not sent if another process armed the intent first', async () => {
    const { ports, input } = await quoted({ orders: [undefined] })
    const measure = ports.service.clock.measure
    ports.service.clock.measure = async () => {
      ports.service.clock.measure = measure
      await order(input, { ...ports, timing: { ...ports.timing } })
    }
    await expect(order(input, ports)).rejects.toThrow(Transient)
    expect(ports.fake.sentOrders).toEqual(['order-1'])
  })

  test('without an intent, which Quote opened, is reported as lost by the journal', async () => {
    await expect(order({ intentId: 'unknown', outcome: 'QUOTED' }, fakePorts())).rejects.toThrow(IntentLost)
  })
})

describe('while sending is halted', () => {
  const HALT = { scope: '*', by: 'ada', because: 'an audit', at: '2026-01-01T00:00:00Z' }

  test('a quote is not sent, and the intent waits without being armed, and takes no budget from others', async () => {
    const { ports, input } = await quoted({}, {}, {}, { guards: { assets: { USDC: { daily: '5000' } } } })
    await ports.halts.halt(HALT)
    const report = await order(input, ports)
    expect(report).toMatchObject({ outcome: 'HELD', waits: 1, waitSeconds: 15, attempts: 1 })
    expect(report.why).toBe('sending is halted by ada since 2026-01-01T00:00:00Z: an audit')
    expect(await intentOf(ports)).toMatchObject({ state: 'READY' })
    expect([...ports.store.records.keys()].filter((pk) => pk.startsWith('B#'))).toEqual([])
    expect(ports.fake.sentOrders).toEqual([])
  })

  test('no quote is requested, and a quote is requested afterwards', async () => {
    const { ports, input } = await quoted()
    await ports.halts.halt(HALT)
    const first = await order(input, ports)
    const second = await order(nextOf(first), ports)
    expect(second).toMatchObject({ outcome: 'HELD', waits: 2, waitSeconds: 30 })
    await ports.halts.resume(HALT)
    expect(await order(nextOf(second), ports)).toMatchObject({ outcome: 'QUOTE_EXPIRED', attempts: 1 })
    expect(ports.fake.quotesAsked).toHaveLength(1)
  })

  test('an intent waits at most for its time, and at most 100 times', async () => {
    const { ports, input } = await quoted()
    await ports.halts.halt(HALT)
    const again = nextOf(await order(input, ports))
    ports.fake.nowMs = START_MS + 900_000
    expect(await order(again, ports)).toMatchObject({
      outcome: 'EXPIRED_OUT',
      why: expect.stringContaining('time ran out'),
    })
    const other = await quoted()
    await other.ports.halts.halt(HALT)
    const last = await order({ ...again, waits: 100 }, other.ports)
    expect(last).toMatchObject({ outcome: 'EXPIRED_OUT', why: expect.stringContaining('waited 100 times') })
  })

  test('the halt of one policy stops only that policy', async () => {
    const policy = { kind: 'rebalance', weights: { BTC: '1' } }
    const parts = { policies: { sweep: policy, rebalance: policy } }
    const sweep = await quoted({}, {}, { policy: 'sweep' }, parts)
    await sweep.ports.halts.halt({ ...HALT, scope: 'sweep' })
    expect(await order(sweep.input, sweep.ports)).toMatchObject({ outcome: 'HELD' })
    const other = await quoted({}, {}, { policy: 'rebalance' }, parts)
    await other.ports.halts.halt({ ...HALT, scope: 'sweep' })
    expect(await order(other.input, other.ports)).toMatchObject({ outcome: 'FILLED' })
  })

  test.each(['sweep', 'old-sweep'])(
    'a policy that was renamed is stopped by the halt and the trip of %s',
    async (scope) => {
      const parts = { policies: { sweep: { kind: 'rebalance', weights: { BTC: '1' }, was: 'old-sweep' } } }
      for (const stop of ['halt', 'trip'] as const) {
        const { ports, input } = await quoted({}, {}, { policy: 'sweep' }, parts)
        await ports.halts[stop]({ ...HALT, scope })
        expect(await order(input, ports)).toMatchObject({ outcome: 'HELD' })
        expect(ports.fake.sentOrders).toEqual([])
      }
    },
  )

  test('a policy is stopped by the halt of a name that only the journal remembers', async () => {
    const named = { kind: 'rebalance', weights: { BTC: '1' } }
    for (const [now, later] of [
      ['sweep', { sweep: named }],
      ['swept', { swept: { ...named, was: 'sweep' } }],
    ] as const) {
      const { ports, input } = await quoted({}, {}, { policy: now }, { policies: later })
      await rememberNames({ store: ports.store, newId: ports.newId }, { sweep: { was: 'old-sweep' } })
      await ports.halts.trip({ ...HALT, scope: 'old-sweep' })
      expect(await order(input, ports)).toMatchObject({ outcome: 'HELD' })
    }
  })

  test('a doubt is settled regardless', async () => {
    const { ports, input } = await quoted({ answer: unproven('no_answer'), orders: [undefined, FILLED_ORDER] })
    const doubt = await order(input, ports)
    await ports.halts.halt(HALT)
    expect(await order(nextOf(doubt), ports)).toMatchObject({ outcome: 'FILLED' })
  })
})

import { describe, expect, test } from 'vitest'
import { type ConvertFill, type ConvertReport, orderInput } from '../../../core/contract/convert.ts'
import type { Timing } from '../../../core/contract/timing.ts'
import { Defect, IntentLost, Refused, Transient } from '../../../core/errors.ts'
import type { SendAnswer } from '../../../core/service/ports.ts'
import { order } from '../../../functions/order/order.ts'
import { quote } from '../../../functions/quote/quote.ts'
import {
  type FakePorts,
  type FakeService,
  type FakeTreasury,
  FILLED_ORDER,
  fakePorts,
  START_MS,
  TERMS,
} from '../../helpers/fake-conversion-service.ts'

const REQUEST = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'BTC', amount: '0.1' }
const startedAt = new Date(START_MS).toISOString()
const quoteAgain = (ports: FakePorts, change: object = {}) =>
  quote({ execution: 'intent-1', startedAt, request: { ...REQUEST, ...change } }, ports)
const intentOf = (ports: FakePorts) => ports.journal.find('intent-1')
const KEY_FAULTS = ['key_expired', 'key_revoked', 'invalid_signature', 'unauthorized']
const unproven = (code: string, business = false): SendAnswer => ({
  kind: 'unproven',
  said: {
    code,
    ...(code !== 'no_answer' && { status: 422 }),
    business,
    text: `the service said ${code}`,
    ...(KEY_FAULTS.includes(code) && { keyAtFault: true }),
  },
})

/** What the state machine hands to Order after an UNCERTAIN one: its whole answer. */
const nextOf = (report: ConvertReport) => orderInput.parse(report)

/** Ports after Quote, and the input that Order gets. */
async function quoted(
  change: Partial<FakeService> = {},
  timing: Partial<Timing> = {},
  request: object = {},
  parts: FakeTreasury = {},
) {
  const ports = fakePorts(change, timing, parts)
  const input = await quoteAgain(ports, request)
  return { ports, input }
}

/** What Step Functions passes between states at most. */
const STATE_BYTES = 262_144

/** Fills as the client gives them: with more fields than a report has. */
function fillsOf(count: number, note = 'PARTIALLY_FILLED'): ConvertFill[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `${note}-${at}`,
    sequence: at + 1,
    baseAmount: '0.000200000000000001',
    quoteAmount: '10.000000000000000001',
    rate: '50000.000000000000000001',
    executedAt: '2026-01-01T00:00:01.000Z',
    orderId: 'order-1',
    market: 'BTC-USDC'.repeat(32),
    order: { status: note, filledBaseAmount: '0.1', filledQuoteAmount: '5000' },
  }))
}

/** The quote lives until second 5, and an accepted order shows within 60 s: past 65 s absence is proof. */
/** Of one whose answer never came; any other is past its fence 15 s sooner. */
const PAST_FENCE_MS = START_MS + 80_001

describe('a quote in hand', () => {
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

  test('answered 202 goes on being polled, and is not sent again', async () => {
    const { ports, input } = await quoted({
      answer: { kind: 'accepted', status: 'PROCESSING' },
      orders: [{ ...FILLED_ORDER, status: 'NEW', filledBaseAmount: '0', filledQuoteAmount: '0' }],
    })
    expect(await order(input, ports)).toMatchObject({ outcome: 'PROCESSING', waits: 0, orderId: 'order-1' })
    await order(input, ports)
    expect(ports.fake.sentOrders).toEqual(['order-1'])
  })

  test('that is too old is replaced at once, with nothing sent and no fence', async () => {
    const { ports, input } = await quoted()
    ports.fake.nowMs = START_MS + 4_501
    expect(await order(input, ports)).toMatchObject({ outcome: 'QUOTE_EXPIRED', attempts: 2 })
    expect(ports.fake.sentOrders).toEqual([])
  })

  test('whose life is unknown counts as alive', async () => {
    const { ports, input } = await quoted({ terms: { ...TERMS, expiresAt: null } })
    expect(await order(input, ports)).toMatchObject({ outcome: 'FILLED' })
  })

  test('of an attempt that has ended is not sent', async () => {
    const { ports, input } = await quoted()
    expect(await order({ ...input, attempt: 2 }, ports)).toMatchObject({ outcome: 'QUOTE_EXPIRED', attempts: 1 })
    expect(ports.fake.sentOrders).toEqual([])
  })

  test('outside the price guard is not sent, whoever handed it in', async () => {
    const { ports, input } = await quoted({}, {}, { worstRate: '50000' })
    const dearer = { ...input, quote: { ...TERMS, rate: '50000.01' } }
    expect(await order(dearer, ports)).toMatchObject({ outcome: 'PRICE_REFUSED' })
    expect(ports.fake.sentOrders).toEqual([])
  })

  test('is not sent once the time of its intent has run out', async () => {
    const { ports, input } = await quoted({}, {}, { notAfter: '2026-01-01T00:00:01Z' })
    ports.fake.nowMs = START_MS + 1_000
    expect(await order(input, ports)).toMatchObject({ outcome: 'EXPIRED_OUT' })
    expect(ports.fake.sentOrders).toEqual([])
  })

  test.each([
    ['the time of its intent has run out', { notAfter: '2026-01-01T00:00:03Z' }, { outcome: 'EXPIRED_OUT' }],
    ['it has become too old', {}, { outcome: 'QUOTE_EXPIRED', attempts: 2 }],
  ])('is not sent when %s while it was being armed, and needs no fence', async (_, request, end) => {
    const { ports, input } = await quoted({}, {}, request)
    const { advance } = ports.journal
    ports.journal.advance = async (intent, move) => {
      if (move.state === 'ARMED') ports.fake.nowMs = START_MS + 4_600
      return advance(intent, move)
    }
    expect(await order(input, ports)).toMatchObject(end)
    expect(ports.fake.sentOrders).toEqual([])
  })

  test('is not sent when another process armed the intent first', async () => {
    const { ports, input } = await quoted({ orders: [undefined] })
    const measure = ports.service.clock.measure
    ports.service.clock.measure = async () => {
      ports.service.clock.measure = measure
      await order(input, { ...ports, timing: { ...ports.timing } })
    }
    await expect(order(input, ports)).rejects.toThrow(Transient)
    expect(ports.fake.sentOrders).toEqual(['order-1'])
  })

  test('without an intent, which Quote opened, is told as one that the journal has lost', async () => {
    await expect(order({ intentId: 'unknown', outcome: 'QUOTED' }, fakePorts())).rejects.toThrow(IntentLost)
  })
})

describe('an answer that was not a yes', () => {
  test.each(['no_answer', 'internal_error', 'nonce_reused', 'quotation_expired', 'rate_limited', 'clock_skew'])(
    '%s: the order itself proves at any time that it was placed',
    async (code) => {
      const { ports, input } = await quoted({ answer: unproven(code) })
      expect(await order(input, ports)).toMatchObject({ outcome: 'FILLED', orderId: 'order-1' })
      expect(await intentOf(ports)).toMatchObject({ state: 'DONE' })
    },
  )

  test.each(['no_answer', 'internal_error', 'nonce_reused', 'quotation_expired', 'validation_error'])(
    '%s: absence before the fence proves nothing, and says until when it is being certified',
    async (code) => {
      const { ports, input } = await quoted({
        answer: unproven(code, code === 'validation_error'),
        orders: [undefined],
      })
      expect(await order(input, ports)).toMatchObject({
        outcome: 'UNCERTAIN',
        until: code === 'no_answer' ? '2026-01-01T00:01:20.000Z' : '2026-01-01T00:01:05.000Z',
        waitSeconds: code === 'no_answer' ? 81 : 66,
        why: expect.stringContaining(`the service said ${code}; certifying until`),
      })
      ports.fake.nowMs = PAST_FENCE_MS - (code === 'no_answer' ? 1 : 15_001)
      expect(await order({ intentId: 'intent-1', outcome: 'UNCERTAIN' }, ports)).toMatchObject({
        outcome: 'UNCERTAIN',
        waitSeconds: 1,
      })
      expect(ports.fake.sentOrders).toHaveLength(1)
    },
  )

  test('past the fence absence is a certified zero, and the next attempt may be quoted', async () => {
    const { ports, input } = await quoted({ answer: unproven('no_answer'), orders: [undefined] })
    await order(input, ports)
    ports.fake.nowMs = PAST_FENCE_MS
    expect(await order({ intentId: 'intent-1', outcome: 'UNCERTAIN' }, ports)).toMatchObject({
      outcome: 'QUOTE_EXPIRED',
      attempts: 2,
    })
    expect(await intentOf(ports)).toMatchObject({ state: 'READY', attemptNumber: 2 })
  })

  test('past the fence a business refusal ends the intent REJECTED', async () => {
    const { ports, input } = await quoted({ answer: unproven('unprocessable', true), orders: [undefined] })
    await order(input, ports)
    ports.fake.nowMs = PAST_FENCE_MS
    expect(await order({ intentId: 'intent-1', outcome: 'UNCERTAIN' }, ports)).toMatchObject({
      outcome: 'REJECTED',
      why: 'the service said unprocessable',
    })
  })

  test('the look that certifies a zero happens after service time was read', async () => {
    const { ports, input } = await quoted({ answer: unproven('no_answer'), orders: [undefined] })
    await order(input, ports)
    ports.fake.calls.length = 0
    ports.fake.nowMs = PAST_FENCE_MS
    await order({ intentId: 'intent-1', outcome: 'UNCERTAIN' }, ports)
    expect(ports.fake.calls).toEqual(['measure', 'findOrder'])
  })

  test('whose fence the service time never reaches needs a person after 20 waits, and stays open to a later look', async () => {
    const { ports, input } = await quoted({ answer: unproven('no_answer'), orders: [undefined] })
    let report = await order(input, ports)
    let waits = 0
    for (; report.outcome === 'UNCERTAIN' && waits < 100; waits += 1) report = await order(nextOf(report), ports)
    expect(report).toMatchObject({ outcome: 'NEEDS_ATTENTION', orderId: 'order-1', attempts: 1 })
    expect(waits).toBe(20)
    expect(await intentOf(ports)).toMatchObject({ state: 'ARMED' })

    ports.fake.orders = [FILLED_ORDER]
    expect(await order({ intentId: 'intent-1', outcome: 'RECORDED' }, ports)).toMatchObject({ outcome: 'FILLED' })
  })

  test('a read that fails is no absence: the doubt stays, and is looked at again with growing waits', async () => {
    const { ports, input } = await quoted({ answer: unproven('no_answer'), orders: [new Transient('503')] })
    expect(await order(input, ports)).toMatchObject({ outcome: 'UNCERTAIN', waits: 1, waitSeconds: 5 })
    ports.fake.nowMs = PAST_FENCE_MS
    const again = { intentId: 'intent-1', outcome: 'UNCERTAIN', waits: 4 }
    expect(await order(again, ports)).toMatchObject({ outcome: 'UNCERTAIN', waits: 5, waitSeconds: 60 })
    expect(await intentOf(ports)).toMatchObject({ state: 'ARMED' })
  })

  test('a refusal of the look itself is a fault: waiting does not mend it', async () => {
    const { ports, input } = await quoted({
      answer: unproven('no_answer'),
      orders: [new Refused('insufficient_scope')],
    })
    await expect(order(input, ports)).rejects.toThrow(Refused)
    expect(await intentOf(ports)).toMatchObject({ state: 'ARMED' })
  })

  test('with an unknown quote life the fence is the end of the token, its leeway, our patience and the visibility', async () => {
    const { ports, input } = await quoted({
      answer: unproven('no_answer'),
      orders: [undefined],
      terms: { ...TERMS, expiresAt: null },
    })
    expect(await order(input, ports)).toMatchObject({ until: '2026-01-01T00:02:45.000Z' })
  })

  test.each(KEY_FAULTS)('%s has the keys read anew', async (code) => {
    const { ports, input } = await quoted({ answer: unproven(code), orders: [undefined] })
    await order(input, ports)
    expect(ports.fake.keysForgotten).toBe(1)
  })

  test('the last attempt ends the intent EXPIRED_OUT', async () => {
    const { ports, input } = await quoted({ answer: unproven('no_answer'), orders: [undefined] }, { attempts: 1 })
    await order(input, ports)
    ports.fake.nowMs = PAST_FENCE_MS
    expect(await order(input, ports)).toMatchObject({
      outcome: 'EXPIRED_OUT',
      attempts: 1,
      why: '1 attempts moved nothing; the last: the service said no_answer',
    })
    expect(await order(input, ports)).toMatchObject({ outcome: 'EXPIRED_OUT' })
  })
})

describe('while sending is halted', () => {
  const HALT = { scope: '*', by: 'ada', because: 'an audit', at: '2026-01-01T00:00:00Z' }

  test('a quote is not sent, and the intent waits without being armed', async () => {
    const { ports, input } = await quoted()
    await ports.halts.halt(HALT)
    const report = await order(input, ports)
    expect(report).toMatchObject({ outcome: 'HELD', waits: 1, waitSeconds: 15, attempts: 1 })
    expect(report.why).toBe('sending is halted by ada since 2026-01-01T00:00:00Z: an audit')
    expect(await intentOf(ports)).toMatchObject({ state: 'READY' })
    expect(ports.fake.sentOrders).toEqual([])
  })

  test('no quote is asked for, and one is once it is over', async () => {
    const { ports, input } = await quoted()
    await ports.halts.halt(HALT)
    const first = await order(input, ports)
    const second = await order(nextOf(first), ports)
    expect(second).toMatchObject({ outcome: 'HELD', waits: 2, waitSeconds: 30 })
    await ports.halts.resume(HALT)
    expect(await order(nextOf(second), ports)).toMatchObject({ outcome: 'QUOTE_EXPIRED', attempts: 1 })
    expect(ports.fake.quotesAsked).toHaveLength(1)
  })

  test('an intent waits no longer than its time, and no more than 100 times', async () => {
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

  test('the halt of one policy stops that one only', async () => {
    const policy = { kind: 'rebalance', weights: { BTC: '1' } }
    const parts = { policies: { sweep: policy, rebalance: policy } }
    const sweep = await quoted({}, {}, { policy: 'sweep' }, parts)
    await sweep.ports.halts.halt({ ...HALT, scope: 'sweep' })
    expect(await order(sweep.input, sweep.ports)).toMatchObject({ outcome: 'HELD' })
    const other = await quoted({}, {}, { policy: 'rebalance' }, parts)
    await other.ports.halts.halt({ ...HALT, scope: 'sweep' })
    expect(await order(other.input, other.ports)).toMatchObject({ outcome: 'FILLED' })
  })

  test('a doubt is settled all the same', async () => {
    const { ports, input } = await quoted({ answer: unproven('no_answer'), orders: [undefined, FILLED_ORDER] })
    const doubt = await order(input, ports)
    await ports.halts.halt(HALT)
    expect(await order(nextOf(doubt), ports)).toMatchObject({ outcome: 'FILLED' })
  })
})

describe('a proven order', () => {
  test('that another intent holds needs a person, with evidence', async () => {
    const { ports, input } = await quoted()
    await ports.journal.claim('convert', 'order-1', 'another-intent')
    expect(await order(input, ports)).toMatchObject({
      outcome: 'NEEDS_ATTENTION',
      orderId: 'order-1',
      why: 'order order-1 is already claimed by intent another-intent',
    })
    expect(await intentOf(ports)).toMatchObject({ state: 'ESCALATED' })
  })

  test('that ended FAILED says what was filled, and is never quoted again', async () => {
    const failed = { ...FILLED_ORDER, status: 'FAILED', filledBaseAmount: '0.04', filledQuoteAmount: '2000' }
    const { ports, input } = await quoted({ orders: [failed] })
    expect(await order(input, ports)).toMatchObject({
      outcome: 'FAILED',
      baseAmount: '0.04',
      quoteAmount: '2000',
      why: 'the order ended FAILED after 0.04 of 0.1 was filled',
    })
    expect(await quoteAgain(ports)).toEqual({ intentId: 'intent-1', outcome: 'RECORDED' })
  })

  test('with a status that nobody described is still moving', async () => {
    const { ports, input } = await quoted({ orders: [{ ...FILLED_ORDER, status: 'HELD_FOR_REVIEW' }] })
    expect(await order(input, ports)).toMatchObject({ outcome: 'PROCESSING', why: 'the order is HELD_FOR_REVIEW' })
  })

  test('with 500 fills is reported in a size that a state can hold', async () => {
    const { ports, input } = await quoted({ fills: fillsOf(500) })
    const report = await order(input, ports)
    expect(report.fills).toHaveLength(500)
    expect(Object.keys(report.fills?.[0] ?? {})).toEqual([
      ...['id', 'sequence', 'baseAmount', 'quoteAmount', 'rate', 'executedAt'],
    ])
    expect(JSON.stringify(report).length).toBeLessThan(STATE_BYTES)
  })

  test('whose fills are more than a state can hold is a defect: it would end the run without a name', async () => {
    const { ports, input } = await quoted({ fills: fillsOf(500, '€'.repeat(200)) })
    await expect(order(input, ports)).rejects.toThrow(Defect)
    expect(await intentOf(ports)).toMatchObject({ state: 'DONE' })
  })

  test.each(['FILLED', 'FAILED'])(
    'that ended %s with none of its fills to be seen is not at its end',
    async (status) => {
      const { ports, input } = await quoted({ orders: [{ ...FILLED_ORDER, status }], fills: [] })
      expect(await order(input, ports)).toMatchObject({
        outcome: 'PROCESSING',
        why: `the order is ${status}, and its fills are not yet visible`,
      })
    },
  )

  test('that ended FAILED with nothing filled is reported so', async () => {
    const failed = { ...FILLED_ORDER, status: 'FAILED', filledBaseAmount: '0.00', filledQuoteAmount: '0' }
    const { ports, input } = await quoted({ orders: [failed], fills: [] })
    expect(await order(input, ports)).toMatchObject({ outcome: 'FAILED', fills: [] })
  })
})

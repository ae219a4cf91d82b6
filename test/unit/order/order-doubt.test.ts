// An answer that is no confirmation proves nothing before the fence. The order is then looked up.
import { describe, expect, test } from 'vitest'
import { Refused, Transient } from '../../../core/errors.ts'
import { enterOrder as order } from '../../helpers/entered.ts'
import { FILLED_ORDER, TERMS } from '../../helpers/fake-conversion-service.ts'
import { intentOf, KEY_FAULTS, nextOf, PAST_FENCE_MS, quoted, unproven } from './quoted-order.ts'

describe('an answer that is no confirmation', () => {
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
        why: expect.stringContaining(`the service said ${code}; before `),
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

  test('whose fence the service time never reaches needs a person after 20 waits, and stays open to a later poll', async () => {
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

  test('a failed read is no absence: the doubt stays, and is polled again with growing waits', async () => {
    const { ports, input } = await quoted({ answer: unproven('no_answer'), orders: [new Transient('503')] })
    expect(await order(input, ports)).toMatchObject({ outcome: 'UNCERTAIN', waits: 1, waitSeconds: 5 })
    ports.fake.nowMs = PAST_FENCE_MS
    const again = { intentId: 'intent-1', outcome: 'UNCERTAIN', waits: 4 }
    expect(await order(again, ports)).toMatchObject({ outcome: 'UNCERTAIN', waits: 5, waitSeconds: 60 })
    expect(await intentOf(ports)).toMatchObject({ state: 'ARMED' })
  })

  test('a refused poll is a fault: waiting does not repair it', async () => {
    const { ports, input } = await quoted({
      answer: unproven('no_answer'),
      orders: [new Refused('insufficient_scope')],
    })
    await expect(order(input, ports)).rejects.toThrow(Refused)
    expect(await intentOf(ports)).toMatchObject({ state: 'ARMED' })
  })

  test('with an unknown quote life the fence is the end of the token, plus its leeway, our longest wait and the visibility', async () => {
    const { ports, input } = await quoted({
      answer: unproven('no_answer'),
      orders: [undefined],
      terms: { ...TERMS, expiresAt: null },
    })
    expect(await order(input, ports)).toMatchObject({ until: '2026-01-01T00:02:45.000Z' })
  })

  test.each(KEY_FAULTS)('%s has the keys read again', async (code) => {
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

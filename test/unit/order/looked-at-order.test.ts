// After sending, Order polls for some seconds. If the order is still moving after that, a wait takes over.
import { describe, expect, test } from 'vitest'
import { KeyFault, RateLimited, Transient } from '../../../core/errors.ts'
import { pollOrder } from '../../../functions/poll-order/poll-order.ts'
import { enterOrder as order } from '../../helpers/entered.ts'
import { FILLED_ORDER, START_MS } from '../../helpers/fake-conversion-service.ts'
import { intentOf, quoted } from './quoted-order.ts'

const MOVING = { ...FILLED_ORDER, status: 'NEW', filledBaseAmount: '0', filledQuoteAmount: '0' }
const ACCEPTED = { kind: 'accepted', status: 'PROCESSING' } as const

describe('an accepted order', () => {
  test('an accepted order that fills while Order polls it ends the run', async () => {
    const { ports, input } = await quoted({ answer: ACCEPTED, orders: [MOVING, MOVING, undefined, FILLED_ORDER] })
    expect(await order(input, ports)).toMatchObject({ outcome: 'FILLED', fills: [{ id: 'fill-1' }] })
    expect(ports.fake.nowMs - START_MS).toBe(200 + 400 + 800)
  })

  test('an accepted order that keeps moving is left to a first wait', async () => {
    const { ports, input } = await quoted({ answer: ACCEPTED, orders: [MOVING] })
    expect(await order(input, ports)).toMatchObject({ outcome: 'PROCESSING', waits: 1, waitSeconds: 25 })
    expect(ports.fake.nowMs - START_MS).toBe(5_000)
  })

  test('is DONE in the journal before the first poll', async () => {
    const { ports, input } = await quoted({ answer: ACCEPTED, orders: [MOVING] })
    const seen: unknown[] = []
    const { findOrder } = ports.service
    ports.service.findOrder = async (orderId) => {
      seen.push((await intentOf(ports))?.state)
      return findOrder(orderId)
    }
    await order(input, ports)
    expect([...new Set(seen)]).toEqual(['DONE'])
  })

  test('is polled once while others need the rest of the rate limit', async () => {
    const { ports, input } = await quoted({ answer: ACCEPTED, orders: [MOVING] })
    expect(await order(input, { ...ports, mayLookOn: () => false })).toMatchObject({ outcome: 'PROCESSING', waits: 1 })
    expect(ports.fake.nowMs).toBe(START_MS)
  })

  test.each([new Transient('no answer'), new KeyFault('the key is revoked')])(
    'that cannot be read is left to PollOrder after a wait: %s',
    async (fault) => {
      const { ports, input } = await quoted({ answer: ACCEPTED, orders: [fault, FILLED_ORDER] })
      expect(await order(input, ports)).toEqual({
        ...{ outcome: 'PROCESSING', intentId: 'intent-1', attempts: 1, orderId: 'order-1', side: 'BUY' },
        ...{ waits: 1, waitSeconds: 25, why: `accepted, and could not be looked at: ${fault.message}` },
        ...(fault instanceof KeyFault && { keyAtFault: true }),
      })
      expect(await intentOf(ports)).toMatchObject({ state: 'DONE', ref: 'order-1' })
      expect(await pollOrder({ intentId: 'intent-1', waits: 1 }, ports)).toMatchObject({ outcome: 'FILLED' })
      expect(ports.fake.sentOrders).toEqual(['order-1'])
    },
  )

  test('an accepted order that is polled by a step which was entered again sends nothing', async () => {
    const { ports, input } = await quoted({ answer: ACCEPTED, orders: [new Transient('no answer'), FILLED_ORDER] })
    await order(input, ports)
    expect(await order(input, ports)).toMatchObject({ outcome: 'FILLED' })
    expect(ports.fake.sentOrders).toEqual(['order-1'])
  })

  test('an accepted order that can no longer be polled is still under way', async () => {
    const { ports, input } = await quoted({ answer: ACCEPTED, orders: [MOVING, new Transient('no answer')] })
    expect(await order(input, ports)).toMatchObject({ outcome: 'PROCESSING', waits: 1, why: 'the order is new' })
    expect(await intentOf(ports)).toMatchObject({ state: 'DONE' })
  })

  test('an accepted order whose key is refused at a later poll says so, for an alarm', async () => {
    const { ports, input } = await quoted({ answer: ACCEPTED, orders: [MOVING, new KeyFault('the key is revoked')] })
    expect(await order(input, ports)).toMatchObject({ outcome: 'PROCESSING', waitSeconds: 25, keyAtFault: true })
  })

  test('an accepted order that the rate limit keeps from being polled is polled by the same step again, which may use more of it', async () => {
    const { ports, input } = await quoted({ answer: ACCEPTED, orders: [new RateLimited('no room'), FILLED_ORDER] })
    await expect(order(input, ports)).rejects.toThrow(RateLimited)
    expect(await order(input, ports)).toMatchObject({ outcome: 'FILLED' })
    expect(ports.fake.sentOrders).toEqual(['order-1'])
  })

  test("is not reported from another account's view in the meantime", async () => {
    const { ports, input } = await quoted({ answer: ACCEPTED, orders: [MOVING, FILLED_ORDER] })
    const { sleep } = ports.clock
    ports.clock.sleep = async (durationMs) => {
      ports.fake.kid = 'svc_test_ba9876543210'
      ports.fake.account = 'account-2'
      await sleep(durationMs)
    }
    expect(await order(input, ports)).toMatchObject({
      outcome: 'PROCESSING',
      why: expect.stringContaining('the key was replaced'),
    })
    expect(await order(input, ports)).toMatchObject({
      outcome: 'PROCESSING',
      why: expect.stringContaining('is of account account-2'),
    })
    expect(await intentOf(ports)).toMatchObject({ state: 'DONE' })
  })

  test('ends STUCK at once if no wait is configured', async () => {
    const { ports, input } = await quoted({ answer: ACCEPTED, orders: [MOVING] }, { pollWaits: 0 })
    expect(await order(input, ports)).toMatchObject({
      outcome: 'STUCK',
      orderId: 'order-1',
      why: 'the order is new, and no end came within 0 waits',
    })
  })
})

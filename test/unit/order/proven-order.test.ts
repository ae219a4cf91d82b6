// Reports of a proven order: its fills, its end, and the size limit of a state machine's state.
import { describe, expect, test } from 'vitest'
import { Defect } from '../../../core/errors.ts'
import { pollOrder } from '../../../functions/poll-order/poll-order.ts'
import { enterOrder as order } from '../../helpers/entered.ts'
import { FILLED_ORDER } from '../../helpers/fake-conversion-service.ts'
import { fillsOf, intentOf, quoteAgain, quoted, STATE_BYTES, unproven } from './quoted-order.ts'

describe('a proven order', () => {
  test('a proven order that another intent holds needs a person, with evidence', async () => {
    const { ports, input } = await quoted()
    await ports.journal.claim('convert', 'order-1', 'another-intent')
    expect(await order(input, ports)).toMatchObject({
      outcome: 'NEEDS_ATTENTION',
      orderId: 'order-1',
      why: 'order order-1 is already claimed by intent another-intent',
    })
    expect(await intentOf(ports)).toMatchObject({ state: 'ESCALATED' })
  })

  test('a proven order that ended FAILED shows its fills, and is never quoted again', async () => {
    const failed = { ...FILLED_ORDER, status: 'FAILED', filledBaseAmount: '0.04', filledQuoteAmount: '2000' }
    const { ports, input } = await quoted({ orders: [failed] })
    expect(await order(input, ports)).toMatchObject({
      outcome: 'FAILED',
      baseAmount: '0.04',
      quoteAmount: '2000',
      why: 'the order failed after 0.04 of 0.1 was filled',
    })
    expect(await quoteAgain(ports)).toEqual({ intentId: 'intent-1', outcome: 'RECORDED' })
  })

  test.each([
    [{ side: 'SELL' }, 'its side is SELL, not BUY'],
    [{ market: 'BTC-USDT' }, 'its market is BTC-USDT, not BTC-USDC'],
    [{ baseAsset: 'ETH' }, 'its base asset is ETH, not BTC'],
    [{ quoteAmount: '5001' }, 'its quote amount is 5001, not 5000'],
  ])('with %o is claimed, and needs a person at once', async (change, difference) => {
    const { ports, input } = await quoted({ orders: [{ ...FILLED_ORDER, status: 'NEW', ...change }] })
    const details = {
      ...{ outcome: 'NEEDS_ATTENTION', orderId: 'order-1' },
      why: `order order-1 has the status new, and it is not what was asked for: ${difference}`,
    }
    expect(await order(input, ports)).toMatchObject(details)
    expect(await intentOf(ports)).toMatchObject({ state: 'DONE', ref: 'order-1' })
    expect(await ports.journal.findClaim('convert', 'order-1')).toBe('intent-1')
    expect(await pollOrder({ intentId: 'intent-1' }, ports)).toMatchObject(details)
  })

  test('a proven order that is found after a lost answer is compared with the request too', async () => {
    const other = { ...FILLED_ORDER, market: 'BTC-USDT', quoteAsset: 'USDT' }
    const { ports, input } = await quoted({ answer: unproven('no_answer'), orders: [other] })
    expect(await order(input, ports)).toMatchObject({ outcome: 'NEEDS_ATTENTION', market: 'BTC-USDT' })
    expect(await intentOf(ports)).toMatchObject({ state: 'DONE' })
  })

  test('with an undescribed status is still moving', async () => {
    const { ports, input } = await quoted({ orders: [{ ...FILLED_ORDER, status: 'HELD_FOR_REVIEW' }] })
    expect(await order(input, ports)).toMatchObject({ outcome: 'PROCESSING', why: 'the order is held for review' })
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

  test('a proven order whose fills exceed the size of a state is a defect: it would end the run without a name', async () => {
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
        why: `the order ended as ${status.toLowerCase()}, and its fills are not yet visible`,
      })
    },
  )

  test('a proven order that ended FAILED with nothing filled is reported so', async () => {
    const failed = { ...FILLED_ORDER, status: 'FAILED', filledBaseAmount: '0.00', filledQuoteAmount: '0' }
    const { ports, input } = await quoted({ orders: [failed], fills: [] })
    expect(await order(input, ports)).toMatchObject({ outcome: 'FAILED', fills: [] })
  })
})

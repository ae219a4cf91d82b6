// Reports of an order that is there: its fills, its end, and what fits a state machine's state.
import { describe, expect, test } from 'vitest'
import { Defect } from '../../../core/errors.ts'
import { enterOrder as order } from '../../helpers/entered.ts'
import { FILLED_ORDER } from '../../helpers/fake-conversion-service.ts'
import { fillsOf, intentOf, quoteAgain, quoted, STATE_BYTES } from './quoted-order.ts'

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

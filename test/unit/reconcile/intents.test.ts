// Intents compared with their movements: different terms, and intents that nobody has settled in time.
import { beforeEach, describe, expect, test } from 'vitest'
import { IntentState } from '../../../core/contract/records.ts'
import {
  armedAt,
  conversion,
  found,
  ORDER,
  order,
  payment,
  startAnew,
  WITHDRAWAL,
  withdrawal,
  world,
} from './audited-world.ts'

beforeEach(startAnew)

describe('terms', () => {
  test('terms that were lost with the record of their intent cannot be compared, and that is reported', async () => {
    const resolution = { by: 'ann', because: 'the journal was lost', at: '2026-02-01T10:00:00.000Z' }
    const { attempt: _order, ...converted } = { ...conversion, resolution }
    const { attempt: _row, ...paid } = { ...payment, frozen: {}, resolution }
    world.intents = [converted, paid]
    world.withdrawals = [{ ...withdrawal, assetSymbol: null }]
    expect(await found()).toEqual([
      ['differing_terms', expect.stringContaining('the intent was never armed')],
      ['differing_terms', expect.stringContaining('the intent was never armed')],
    ])
  })

  test.each([
    [{ side: 'SELL' }, 'its side is SELL, not BUY'],
    [{ market: 'BTC-USDT' }, 'its market is BTC-USDT, not BTC-USDC'],
    [{ baseAsset: 'ETH' }, 'its base asset is ETH, not BTC'],
    [{ quoteAsset: 'USDT' }, 'its quote asset is USDT, not USDC'],
    [{ baseAmount: '0.6' }, 'its base amount is 0.6, not 0.5'],
    [{ quoteAmount: '50.000001' }, 'its quote amount is 50.000001, not 50'],
    [{ filledQuoteAmount: '51' }, 'its filled quote amount is 51, more than 50'],
    [{ filledBaseAmount: '0.4' }, 'its fills add up to a baseAmount of 0.5, not 0.4'],
  ])('an order with %o differs', async (change, why) => {
    world.orders = [{ ...order, ...change }]
    expect(await found()).toEqual([['differing_terms', expect.stringContaining(why)]])
  })

  test('an order differs that its attempt did not send', async () => {
    world.intents = [{ ...conversion, attempt: { ...conversion.attempt, orderId: 'another' } }, payment] as never
    expect(await found()).toEqual([['differing_terms', expect.stringContaining('its attempt sent order another')]])
  })

  test('a withdrawal differs that existed before the send', async () => {
    const known = [{ id: withdrawal.id, at: withdrawal.createdAt }]
    world.intents = [conversion, { ...payment, attempt: { ...payment.attempt, known } }] as never
    expect(await found()).toEqual([['differing_terms', expect.stringContaining('it was there before the send')]])
  })

  test('amounts are compared by value, and fills only once the order has ended', async () => {
    world.orders = [{ ...order, quoteAmount: '50.00', status: 'PARTIALLY_FILLED', filledBaseAmount: '0.2' }]
    expect(await found()).toEqual([])
  })

  test('an order that failed after a partial fill differs if its fills have another amount', async () => {
    world.orders = [{ ...order, status: 'FAILED', filledBaseAmount: '0.2', filledQuoteAmount: '20' }]
    expect(await found()).toEqual([
      ['differing_terms', expect.stringContaining('its fills add up to a baseAmount of 0.5, not 0.2')],
    ])
  })

  test.each([
    [{ total: '101' }, 'a total of 100 was asked for'],
    [{ networkId: 'polygon' }, 'on polygon'],
    [{ assetSymbol: 'EUR' }, 'its asset is EUR, not USDC'],
    [{ subType: 'INTERNAL' }, 'it is INTERNAL'],
    [{ amount: '100' }, 'its amount and its fee add up to 101, not 100'],
    [{ fee: '2', amount: '98' }, 'its fee is 2, and 1 was shown right before its send'],
  ])('a withdrawal with %o differs', async (change, why) => {
    world.withdrawals = [{ ...withdrawal, ...change }]
    expect(await found()).toEqual([['differing_terms', expect.stringContaining(why)]])
  })

  test('a movement that ties out, and differs from its approval, is found once', async () => {
    world.unapproved = 'it is not what people approved for run run-1: its request is not that of its leg'
    expect(await found()).toEqual([
      ['changed_record', expect.stringContaining(`order order-1, a BUY of 0.5 on BTC-USDC`)],
      ['changed_record', expect.stringContaining(world.unapproved)],
    ])
    expect(await found()).toEqual([])
  })

  test('a resume that nobody signed is found by each audit, while it is in force', async () => {
    world.resumes = ['H#*: no signed request of bob is recorded']
    const unsigned = [['changed_record', 'H#*: no signed request of bob is recorded']]
    expect(await found()).toEqual(unsigned)
    world.nowS += 3_600
    expect(await found()).toEqual(unsigned)
    world.nowS += 3_600
    world.resumes = []
    expect(await found()).toEqual([])
  })

  test('a withdrawal that pays a payout row again is found once', async () => {
    world.paidTwice = 'withdrawal w-0 of intent other has paid the same payout row'
    expect(await found()).toEqual([
      ['paid_twice', expect.stringContaining('order order-1')],
      ['paid_twice', expect.stringContaining(world.paidTwice)],
    ])
    expect(await found()).toEqual([])
  })

  test('a claim by an intent of the other kind proves nothing, and is not the movement of its intent', async () => {
    world.claims = { [ORDER]: payment.intentId, [WITHDRAWAL]: conversion.intentId }
    world.intents = [
      { ...conversion, ref: withdrawal.id },
      { ...payment, ref: order.id },
    ] as never
    expect((await found()).map(([type]) => type)).toEqual([
      ...['unproven_claim', 'unproven_claim', 'changed_record', 'changed_record'],
    ])
  })
})

describe('intents', () => {
  test('intents that are done by a missing withdrawal are found even if an order has its id', async () => {
    world.withdrawals = []
    world.claims = { [ORDER]: conversion.intentId, [`withdraw ${order.id}`]: payment.intentId }
    world.intents = [conversion, { ...payment, ref: order.id }] as never
    expect(await found()).toEqual([['missing_movement', expect.stringContaining(`withdrawal ${order.id}`)]])
  })

  test("intents that are done by another intent's movement were changed", async () => {
    const second = { ...payment, intentId: 'withdraw-2' }
    world.intents = [conversion, payment, second] as never
    expect(await found()).toEqual([
      ['changed_record', expect.stringContaining('its movement row-1 is claimed by intent withdraw-1')],
    ])
  })

  test("intents that are done by another intent's order were changed", async () => {
    world.intents = [conversion, payment, { ...conversion, intentId: 'convert-2' }] as never
    expect(await found()).toEqual([
      ['changed_record', expect.stringContaining('its movement order-1 is claimed by intent convert-1')],
    ])
  })

  test.each([
    ['a conversion', { ...conversion, intentId: 'convert-2', attempt: undefined }],
    ['a withdrawal', { ...payment, intentId: 'withdraw-2', attempt: undefined }],
  ])('that are done without an attempt, and are listed as open, were changed: %s', async (_what, second) => {
    world.intents = [conversion, payment, second] as never
    expect(await found()).toEqual([
      [
        'changed_record',
        expect.stringContaining(`${second.intentId} was changed, and nothing goes on from it: its state`),
      ],
    ])
  })

  test('intents that are done by no movement were changed', async () => {
    world.intents = [conversion, payment, { ...payment, intentId: 'withdraw-2', ref: undefined }] as never
    expect(await found()).toEqual([['changed_record', expect.stringContaining('it is DONE by no movement')]])
  })

  test('intents that are done by a movement that the service does not show are found', async () => {
    world.orders = []
    world.withdrawals = []
    expect(await found()).toEqual([
      ['missing_movement', expect.stringContaining(order.id)],
      ['missing_movement', expect.stringContaining(withdrawal.id)],
    ])
  })

  test('intents whose movement is dated past the audit’s end are looked up by its id', async () => {
    world.orders = [{ ...order, createdAt: '2026-02-01T11:59:00.000Z' }]
    expect(await found()).toEqual([])
  })

  test.each([
    ['ARMED', conversion, armedAt('2026-02-01T11:42:15.000Z'), []],
    ['ARMED', conversion, armedAt('2026-02-01T11:42:14.000Z'), ['overdue_intent']],
    ['ARMED', payment, armedAt('2026-02-01T11:42:15.000Z'), []],
    ['ARMED', payment, armedAt('2026-02-01T11:42:14.000Z'), ['overdue_intent']],
  ])('%s are overdue a quarter of an hour past the fence, and not before', async (state, intent, attempt, types) => {
    Object.assign(world, { orders: [], withdrawals: [], fills: [], claims: {} })
    world.intents = [{ ...intent, state, attempt: { ...intent.attempt, ...attempt } }]
    expect((await found()).map(([type]) => type)).toEqual(types)
  })

  test.each([
    ['2026-02-01T11:45:00.000Z', 0],
    ['2026-02-01T11:44:59.999Z', 1],
  ])('READY with notAfter %s: %i findings', async (notAfter, count) => {
    Object.assign(world, { orders: [], withdrawals: [], fills: [], claims: {} })
    world.intents = [{ ...payment, state: IntentState.Ready, notAfter } as never]
    expect(await found()).toHaveLength(count)
  })
})

// The verification of a deployment fails where its conversion differs anywhere by a digit.
import { expect, test } from 'vitest'
import type { Intent } from '../../../../core/journal/intent.ts'
import { differencesIn, type Evidence } from '../../../../operations/doctor/after-deploy/tie-out.ts'
import { conversion, fills, order } from '../../reconcile/audited-world.ts'

const intent = conversion as unknown as Intent
const tied = {
  result: {
    ...{ outcome: 'FILLED', intentId: 'convert-1', orderId: 'order-1', market: 'BTC-USDC', side: 'BUY' },
    ...{ baseAmount: '0.50', quoteAmount: '50' },
  },
  ...{ order: order as Evidence['order'], fills, intent, claimedBy: 'convert-1' },
} satisfies Evidence

const shown = (change: Partial<Evidence['order']>): Partial<Evidence> => ({ order: { ...tied.order, ...change } })
const kept = (change: Partial<Intent>): Partial<Evidence> => ({ intent: { ...intent, ...change } as Intent })
const reported = (change: Partial<Evidence['result']>): Partial<Evidence> => ({ result: { ...tied.result, ...change } })

test('evidence that agrees to the last digit has no difference', () => {
  expect(differencesIn(tied)).toEqual([])
})

test.each<[string, Partial<Evidence>, string]>([
  ['no intent', { intent: undefined }, 'order order-1 moved and belongs to no intent'],
  ['an intent that is not settled', kept({ state: 'ARMED' }), 'intent convert-1 is ARMED: its movement is not settled'],
  ['an intent by another order', kept({ ref: 'order-2' }), 'order order-1 moved and belongs to no intent'],
  ['no claim', { claimedBy: undefined }, 'its movement order-1 has no claim'],
  ['a claim of another intent', { claimedBy: 'convert-2' }, 'its movement order-1 is claimed by intent convert-2'],
  ['another amount', reported({ quoteAmount: '50.01' }), 'quoteAmount is 50 at the service and 50.01 in the result'],
  ['another side in the result', reported({ side: 'SELL' }), 'side is BUY at the service and SELL in the result'],
  ['a fill that is missing', { fills: fills.slice(1) }, 'its fills add up to a baseAmount of 0.3, not 0.5'],
  // The result repeats the service's figures, so both agree on these.
  ['another side than asked for', { ...shown({ side: 'SELL' }), ...reported({ side: 'SELL' }) }, 'its side is SELL'],
  [
    'another market',
    { ...shown({ market: 'BTC-USDT' }), ...reported({ market: 'BTC-USDT' }) },
    'its market is BTC-USDT',
  ],
  ['more than was ordered', shown({ quoteAmount: '40' }), 'its quote amount is 40, not 50'],
  ['a record that was changed', kept({ paramsHash: 'another' }), 'its params is not as it was asked for'],
  ['an attempt of another order', kept({ attempt: { ...intent.attempt, orderId: 'o-9' } as never }), 'sent order o-9'],
])('%s is a difference', (_what, changes, difference) => {
  expect(differencesIn({ ...tied, ...changes }).join()).toContain(difference)
})

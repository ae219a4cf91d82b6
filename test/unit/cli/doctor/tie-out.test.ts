import { expect, test } from 'vitest'
import { differencesIn, type Evidence } from '../../../../operations/doctor/after-deploy/tie-out.ts'

const tied: Evidence = {
  intentId: 'cv-1',
  result: { outcome: 'FILLED', intentId: 'cv-1', orderId: 'o-1', baseAmount: '0.30', quoteAmount: '5' },
  order: { id: 'o-1', filledBaseAmount: '0.3', filledQuoteAmount: '5' },
  fills: [
    { baseAmount: '0.1', quoteAmount: '2' },
    { baseAmount: '0.2', quoteAmount: '3' },
  ],
  intent: { state: 'DONE', ref: 'o-1' },
  claimedBy: 'cv-1',
}

test('what agrees to the last digit has no difference', () => {
  expect(differencesIn(tied)).toEqual([])
})

test.each<[Partial<Evidence>, string]>([
  [{ intent: undefined }, 'intent cv-1 is not in the journal, and not DONE by order o-1'],
  [{ intent: { state: 'ARMED' } }, 'intent cv-1 is ARMED, and not DONE by order o-1'],
  [{ intent: { state: 'DONE', ref: 'o-2' } }, 'intent cv-1 is DONE, and not DONE by order o-1'],
  [{ claimedBy: undefined }, 'order o-1 is claimed by no intent'],
  [{ claimedBy: 'cv-2' }, 'order o-1 is claimed by cv-2'],
  [{ result: { ...tied.result, quoteAmount: '5.01' } }, 'quoteAmount is 5 at the service and 5.01 in the result'],
  [
    { fills: tied.fills.slice(1).map((fill) => ({ ...fill, quoteAmount: '5' })) },
    'baseAmount is 0.3, and the fills add up to 0.2',
  ],
])('%j is a difference', (changes, difference) => {
  expect(differencesIn({ ...tied, ...changes })).toEqual([difference])
})

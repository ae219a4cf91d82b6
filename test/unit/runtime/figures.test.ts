// The metrics of a run count slippage, doubts and spent guards as they were.
import { expect, test } from 'vitest'
import type { ConvertIntent, OpenConversion } from '../../../core/journal/intent.ts'
import type { RunRecord } from '../../../core/runs/record/run-record.ts'
import { measuredOf } from '../../../functions/runtime/figures.ts'
import { measuredOfRun } from '../../../functions/runtime/run-wiring.ts'

const NOW = Date.parse('2026-11-02T12:00:00Z')
const SENT_S = NOW / 1000 - 40

const FROZEN = { baseAsset: { assetSymbol: 'BTC' }, quoteAsset: { assetSymbol: 'EUR' }, amount: '1', increment: '0.01' }
const intent = (changes: Partial<OpenConversion> = {}): ConvertIntent => ({
  ...{ intentId: 'a', paramsHash: '', createdAt: '2026-11-02T11:58:00Z', notAfter: '', version: 1, attemptNumber: 1 },
  ...{ kind: 'convert', state: 'DONE', frozen: { ...FROZEN, referenceRate: '99' } },
  params: { baseAsset: 'BTC', quoteAsset: 'EUR', side: 'BUY', amountAsset: 'BTC', amount: '1', plannedRate: '100' },
  attempt: {
    ...{
      nonce: '',
      kid: '',
      iat: SENT_S,
      exp: SENT_S + 30,
      bodySha256: '',
      owner: '',
      fenceTiming: { leewaySeconds: 0, visibilitySeconds: 0 },
      orderId: '',
      quoteExpiresAt: null,
    },
    terms: { market: 'BTC-EUR', rate: '100', baseAmount: '1', quoteAmount: '100' },
  },
  ...changes,
})
const filled = (one: ConvertIntent, rate = '101', first = one) =>
  measuredOf('order', { outcome: 'FILLED', rate }, { about: 'a', first, intent: one }, NOW)

test('a dearer buy and a cheaper sale slip, and a better price is below zero', () => {
  const sale = intent({ params: { ...intent().params, side: 'SELL' } as OpenConversion['params'] })
  expect(filled(intent()).values.Slippage).toBe(100)
  expect(filled(sale).values.Slippage).toBe(-100)
  expect(filled(intent(), '99.5').values.Slippage).toBe(-50)
})

test('without a planned price nothing slips', () => {
  const { plannedRate: _none, ...params } = intent().params as OpenConversion['params']
  expect(filled(intent({ params })).values.Slippage).toBeCloseTo(202.02, 2)
  expect(filled(intent({ params, frozen: FROZEN })).values).not.toHaveProperty('Slippage')
})

test('doubt is counted from the send to the proof, and only if there was a doubt', () => {
  expect(filled(intent(), '101', intent({ state: 'ARMED' })).values).toMatchObject({ DoubtTime: 40, SettleTime: 120 })
  expect(filled(intent()).values).not.toHaveProperty('DoubtTime')
})

test('a spent budget is counted at the end that it causes, and no other guard is', () => {
  const end = (guardedBy: string) =>
    measuredOf('order', { outcome: 'REJECTED', guardedBy }, { about: 'a', intent: intent({ state: 'REJECTED' }) }, NOW)
  expect(end('budget').values).toMatchObject({ BudgetsSpent: 1, Ends: 1 })
  expect(end('floor').values).not.toHaveProperty('BudgetsSpent')
})

test.each([
  ['a leg of a policy', { policy: 'core', run: 'run-1' }, 'core'],
  ['a leg of a policy that its request held', { policy: 'inline-1a2b3c4d', run: 'run-1' }, 'inline'],
  ['a request by hand in the name of a policy', { policy: 'anything' }, undefined],
])('the policy of %s is the dimension %s', (_what, named, policy) => {
  const params = { ...(intent().params as OpenConversion['params']), ...named }
  expect(filled(intent({ params })).dimensions?.Policy).toBe(policy)
})

test('a run that was settled with a leg in doubt needs a person', () => {
  const run = { kind: 'rebalance', policy: 'core', startedAt: '2026-11-02T11:00:00Z', phases: [], results: {} }
  const measured = (outcome: string, verb = 'settleRun') =>
    // Only these fields of the record are measured.
    measuredOfRun({ verb, answer: { outcome }, run: run as unknown as RunRecord, nowMs: NOW })
  expect(measured('NEEDS_ATTENTION')).toMatchObject({
    values: { RunsInNeed: 1, Ends: 1, SettleTime: 3600 },
    dimensions: { Kind: 'rebalance', Outcome: 'NEEDS_ATTENTION', Policy: 'core' },
  })
  expect(measured('SETTLED').values).not.toHaveProperty('RunsInNeed')
  expect(measured('FIRST', 'planRebalance').values).toEqual({})
})

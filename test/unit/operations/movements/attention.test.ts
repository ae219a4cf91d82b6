// A person who has to settle a doubt sees the evidence: order, rows, window and differences.
import { expect, test } from 'vitest'
import { timing as timingSchema } from '../../../../core/contract/timing.ts'
import type { Intent, OpenConversion } from '../../../../core/journal/intent.ts'
import { findAttention } from '../../../../operations/movements/attention.ts'
import type { KnownExecution } from '../../../../place/executions/executions.ts'
import { attemptAt, CONVERSION } from '../../../helpers/intents.ts'

const READY: OpenConversion = {
  ...{ ...CONVERSION, intentId: 'cv-1', paramsHash: '' },
  ...{ createdAt: '2026-01-01T00:00:00Z', notAfter: '2026-01-01T00:15:00Z' },
  ...{ state: 'READY', version: 1, attemptNumber: 1 },
}
const sent: OpenConversion = { ...READY, state: 'ARMED', attempt: attemptAt('order-1') }
const attention = (intent: Intent, last?: KnownExecution) => findAttention(intent, last, timingSchema.parse({}))

test.each<[string, Intent, KnownExecution | undefined]>([
  ['READY', READY, { status: 'FAILED' }],
  ['ARMED and still run', sent, { status: 'RUNNING' }],
  ['DONE', { ...sent, state: 'DONE', ref: 'order-1' }, { status: 'SUCCEEDED' }],
  ['REJECTED', { ...READY, state: 'REJECTED' }, undefined],
  ['EXHAUSTED', { ...READY, state: 'EXHAUSTED' }, undefined],
])('an intent that is %s needs nobody', (_, intent, last) => {
  expect(attention(intent, last)).toBeUndefined()
})

test('an armed conversion whose last execution has ended is shown with its order and window', () => {
  expect(attention(sent, { status: 'FAILED', error: 'NEEDS_ATTENTION' })).toMatchObject({
    ...{ intentId: 'cv-1', kind: 'convert', state: 'ARMED', params: { amount: '0.1' }, attempt: 1, nonce: 'nonce-1' },
    window: { since: '2026-01-01T00:00:00.000Z', until: '2026-01-01T00:01:20.000Z' },
    candidates: [{ id: 'order-1', market: 'BTC-USDC', baseAmount: '0.1', quoteAmount: '5000' }],
    why: 'sent, and not settled: its last execution failed (needs a person)',
    next: expect.stringMatching(/^the machine enters it again by itself/),
  })
  expect(attention(sent, undefined)?.why).toContain('no execution of it is known')
  expect(attention(sent, { status: 'ABORTED' })?.next).toMatch(/^entering it again looks/)
})

test('an unfinished movement is shown without a window, because nothing of it is looked for', () => {
  const done: Intent = { ...sent, state: 'DONE', ref: 'order-1' }
  const found = attention(done, { status: 'FAILED', error: 'STUCK' })
  expect(found).toMatchObject({ state: 'DONE', next: expect.stringContaining('sends nothing') })
  expect(found).not.toHaveProperty('window')
})

test('a movement that differs from its request is shown with the difference, unless a person has settled it', () => {
  const done: Intent = { ...sent, state: 'DONE', ref: 'order-1' }
  const cause = JSON.stringify({
    why: 'order order-1 has the status filled, and it is not what was asked for: its side is SELL',
  })
  const last = { status: 'FAILED', error: 'NEEDS_ATTENTION', cause } as const
  expect(attention(done, last)?.why).toBe(
    'movement order-1 exists, and its last execution failed (needs a person): order order-1 has the status filled, and it is not what was asked for: its side is SELL',
  )
  const resolution = { by: 'ada', because: 'seen', at: '2026-01-01T01:00:00Z', movementId: 'order-1' }
  expect(attention({ ...done, resolution }, last)).toBeUndefined()
})

test('an escalated withdrawal is shown with its rows, its window up to the fence, and the intents that wait for it', () => {
  const rows = [{ id: 'w-1', total: '100' }]
  const attempt = {
    ...sent.attempt,
    fee: '0',
    since: '2025-12-31T00:00:00.000Z',
    known: [],
  } as unknown as Intent['attempt']
  const escalated = { ...sent, attempt, kind: 'withdraw', state: 'ESCALATED', evidence: rows, why: 'one row' } as Intent
  expect(attention(escalated)).toMatchObject({
    window: { since: '2025-12-31T00:00:00.000Z', until: '2026-01-01T00:02:45.000Z' },
    candidates: rows,
    why: 'one row',
    next: 'nothing, until a person resolves it; other withdrawals of the asset wait until then',
  })
  const resolution = { by: 'ada', because: 'seen', at: '2026-01-01T01:00:00Z', movementId: 'w-1' }
  expect(attention({ ...escalated, resolution })?.next).toContain('ada has chosen movement w-1')
})

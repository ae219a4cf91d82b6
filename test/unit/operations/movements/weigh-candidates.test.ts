// Tests what speaks for and against the movements that may belong to an intent in doubt.
import { expect, test } from 'vitest'
import type { Intent } from '../../../../core/journal/intent.ts'
import { weighCandidates } from '../../../../operations/movements/weigh-candidates.ts'
import { attemptAt, CONVERSION, WITHDRAWAL } from '../../../helpers/intents.ts'

const SENT = '2026-01-01T00:00:00.000Z'
const UNTIL = '2026-01-01T00:02:45.000Z'
const ROW = {
  ...{ id: 'w-1', subType: 'INTERNAL', networkId: null, amount: '99', fee: '1', total: '100', status: 'COMPLETED' },
  ...{ createdAt: '2026-01-01T00:00:02.000Z', transactionHash: null, bankReference: null },
}
const facts = { ...{ intentId: 'i-1', state: 'ESCALATED', attemptNumber: 1 }, attempt: attemptAt('order-1') }
const withdrawal = (...rows: readonly object[]) => ({ ...WITHDRAWAL, ...facts, evidence: rows }) as unknown as Intent

test('a row with the amount, the way and the time of what was asked for has all for it', () => {
  const [row] = weighCandidates(withdrawal(ROW), UNTIL)
  expect(row).toMatchObject({
    id: 'w-1',
    amount: '100',
    asset: 'USDC',
    at: ROW.createdAt,
    status: 'COMPLETED',
    contra: [],
  })
  expect(row?.pro).toEqual([
    'its total is the 100 USDC that was asked for',
    'it goes the way of the payee (transfer within the service)',
    `it came 2 s from the send at ${SENT}`,
  ])
  expect(row?.terms).toContain('"Treasury"')
})

test.each([
  ['another amount', { total: '40' }, 'its total is 40 USDC, and asked for was 100 USDC'],
  [
    'another way',
    { subType: 'EXTERNAL_CRYPTO', networkId: 'ETH' },
    "it goes another way than the payee's (transfer within the service)",
  ],
  ['a time before the send', { createdAt: '2025-12-31T23:00:00.000Z' }, `it was there before the send at ${SENT}`],
  ['a time after the fence', { createdAt: '2026-01-01T00:03:00.000Z' }, `it came after ${UNTIL}`],
  ['a failure', { status: 'FAILED' }, 'it has failed'],
])('a row with %s has that against it', (_what, changes, says) => {
  const [row] = weighCandidates(withdrawal({ ...ROW, ...changes }), UNTIL)
  expect(row?.contra).toEqual([expect.stringContaining(says)])
})

test('a fee on top is no part of the amount that is compared', () => {
  const intent = { ...withdrawal({ ...ROW, amount: '100', total: '101' }) } as Intent & { frozen: object }
  const added = { ...intent, frozen: { ...intent.frozen, feeMode: 'add' } } as Intent
  expect(weighCandidates(added, UNTIL)[0]?.pro[0]).toBe('its amount is the 100 USDC that was asked for')
})

test('a row without its fields is shown, and nothing is said of it', () => {
  expect(weighCandidates(withdrawal({ id: 'w-1', total: '100' }), UNTIL)).toEqual([
    { id: 'w-1', amount: '100', asset: 'USDC', terms: 'its row cannot be read whole', pro: [], contra: [] },
  ])
})

test('the order of a conversion is the only one that can be it, with what it would spend and its rate', () => {
  const conversion = { ...CONVERSION, ...facts } as unknown as Intent
  expect(weighCandidates(conversion, UNTIL)).toEqual([
    {
      ...{ id: 'order-1', amount: '5000', asset: 'USDC', terms: '50000 on BTC-USDC', contra: [] },
      pro: ['its id was fixed before the send, so no other order can be it'],
    },
  ])
  const { attempt: _attempt, ...unsent } = conversion
  expect(weighCandidates(unsent as Intent, UNTIL)).toEqual([])
})

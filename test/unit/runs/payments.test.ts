// Tests the reading of payments over all runs: which intent is next, and what stands in its way.
import { expect, test } from 'vitest'
import { policy as policySchema } from '../../../core/contract/policies.ts'
import { IntentState } from '../../../core/contract/records.ts'
import { createJournal } from '../../../core/journal/journal.ts'
import { withRows } from '../../../core/policies/kinds.ts'
import { onceOf, readPayments } from '../../../core/runs/plan/payments.ts'
import { onceIntentId } from '../../../core/runs/record/run-record.ts'
import { armed, WITHDRAWAL } from '../../helpers/intents.ts'
import { createMemoryStore } from '../../helpers/memory-store.ts'
import { runWorld, START, START_MS } from '../../helpers/run-world.ts'

const ROW = { id: 'a', contactId: 'c-1', asset: 'USDC', amount: '100' }
const TERMS = { ...WITHDRAWAL.params, feeMode: 'add' as const }
const END = { state: IntentState.Rejected, outcome: 'REJECTED', why: 'refused' } as const

/** `ends`: of the row's intents so far, in their order; 'ready' and 'armed' have not ended. */
async function factsAfter(ends: readonly ('zero' | 'ready' | 'armed')[], row = ROW, afterMs = 0) {
  let ids = 0
  const journal = createJournal(createMemoryStore(), () => `id-${++ids}`)
  for (const [index, end] of ends.entries()) {
    const intent = await journal.open(
      {
        ...{ intentId: onceIntentId(`payout/a/${index + 1}`), kind: WITHDRAWAL.kind, params: TERMS },
        ...{ frozen: WITHDRAWAL.frozen, createdAt: START, notAfter: '2026-01-01T00:15:00.000Z' },
      },
      end === 'zero' ? END : undefined,
    )
    if (end === 'armed') await journal.advance(intent, armed(intent, 'nonce'))
  }
  const { ports, account } = runWorld()
  account.nowMs = START_MS + afterMs
  const policy = withRows(policySchema.parse({ kind: 'payouts', assets: ['USDC'] }), [row])
  return (await readPayments(policy, { ...ports, journal }, () => undefined)).get('a')
}

test('a new row gets its first intent', async () => {
  expect(await factsAfter([])).toEqual({ once: 'payout/a/1' })
})

test('a row gets its next intent only after each certified zero', async () => {
  expect(await factsAfter(['zero', 'zero'])).toEqual({ once: 'payout/a/3' })
})

test.each([
  ['ready', 0],
  ['armed', 0],
  ['armed', 86_400_000],
  ['ready', 86_400_000],
] as const)(
  'an intent that is %s after %i ms may still pay its row, because no write has ended it',
  async (end, afterMs) => {
    const facts = await factsAfter(['zero', end], ROW, afterMs)
    expect(facts).toMatchObject({ once: 'payout/a/2', earlier: { isPaid: false } })
  },
)

test.each([
  [{ amount: '100.0' }, undefined],
  [{ asset: 'usdc' }, undefined],
  [{ amount: '101' }, 'amount 100, and the row has 101'],
  [{ asset: 'USDT' }, 'asset USDC, and the row has USDT'],
  [{ contactId: 'c-2' }, 'contact c-1, and the row has c-2'],
])('a row %j differs from its open intent: %s', async (given, otherTerms) => {
  expect((await factsAfter(['armed'], { ...ROW, ...given }))?.earlier?.otherTerms).toBe(otherTerms)
})

test('a payment has the same intent whatever the spelling of its id, and whatever policy pays it', () => {
  expect(onceOf('Invoice-7', 1)).toBe('payout/invoice-7/1')
  expect(onceOf('INVOICE-7', 1)).toBe(onceOf('invoice-7', 1))
  expect(onceOf('0041', 1)).toBe(onceOf('41', 1))
  for (const other of ['410', '4100', '0', 'a41', '0041.1']) expect(onceOf(other, 1)).not.toBe(onceOf('41', 1))
})

test('a corrected row may follow a certified zero', async () => {
  expect(await factsAfter(['zero'], { ...ROW, amount: '7' })).toEqual({ once: 'payout/a/2' })
})

test('a row that moved nothing twenty times gets no further intent', async () => {
  expect(await factsAfter(Array.from({ length: 20 }, () => 'zero' as const))).toMatchObject({ usedUp: 20 })
})

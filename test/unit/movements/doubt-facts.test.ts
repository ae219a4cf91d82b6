// Tests that the question about a doubt names amounts, payee and times of what was asked for and of the chosen movement.
import { expect, test } from 'vitest'
import type { Intent } from '../../../core/journal/intent.ts'
import { doubtFacts } from '../../../core/movements/resolve-doubt.ts'
import { attemptAt, WITHDRAWAL } from '../../helpers/intents.ts'

const ROW = {
  ...{ id: 'w-1', subType: 'INTERNAL', networkId: null, amount: '99', fee: '1', total: '100', status: 'COMPLETED' },
  ...{ createdAt: '2026-01-01T00:00:02.000Z', transactionHash: null, bankReference: null },
}
const facts = { ...{ intentId: 'i-1', state: 'ESCALATED', attemptNumber: 1 }, attempt: attemptAt('order-1') }
const inDoubt = { ...WITHDRAWAL, ...facts, evidence: [ROW, { id: 'w-2' }] } as unknown as Intent
const ASKED = ' It asked for 100 USDC to Treasury, signed at 2026-01-01T00:00:00.000Z.'

test.each([
  ['w-1', `${ASKED} The movement: 100 USDC at 2026-01-01T00:00:02.000Z, COMPLETED.`],
  ['w-2', ASKED],
  [undefined, ASKED],
])('the question about the movement %s names what is known of it', (movementId, says) => {
  expect(doubtFacts(inDoubt, movementId)).toBe(says)
})

test('nothing is said of an intent whose terms the journal has lost', () => {
  expect(doubtFacts({ ...WITHDRAWAL, ...facts, attempt: undefined } as unknown as Intent, 'w-1')).toBe('')
})

// The results of payout rows: a row that was paid by two of its tries is named, and needs a person.
import { expect, test } from 'vitest'
import { paidTwiceOf, resultsExitCode } from '../../../../operations/payouts/payout-results.ts'

const row = { id: 'a', contactId: 'c', asset: 'USD', amount: '1' }
const paid = (withdrawalId: string, outcome = 'COMPLETED') => ({ outcome, withdrawalId })

test.each([
  ['two that completed', [paid('w-1'), paid('w-2')], 3],
  ['one that came back and one that completed', [paid('w-1', 'FAILED_REFUNDED'), paid('w-2')], 0],
  ['one that was never sent and one that completed', [{ outcome: 'EXHAUSTED' }, paid('w-2')], 0],
])('of a row with %s', (_tries, tries, exitCode) => {
  const result = { ...row, outcome: 'COMPLETED', ...paidTwiceOf(tries) }
  expect(resultsExitCode([result as never])).toBe(exitCode)
  if (exitCode === 3) expect(result).toMatchObject({ why: expect.stringMatching(/w-1, w-2/) })
})

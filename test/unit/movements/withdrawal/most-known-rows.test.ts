// Tests the maximum of withdrawals of an asset in two days from which a new withdrawal can be distinguished: exactly
// that number, and one more.
import { expect, test } from 'vitest'
import { listKnownRows, MOST_KNOWN_ROWS } from '../../../../core/movements/withdrawal/known-rows.ts'

test('a withdrawal is not sent beside more than 1,200 others of its asset within two days', async () => {
  const nowMs = Date.parse('2026-01-03T00:00:00Z')
  const rows = (count: number) =>
    Array.from({ length: count }, (_, nth) => ({ id: `w-${nth}`, createdAt: '2026-01-02T00:00:00Z' }) as never)
  const known = (count: number) => listKnownRows('USDC', nowMs, undefined, { listWithdrawals: async () => rows(count) })
  expect((await known(MOST_KNOWN_ROWS)).known.known).toHaveLength(1_200)
  await expect(known(MOST_KNOWN_ROWS + 1)).rejects.toThrow('more than 1200 withdrawals of USDC in two days')
})

// Pays a file of a hundred and five rows, which the journal keeps in pages, under lost answers and two kills.
import { expect, test } from 'vitest'
import { payUnderKills } from './payout-campaign.ts'

test('each row of a long file moves once, by the books, though answers are lost and the process is killed', async () => {
  const { violations, kills, rows } = await payUnderKills({ rows: 105, kills: 2, seed: 7, lost: 0.03 })
  expect({ violations, kills, rows }).toEqual({ violations: [], kills: 2, rows: 110 })
})

// Tests the check of a payout file before anything is asked.
import { expect, test } from 'vitest'
import { checkLines } from '../../../../core/runs/payouts/check-lines.ts'
import { parsePayoutFile } from '../../../../core/runs/payouts/payout-file.ts'

const check = (assets: readonly string[]) => {
  const rows = assets.map((asset, index) => `r${index},c-1,${asset},1.${index},`)
  return checkLines(
    'salaries',
    parsePayoutFile(Buffer.from(['id,contactId,asset,amount,reference', ...rows].join('\n'))),
  )
}

test('a file with more rows of one asset than two days have room for is refused before anything moves', () => {
  const most = Array.from({ length: 1_200 }, () => 'EUR')
  expect(check([...most, 'USDC']).findings).toEqual([])
  expect(check([...most, 'eur']).findings).toEqual([
    { says: 'expected at most 1200 rows of one asset; got 1201 of EUR: pay the others two days later' },
  ])
})

test('a faulty line stops the whole file, and its totals are still those of the other rows', () => {
  const { findings, totals, rows } = checkLines(
    'salaries',
    parsePayoutFile(Buffer.from('id,contactId,asset,amount\na,c,EUR,1\nb,c,EUR,x')),
  )
  expect({ rows, lines: findings.map(({ line }) => line) }).toEqual({ rows: 1, lines: [3] })
  expect(totals.byAsset).toEqual([{ asset: 'EUR', rows: 1, amount: '1' }])
})

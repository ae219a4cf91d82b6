// Tests the totals of a payout file.
import { expect, test } from 'vitest'
import { totalsOf } from '../../../../core/runs/payouts/check-lines.ts'

const row = (line: number, contactId: string, asset: string, amount: string) => ({
  ...{ line, id: `r${line}`, contactId, asset, amount },
})

test('totals add exactly by asset in any case, and by asset and payee, in the order of the file', () => {
  const rows = [
    row(2, 'x', 'USDC', '0.1'),
    row(3, 'y', 'EUR', '5'),
    row(4, 'x', 'usdc', '0.2'),
    row(5, 'y', 'USDC', '1'),
  ]
  expect(totalsOf(rows)).toEqual({
    byAsset: [
      { asset: 'USDC', rows: 3, amount: '1.3' },
      { asset: 'EUR', rows: 1, amount: '5' },
    ],
    byPayee: [
      { asset: 'USDC', contactId: 'x', rows: 2, amount: '0.3' },
      { asset: 'EUR', contactId: 'y', rows: 1, amount: '5' },
      { asset: 'USDC', contactId: 'y', rows: 1, amount: '1' },
    ],
  })
})

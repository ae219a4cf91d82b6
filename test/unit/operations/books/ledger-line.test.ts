// The books give a fee back only for a whole refund or an entry of that fee.
import { expect, test } from 'vitest'
import { formatDecimal, parseDecimal } from '../../../../core/money/decimal.ts'
import type { WithdrawalState } from '../../../../core/service/ports.ts'
import { linesOf, type ReadEntry, readEntry } from '../../../../operations/books/ledger-line.ts'

const ROW = { id: 'wd-1', amount: '95', fee: '5', total: '100' } as WithdrawalState

/** Kind and fee of what came back of a withdrawal of 95, whose fee was 5. */
function refunded(change: string, type = 'withdrawal') {
  const entry = {
    ...{ id: '1', type, asset: 'USDC', atMs: 0, source: 'withdrawal', sourceId: ROW.id },
    ...{ change: parseDecimal(change, 'change'), movement: { kind: 'withdraw', id: ROW.id } },
  } as ReadEntry
  return linesOf(entry, 'intent-1', ROW).map(({ kind, refundedFee }) => [
    kind,
    refundedFee !== undefined && formatDecimal(refundedFee),
  ])
}

test('only a whole refund, or an entry of a fee with its figure, gives the fee back', () => {
  expect(refunded('100')).toEqual([['refunds', '5']])
  expect(refunded('95')).toEqual([['refunds', '0']])
  expect(refunded('5', 'withdrawal_fee_refund')).toEqual([['refunds', '5']])
  expect(refunded('5')).toEqual([['refunds', '0']])
})

test('an entry whose amount cannot be read is named with its text', () => {
  const entry = {
    ...{ id: 'e-1', type: 'DEPOSIT', assetSymbol: 'USDC', amount: null, amountShown: '0E-8' },
    ...{ source: null, orderId: null, createdAt: '2026-01-31T09:00:00.000Z' },
  }
  expect(readEntry(entry, new Map())).toBe('ledger entry e-1 of 0E-8 USDC cannot be read')
})

// Amounts of different assets, and settled and rebased ones, cannot be confused.
import { expect, test } from 'vitest'
import {
  amountTextOf,
  quantiseAmountDown,
  rebasedAmount,
  type SettledAmount,
  settledAmount,
} from '../../../core/money/amount.ts'
import { parseDecimal } from '../../../core/money/decimal.ts'

test('an amount keeps its asset through quantising', () => {
  const amount = quantiseAmountDown(settledAmount('BTC', '1.23456789', 'amount'), parseDecimal('0.0001', 'increment'))
  expect(amount.asset).toBe('BTC')
  expect(amountTextOf(amount)).toBe('1.2345')
})

test('a rebased amount does not compile if a settled one is needed', () => {
  const send = (amount: SettledAmount): string => amountTextOf(amount)
  // @ts-expect-error: rebased figures are for people and must never reach a send.
  send(rebasedAmount('AAPLX', '1', 'amount'))
  expect(send(settledAmount('AAPLSPV', '1', 'amount'))).toBe('1')
})

import { expect, test } from 'vitest'
import { alignOnPoint, tableLines } from '../../../cli/table.ts'

test('amounts stand with their decimal points in one column', () => {
  expect(alignOnPoint(['1234.5', '0.25', '7', '12.000001'])).toEqual([
    '1234.5     ',
    '   0.25    ',
    '   7       ',
    '  12.000001',
  ])
})

test('a table pads its columns, keeps ids whole and has no trailing spaces', () => {
  const rows = [
    { id: 'a-very-long-identifier-that-nobody-cuts', amount: '10.5' },
    { id: 'b', amount: '200' },
  ]
  const lines = tableLines(
    [
      { title: 'amount', text: (row) => row.amount, isAmount: true },
      { title: 'id', text: (row) => row.id },
    ],
    rows,
  )
  expect(lines).toEqual(['amount  id', '  10.5  a-very-long-identifier-that-nobody-cuts', ' 200    b'])
})

test('an empty table is its titles', () => {
  expect(tableLines([{ title: 'id', text: String }], [])).toEqual(['id'])
})

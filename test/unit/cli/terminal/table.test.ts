import { expect, test } from 'vitest'
import { alignOnPoint, printable, printableJson, recordLines, tableLines } from '../../../../cli/terminal/table.ts'

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

test('one row alone is one line a column', () => {
  const columns = [
    { title: 'id', text: (row: { id: string }) => row.id },
    { title: 'longer title', text: () => '' },
  ]
  expect(recordLines(columns, { id: 'a b' })).toEqual(['id            a b', 'longer title'])
})

const label = 'a\u001b[31mred\u009b2J\nb\u202ec'

test('what a terminal would obey is shown as escapes', () => {
  expect(printable(label)).toBe('a\\u001b[31mred\\u009b2J\\u000ab\\u202ec')
  expect(tableLines([{ title: 'alias', text: () => label }], [{}])).toHaveLength(2)
  expect(printable('Zürich 東京 €')).toBe('Zürich 東京 €')
})

test('JSON that is safe to show is the same value', () => {
  const text = printableJson({ label })
  expect(text).not.toMatch(/\p{Cc}|\u202e/u)
  expect(JSON.parse(text)).toEqual({ label })
})

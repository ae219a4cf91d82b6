// A table fits its screen, shows figures readably, and has every digit where no screen is.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { printable, printableJson, printableLines } from '../../../../core/printable.ts'
import type { Column } from '../../../../operations/words/column.ts'
import { cellOf, csvRow, csvTitles, namesOf } from '../../../../views/text/csv.ts'
import { alignOnPoint, recordLines, tableLines } from '../../../../views/text/table.ts'
import { cut, widthOf, wrapped } from '../../../../views/text/width.ts'

test('the decimal points of amounts are aligned in one column', () => {
  expect(alignOnPoint(['1234.5', '0.25', '7', '12.000001'])).toEqual([
    '1234.5     ',
    '   0.25    ',
    '   7       ',
    '  12.000001',
  ])
})

test('without a screen a table pads its columns, keeps texts whole and has no trailing spaces', () => {
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

test.each([
  ['31975.550991413306', undefined, '31975.55…'],
  ['0.001234567891', undefined, '0.00123456…'],
  ['12345678.0012', undefined, '12345678.00…'],
  ['1.5000000000', undefined, '1.5'],
  ['1000', undefined, '1000'],
  ['-12.3456789', 'cents', '-12.34'],
  ['0.0001', 'cents', '<0.01'],
  ['31975.550991413306', 'nowhere', '31975.550991413306'],
  ['none', undefined, 'none'],
] as const)(
  'a screen shows the amount %s, cut %s, as %s, and without a screen it has every digit',
  (amount, cutBy, says) => {
    const column: Column<string> = {
      title: 'amount',
      text: (text) => text,
      isAmount: true,
      ...(cutBy !== undefined && { cut: cutBy }),
    }
    expect(tableLines([column], [amount], 80)[1]?.trim()).toBe(says)
    expect(recordLines([column], amount, 80)[0]).toBe(`amount  ${says}`)
    expect(tableLines([column], [amount])[1]?.trim()).toBe(amount)
  },
)

test('a screen cuts long amounts in texts, but in no id', () => {
  const text = 'sell 0.123456789012345 BTC for USD'
  const lineOf = (isId: boolean, width?: number) =>
    tableLines([{ title: 'asked', text: String, isId }], [text], width)[1]
  expect(lineOf(false, 80)).toBe('sell 0.12345678… BTC for USD')
  expect(lineOf(true, 80)).toBe(text)
  expect(lineOf(false)).toBe(text)
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

interface Run {
  readonly at: string
  readonly policy: string
  readonly value: string
  readonly by: string
  readonly note: string
  readonly id: string
}

const columns: readonly Column<Run>[] = [
  { title: 'started', text: ({ at }) => at, isTime: true },
  { title: 'policy', text: ({ policy }) => policy, cutTo: 6 },
  { title: 'value', text: ({ value }) => value, isAmount: true },
  { title: 'started by', text: ({ by }) => by, isDetail: true },
  { title: 'note', text: ({ note }) => note, isDetail: true },
  { title: 'run', text: ({ id }) => id, isId: true },
]
const runs: readonly Run[] = [
  { at: '2026-01-31T09:00:12.345Z', policy: 'month-end', value: '10.5', by: 'person', note: '', id: 'rb-0123456789' },
  { at: '2026-01-31T10:00:00Z', policy: 'q', value: '2', by: 'schedule', note: 'late', id: 'rb-abcdef' },
]

test('with enough room everything stands side by side', () => {
  expect(tableLines(columns, runs, 200)).toEqual(tableLines(columns, runs))
})

test('on a narrower screen times are shorter, empty columns leave, and ids go below their row', () => {
  expect(tableLines(columns, runs, 60)).toEqual([
    'started           policy     value  started by  note',
    '2026-01-31 09:00  month-end   10.5  person',
    '    run rb-0123456789',
    '2026-01-31 10:00  q            2    schedule    late',
    '    run rb-abcdef',
  ])
})

test('then details go below as well, and labels are cut', () => {
  expect(tableLines(columns, runs, 33)).toEqual([
    'started           policy    value',
    '2026-01-31 09:00  month-e…   10.5',
    '    started by person',
    '    run rb-0123456789',
    '2026-01-31 10:00  q           2',
    '    started by schedule',
    '    note late · run rb-abcdef',
  ])
})

test('and finally each row is a block of lines, apart from the next', () => {
  expect(tableLines(columns, runs, 28)).toEqual([
    'started     2026-01-31 09:00',
    'policy      month-end',
    'value       10.5',
    'started by  person',
    'run         rb-0123456789',
    '',
    'started     2026-01-31 10:00',
    'policy      q',
    'value       2',
    'started by  schedule',
    'note        late',
    'run         rb-abcdef',
  ])
})

const anyRun = fc.record({
  at: fc.constantFrom('2026-01-31T09:00:12.345Z', ''),
  policy: fc.string({ unit: 'grapheme', maxLength: 40 }),
  value: fc.constantFrom('1', '0.000000000000000001', '123456789012345678901234567890', ''),
  by: fc.string({ unit: 'binary', maxLength: 40 }),
  note: fc.oneof(fc.constant('字'.repeat(10_000)), fc.constant('x'.repeat(10_000)), fc.lorem()),
  id: fc.string({ maxLength: 80 }),
})

test('whatever its content, no table is wider than the screen, and none holds a control character', () => {
  fc.assert(
    fc.property(fc.array(anyRun, { maxLength: 4 }), fc.integer({ min: 20, max: 200 }), (rows, width) => {
      for (const line of tableLines(columns, rows, width)) {
        expect(widthOf(line)).toBeLessThanOrEqual(width)
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
      }
    }),
    { numRuns: 200 },
  )
})

test('characters that take two columns, or none, are counted as the terminal shows them', () => {
  expect(['abc', '東京', 'é', 'e\u0301', '😀', '한글', '…'].map(widthOf)).toEqual([3, 4, 1, 1, 2, 4, 1])
  expect(cut('東京都', 4)).toBe('東…')
  expect(cut('abc', 3)).toBe('abc')
  expect(wrapped('one two three', 8, 9)).toEqual(['one two', 'three'])
  expect(wrapped('abcdefghij', 4, 2)).toEqual(['abcd', 'efg…'])
})

const label = 'a\u001b[31mred\u009b2J\nb\u202ec\u200bd\u2066e\ufefff\u{e0041}g\u00adh'
const shown = 'a\\u001b[31mred\\u009b2J\\u000ab\\u202ec\\u200bd\\u2066e\\ufefff\\udb40\\udc41g\\u00adh'

test('control characters and invisible ones are shown as escapes', () => {
  expect(printable(label)).toBe(shown)
  expect(tableLines([{ title: 'alias', text: () => label }], [{}])).toHaveLength(2)
  expect(printable('Zürich 東京 € ❤️')).toBe('Zürich 東京 € ❤️')
})

test('our own colours stay in a line of ours', () => {
  expect(printableLines(`\u001b[31merror:\u001b[39m ${label}`)).toBe(
    `\u001b[31merror:\u001b[39m a\u001b[31mred\\u009b2J\nb${shown.slice(shown.indexOf('\\u202e'))}`,
  )
  expect(printableLines('\u001b[8mhidden \u001b]8;;http://x\u001b\\ \u001b[2J')).not.toContain('\u001b')
})

test('JSON that is safe to show is the same value', () => {
  const text = printableJson({ label })
  expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  expect(JSON.parse(text)).toEqual({ label })
})

test.each([
  ['plain', 'plain'],
  ['a,b', '"a,b"'],
  ['say "no"', '"say ""no"""'],
  [' kept ', '" kept "'],
  ['=1+1', "'=1+1"],
  ['+49 30', "'+49 30"],
  ['-cmd|x', "'-cmd|x"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\\u0009=1"],
  ['-5.25', '-5.25'],
  ['+3', '+3'],
  ['12345678901234567890.000000000000000001', '12345678901234567890.000000000000000001'],
  ['line\nline', 'line\\u000aline'],
  ['＝1+1', "'＝1+1"],
  ['＠SUM(1)', "'＠SUM(1)"],
  ['  =1+1', "'  =1+1"],
  ['＋3', "'＋3"],
  ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
])('the cell %j is %s', (text, cell) => {
  expect(cellOf(text)).toBe(cell)
})

test('a line of CSV has a cell for each column, whole, and a column without a title is named after the column before', () => {
  const named = [
    { title: 'gives', text: () => '1' },
    { title: '', text: () => 'x'.repeat(10_000) },
  ]
  expect(namesOf(named)).toEqual(['gives', 'gives asset'])
  expect(csvTitles(named)).toBe('gives,gives asset')
  expect(csvRow(named, {})).toBe(`1,${'x'.repeat(10_000)}`)
})

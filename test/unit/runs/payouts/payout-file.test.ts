// Tests the reading of payout files: CSV and JSON Lines as people and programs write them, and each fault with its line.
import { describe, expect, test } from 'vitest'
import { MOST_ROWS_OF_FILE } from '../../../../core/contract/payouts.ts'
import { PAYOUT_FILE_BYTES, parsePayoutFile } from '../../../../core/runs/payouts/payout-file.ts'
import { cellOf } from '../../../../views/text/csv.ts'
import { withoutStacks } from '../../../simulation/without-stacks.ts'

withoutStacks()

const TITLES = 'id,contactId,asset,amount,reference'
const read = (text: string) => parsePayoutFile(Buffer.from(text))
const findings = (text: string) => read(text).findings.map(({ line, says }) => `${line} ${says}`)
const A = { id: 'a', contactId: 'c-1', asset: 'EUR', amount: '10', reference: 'June' }
const B = { id: 'b', contactId: 'c-2', asset: 'USDC', amount: '0.5' }

describe('the same two rows are read', () => {
  const csv = `${TITLES}\na,c-1,EUR,10,June\nb,c-2,USDC,0.5,\n`
  const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
  test.each<[string, Buffer]>([
    ['from CSV', Buffer.from(csv)],
    ['with the line ends and the mark of Windows', Buffer.from(`\uFEFF${csv.replaceAll('\n', '\r\n')}`)],
    ['in UTF-16, as PowerShell writes it', utf16(csv)],
    ['in UTF-16 of the other byte order', utf16(csv).swap16()],
    ['between semicolons', Buffer.from(csv.replaceAll(',', ';'))],
    [
      'between tabs in UTF-16, as Excel writes "Unicode Text"',
      utf16(csv.replaceAll(',', '\t').replaceAll('\n', '\r\n')),
    ],
    ['after a line that tells the delimiter', Buffer.from(`sep=;\r\n${csv.replaceAll(',', ';')}`)],
    ['with empty columns and rows', Buffer.from(csv.replaceAll('\n', ',,\r\n').concat(',,,,,,\r\n'))],
    ['with empty cells after the last title', Buffer.from(csv.replace('June', 'June,,'))],
    ['with line ends of three kinds', Buffer.from(csv.replace('\n', '\r\n').replace('June\n', 'June\r'))],
    ['in quotes and with spaces', Buffer.from(`${TITLES}\n"a", c-1 ,EUR,"10","June"\nb,c-2,USDC,0.5,\n`)],
    [
      'with titles in another order and case',
      Buffer.from('Amount,ID,Asset,CONTACTID,Reference\n10,a,EUR,c-1,June\n0.5,b,USDC,c-2,\n'),
    ],
    ['from JSON Lines', Buffer.from(`${JSON.stringify(A)}\n${JSON.stringify(B)}`)],
    [
      'from JSON Lines with the line ends of Windows',
      Buffer.from(`\uFEFF${JSON.stringify(A)}\r\n${JSON.stringify(B)}\r\n`),
    ],
  ])('%s', (_how, bytes) => {
    const { rows, findings: wrong } = parsePayoutFile(bytes)
    expect(wrong).toEqual([])
    expect(rows.map(({ line: _line, ...row }) => row)).toEqual([A, B])
  })
})

test('empty lines are passed over, and each row keeps its own line', () => {
  expect(read(`${TITLES}\n\na,c-1,EUR,10,\n\n,,,,\nb,c-2,EUR,1,\n`).rows.map(({ line }) => line)).toEqual([3, 6])
  expect(read(`\n${JSON.stringify(A)}\n\n${JSON.stringify(B)}`).rows.map(({ line }) => line)).toEqual([2, 4])
})

describe('every fault of a file is found, with its line', () => {
  test.each<[string, string, readonly (string | RegExp)[]]>([
    ['an empty file', '', ['1 expected at least one row; got none']],
    ['titles alone', TITLES, ['1 expected at least one row; got none']],
    ['a missing title', 'id,asset,amount\na,EUR,1', [/^1 .*it lacks contactId$/]],
    ['an unknown title', `${TITLES},iban\na,c,EUR,1,,X`, [/^1 .*column 6 has another$/]],
    [
      'an id twice, once without its zeros',
      `${TITLES}\n0041,c-1,EUR,1,\n41,c-1,EUR,2,`,
      [/^3 id: expected each id once; line 2/],
    ],
    ['a title twice', 'id,id,contactId,asset,amount\na,a,c,EUR,1', [/^1 .*twice$/]],
    ['a missing cell', `${TITLES}\na,c-1,EUR`, ['2 expected 5 cells, as the titles; got 3']],
    ['a quote that stays open', `${TITLES}\n"a,c-1,EUR,1,`, [/^\d expected a closing quote/]],
    [
      'a text without a title',
      `${TITLES},\na,c-1,EUR,1,June,x`,
      ['2 expected nothing in column 6, which has no title; got a text'],
    ],
    ['a fault after line ends of two kinds', `${TITLES}\na,c-1,EUR,1,\r\nb,c-1,EUR,oops,`, [/^3 amount/]],
    [
      'a fault after a line with the delimiter',
      `sep=;\n${TITLES}\na,c-1,EUR,oops,`.replaceAll(',', ';'),
      [/^3 amount/],
    ],
    [
      'a point that may separate thousands between tabs',
      `${TITLES}\na,c-1,EUR,1.000,`.replaceAll(',', '\t'),
      [/^2 amount: .*in one way only/],
    ],
    [
      'figures for people',
      `${TITLES}\na,c-1,EUR,1\u00a0000,\nb,c-1,EUR,€100,`,
      [/^2 amount: .*got "1\u00a0000"$/, /^3 amount: .*got "€100"$/],
    ],
    ['a JSON list', `[${JSON.stringify(A)}]`, [/^1 expected JSON Lines: one object a line/]],
    ['a letter that a page could not read', `${TITLES}\na,c-1,EUR,1,M\uFFFDrz`, [/^2 expected text in UTF-8/]],
    ['a wrong id', `${TITLES}\n=a,c-1,EUR,1,`, [/^2 id: expected at most 48 letters/]],
    ['an empty contact', `${TITLES}\na,,EUR,1,`, [/^2 contactId: expected/]],
    ['an amount of zero', `${TITLES}\na,c-1,EUR,0.00,`, [/^2 amount: expected more than zero/]],
    ['a negative amount', `${TITLES}\na,c-1,EUR,-5,`, [/^2 amount: expected/]],
    ['an amount with a decimal comma', 'id;contactId;asset;amount\na;c-1;EUR;1,50', [/^2 amount: expected/]],
    [
      'an amount with a comma that may separate thousands',
      `${TITLES}\na,c-1,EUR,1,000`,
      [/^2 amount: .*in one way only/],
    ],
    [
      'an amount with a comma after a missing reference',
      'id,contactId,asset,reference,amount\na,c-1,EUR,1,500',
      [/^2 /],
    ],
    ['an amount with a decimal comma in five cells', `${TITLES}\na,c-1,EUR,12,50`, [/^2 amount: .*in quotes/]],
    [
      'a point that may separate thousands between semicolons',
      `${TITLES}\na,c-1,EUR,1.000,\nb,c-1,EUR,0.500,\nc,c-1,EUR,1.0000,`.replaceAll(',', ';'),
      [
        '2 amount: expected an amount that is read in one way only; got 1.000: write 1000, or 1.0000 for the smaller amount',
      ],
    ],
    [
      'a reference with a line break',
      `${TITLES}\na,c-1,EUR,1,"two\nlines"`,
      [/^3 reference: expected text without line breaks/],
    ],
    [
      'a reference that is too long',
      `${TITLES}\na,c-1,EUR,1,${'x'.repeat(141)}`,
      [/^2 reference: expected at most 140/],
    ],
    ['a number in place of a text', '{"id":"a","contactId":"c","asset":"EUR","amount":1}', [/^1 amount: expected/]],
    ['an unknown field', '{"id":"a","contactId":"c","asset":"EUR","amount":"1","iban":"X"}', [/^1 iban: /]],
    ['a line that is no JSON', `${JSON.stringify(A)}\nnot json`, [/^2 not JSON/]],
    [
      'a field twice',
      '{"id":"a","id":"b","contactId":"c","asset":"EUR","amount":"1"}',
      [/^1 the key "id" is given twice/],
    ],
    [
      'an id twice',
      `${TITLES}\na,c-1,EUR,1,\nb,c-1,EUR,2,\na,c-2,EUR,3,`,
      ['4 id: expected each id once; line 2 has it too'],
    ],
    ['two wrong lines', `${TITLES}\na,c-1,EUR,0,\nb,c-1,,2,`, [/^2 amount/, /^3 asset/]],
  ])('%s', (_what, text, expected) => {
    const found = findings(text)
    expect(found).toHaveLength(expected.length)
    for (const [index, line] of expected.entries()) expect(found[index]).toMatch(line)
  })

  test('a letter of Windows-1252, with its line', () => {
    const file = Buffer.from(`${TITLES}\r\na,c-1,EUR,10,June\r\nb,c-1,EUR,10,März\r\n`, 'latin1')
    expect(parsePayoutFile(file).findings).toMatchObject([{ line: 3, says: expect.stringContaining('CSV UTF-8') }])
  })

  test('other bytes than text', () => {
    expect(parsePayoutFile(Buffer.from([0x50, 0x4b, 0x03, 0x04, 0xc3, 0x28])).findings).toMatchObject([
      { line: 1, says: expect.stringMatching(/UTF-8/) },
    ])
  })

  test('a file, a line or a number of rows beyond its bound', () => {
    expect(parsePayoutFile(Buffer.alloc(PAYOUT_FILE_BYTES + 1, 0x20)).findings).toMatchObject([
      { says: expect.stringMatching(/bytes/) },
    ])
    expect(findings(`{"id":"${'x'.repeat(3000)}"}`)).toEqual([
      expect.stringMatching(/^1 expected at most 2048 characters/),
    ])
    expect(findings(`${TITLES}\na,c,EUR,1,${'x'.repeat(3000)}`)).toEqual([expect.stringMatching(/characters in a row/)])
    const rows = Array.from({ length: MOST_ROWS_OF_FILE + 1 }, (_, index) => `r${index},c,EUR,1,`)
    expect(findings([TITLES, ...rows].join('\n'))).toEqual([
      expect.stringMatching(/^2002 expected at most 2000 rows; got 2001/),
    ])
    expect(findings([TITLES, ...rows.slice(1)].join('\n'))).toEqual([])
    expect(findings([TITLES, ...rows.slice(1), ...rows.map(() => ',,,,')].join('\n'))).toEqual([])
  })

  test.each([
    ['CSV', `${TITLES}\n${'x\n'.repeat(100_000)}`, 2_002],
    ['CSV with wrong cells', `${TITLES}\n${'a,,,1e3,\n'.repeat(100_000)}`, 2_002],
    ['JSON Lines', '{"id":1}\n'.repeat(100_000), 2_001],
    ['broken JSON Lines', '{\n'.repeat(100_000), 2_001],
  ])('a file of 100,000 wrong lines of %s, whose findings end with the bound on rows', (_, text, line) => {
    const found = read(text).findings
    expect(found.length).toBeLessThan(10 * MOST_ROWS_OF_FILE)
    expect(found).toContainEqual({ line, says: 'expected at most 2000 rows; got 100000: split the file' })
  })
})

test('rows that pay the same with the same reference are noted, and are no fault', () => {
  const { findings: wrong, alike } = read(`${TITLES}\na,c-1,EUR,1,x\nb,c-1,eur,1.00,x\nc,c-1,EUR,1,y`)
  expect(wrong).toEqual([])
  expect(alike).toEqual([{ line: 3, says: 'pays what line 2 pays, with the same reference' }])
})

test.each([
  ['in quotes', '1000,"4711"', '1000'],
  ['beside an amount in quotes', '"1000",4711', '1000'],
  ['beside an amount with decimals', '1000.00,4711', '1000.00'],
])('a reference of digits %s is read', (_how, cells, amount) => {
  const { rows, findings: wrong } = read(`${TITLES}\na,c-1,EUR,${cells}`)
  expect({ rows, wrong }).toMatchObject({ rows: [{ amount, reference: '4711' }], wrong: [] })
})

test('a formula in a reference is kept as text, and is harmless in a list', () => {
  const formula = '=HYPERLINK("http://x")'
  const [row] = read(`${TITLES}\na,c-1,EUR,1,"${formula.replaceAll('"', '""')}"`).rows
  expect(row?.reference).toBe(formula)
  expect(cellOf(row?.reference ?? '')).toMatch(/^"'=/)
})

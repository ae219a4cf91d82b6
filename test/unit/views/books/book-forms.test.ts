// Tests the texts of the books for hledger and beancount: codes and names that the programs read otherwise, and claimed balances.
import { expect, test } from 'vitest'
import type { AccountBooks, BookEntry } from '../../../../operations/books/entries/book-entry.ts'
import { surveyBooks } from '../../../../operations/books/entries/make-books.ts'
import { beancountLines } from '../../../../views/books/beancount.ts'
import { hledgerLines } from '../../../../views/books/hledger.ts'
import { postingLines } from '../../../../views/books/posting-csv.ts'

const ENTRY: BookEntry = {
  ...{ day: '2026-01-04', at: '2026-01-04T09:00:00.000Z', title: 'withdrawal', payee: 'Rent; "north"\nwing' },
  ...{ intentId: 'rent-1', movementId: 'w,1%', entryIds: ['entry-1'] },
  postings: [
    { account: 'Assets:Sluice:1INCH', asset: '1INCH', amount: '-2.5' },
    { account: 'Equity:Withdrawals', asset: '1INCH', amount: '2.5' },
  ],
}
const GIVEN = {
  ...{ account: 'a-1', zone: 'UTC', firstDay: '2026-01-01', endDay: '2026-02-01', continues: false },
  ...{ areBalancesProven: true, isProven: true },
  openingAccount: 'Equity:Opening-Balances',
  opening: [{ account: 'Assets:Sluice:1INCH', asset: '1INCH', balance: '10.125' }],
  entries: [ENTRY],
  prices: [{ day: '2026-01-04', asset: '1INCH', price: '0.4', quote: 'USDC' }],
  remarks: [{ day: '2026-01-05', account: 'Assets:Sluice:1INCH', text: 'a "remark"' }],
  closing: [{ account: 'Assets:Sluice:1INCH', asset: '1INCH', balance: '7.625' }],
  ...{ faults: [] as string[], faultsTotal: 0 },
}
const booksWith = (changed: Partial<typeof GIVEN>): AccountBooks => {
  const given = { ...GIVEN, ...changed }
  return { ...given, ...surveyBooks(given) }
}
const BOOKS = booksWith({})

test('hledger gets quoted symbols, tags without commas, and a description without a comment', () => {
  const lines = [...hledgerLines(BOOKS)]
  expect(lines).toEqual(
    expect.arrayContaining([
      'commodity 1.000 "1INCH"',
      'P 2026-01-04 "1INCH" 0.4 USDC',
      expect.stringMatching(/^2026-01-04 \* Rent%3B "north".*wing \| withdrawal$/),
      '    ; movement: w%2C1%25',
      '    Assets:Sluice:1INCH  -2.5 "1INCH"',
    ]),
  )
  expect(lines.slice(-2)).toEqual([
    '2026-01-31 * closing balances by the service',
    '    Assets:Sluice:1INCH  0 "1INCH" = 7.625 "1INCH"',
  ])
})

test('beancount gets a currency that it accepts, says which code it is, and escapes texts', () => {
  const lines = [...beancountLines(BOOKS)]
  expect(lines).toEqual(
    expect.arrayContaining([
      '; X.1INCH.X is 1INCH, whose code beancount does not accept.',
      expect.stringMatching(/^2026-01-04 \* "Rent; \\"north\\".*wing" "withdrawal"$/),
      '  intent: "rent-1"',
      '2026-01-05 note Assets:Sluice:1INCH "a \\"remark\\""',
      '2026-01-04 price X.1INCH.X 0.4 USDC',
    ]),
  )
  expect(lines.at(-1)).toBe('2026-02-01 balance Assets:Sluice:1INCH  7.625 ~ 0 X.1INCH.X')
})

test('books that follow earlier ones claim their opening balances, and book none', () => {
  const later = booksWith({ continues: true })
  expect([...hledgerLines(later)]).toContain('    Assets:Sluice:1INCH  0 "1INCH" = 10.125 "1INCH"')
  expect([...beancountLines(later)]).toContain('2026-01-01 balance Assets:Sluice:1INCH  10.125 ~ 0 X.1INCH.X')
  for (const lines of [hledgerLines(later), beancountLines(later), postingLines(later)])
    expect([...lines].join('\n')).not.toContain('Opening-Balances')
})

test('books that are not proven say so in their head, with what is not explained', () => {
  const faults = ['BTC: 1 is not explained']
  const unproven = booksWith({ areBalancesProven: false, isProven: false, faults, faultsTotal: 1 })
  for (const lines of [hledgerLines(unproven), beancountLines(unproven)]) {
    const text = [...lines].join('\n')
    expect(text).toMatch(/^; .*NOT PROVEN: the ledger does not lead there/m)
    expect(text).toContain('; BTC: 1 is not explained')
  }
  const [, first = ''] = [...postingLines(unproven)]
  expect(first).toMatch(/^,,,NOT PROVEN: BTC: 1 is not explained,,,,/)
})

test('books whose balances prove, and in which an entry does not fit, say no more than that', () => {
  const unfit = booksWith({ isProven: false, faults: ['an entry is none of the figures'], faultsTotal: 1 })
  for (const lines of [hledgerLines(unfit), beancountLines(unfit)])
    expect([...lines].join('\n')).toMatch(/^; .*the ledger leads there\. NOT PROVEN: an entry does not fit/m)
})

test('a balance of more digits than beancount adds is claimed to 22 digits, and every other one exactly', () => {
  const [account, asset, finest] = ['Assets:Sluice:PEPE', 'PEPE', '2750000000.000000000000000001']
  const postings = [
    { account, asset, amount: finest },
    { account: 'Equity:Deposits', asset, amount: `-${finest}` },
  ]
  const books = booksWith({
    opening: [{ account, asset, balance: '9250000000.5' }],
    entries: [{ ...ENTRY, postings }],
    closing: [{ account, asset, balance: '12000000000.500000000000000001' }],
  })
  const last = (of: AccountBooks) => [...beancountLines(of)].at(-1)
  expect(last(books)).toBe('2026-02-01 balance Assets:Sluice:PEPE  12000000000.500000000000000001 ~ 0.00000000001 PEPE')
  expect(last({ ...books, opening: [], closing: [{ account, asset, balance: finest }] })).toContain(' ~ 0 PEPE')
})

test('no two assets share a currency of beancount', () => {
  const codes = [
    '1INCH',
    'X.1INCH.X',
    'US-TREASURY-BILL-2026-06-18',
    'US-TREASURY-BILL-2026-07-16',
    'usdc',
    'USDC',
    'É',
  ]
  const currencies = codes.map((asset) => {
    const prices = [{ day: '2026-01-04', asset, price: '1', quote: 'EUR' }]
    return [...beancountLines({ ...BOOKS, prices })].find((line) => line.includes(' price '))?.split(' ')[2]
  })
  expect(new Set(currencies).size).toBe(codes.length)
  for (const currency of currencies) expect(currency).toMatch(/^[A-Z][A-Z0-9'._-]{0,22}[A-Z0-9]$/)
})

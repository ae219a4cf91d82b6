// Tests the books over a year of a simulated treasury: hledger and beancount accept them and check every claimed balance, and their
// sums are the balances that the service shows. Where a program is not installed, its tests are skipped by name.
import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { books as booksSchema } from '../../../core/contract/books.ts'
import { addTo, type Decimal, formatDecimal, parseDecimal, parseSignedDecimal } from '../../../core/money/decimal.ts'
import type { AccountBooks, BookEntry } from '../../../operations/books/entries/book-entry.ts'
import { makeBooks } from '../../../operations/books/entries/make-books.ts'
import { readDays } from '../../../operations/books/period.ts'
import { beancountLines } from '../../../views/books/beancount.ts'
import { hledgerLines } from '../../../views/books/hledger.ts'
import { postingLines } from '../../../views/books/posting-csv.ts'
import { folderOfFile } from '../../helpers/folders.ts'
import { DIRECTIONS } from './strange-assets.ts'
import { HARD, playYear, type Treasury, YEAR } from './treasury-year.ts'

const isInstalled = (program: string) => spawnSync(program, ['--version']).status === 0
const hasHledger = isInstalled('hledger')
const hasBeancount = isInstalled('bean-check')
/** The account of a payee, and one of an asset. */
const CONFIG = booksSchema.parse({
  payees: { 'exchange-usdc-eth': 'Assets:Exchange' },
  assets: { EUR: 'Assets:Bank:Euro' },
  directions: DIRECTIONS,
})

interface ReadBooks extends AccountBooks {
  readonly entries: readonly BookEntry[]
}

const dir = folderOfFile()
let treasury: Treasury
let year: ReadBooks
let months: ReadBooks[]

beforeAll(async () => {
  treasury = await playYear()
  year = await books(dayOf(0), dayOf(12))
  months = await Promise.all(Array.from({ length: 12 }, (_, month) => books(dayOf(month), dayOf(month + 1), month > 0)))
})
afterAll(() => treasury.stop())

const dayOf = (month: number) => new Date(Date.UTC(YEAR, month, 1)).toISOString().slice(0, 10)

async function books(from: string, to: string, continues = false, zone = 'UTC', config = CONFIG): Promise<ReadBooks> {
  const nowMs = treasury.clock.nowMs()
  const asked = { period: readDays({ from, to, zone }, nowMs), account: 'account-1', continues, config }
  const { close, ...made } = await makeBooks({ journal: treasury.journal, service: treasury.client }, asked, nowMs)
  const entries = [...made.entries]
  close()
  return { ...made, entries }
}

function written(name: string, lines: Iterable<string>): string {
  const file = path.join(dir, name)
  writeFileSync(file, `${[...lines].join('\n')}\n`)
  return file
}

/** Standard error where the program refuses, else an empty text. */
function refusalOf(program: string, ...argv: string[]): string {
  const { status, stderr, stdout } = spawnSync(program, argv, { encoding: 'utf8' })
  return status === 0 ? '' : `${stderr}${stdout}` || `exit ${status}`
}

/** The balance of each asset over all accounts of holdings, by the postings. */
function heldBy(made: ReadBooks): Map<string, string> {
  const sums = new Map<string, Decimal>()
  const isHeld = (account: string) => account.startsWith('Assets:Sluice:') || account === 'Assets:Bank:Euro'
  const first = made.opening.map(({ account, asset, balance }) => ({ account, asset, amount: balance }))
  for (const { account, asset, amount } of [...first, ...made.entries.flatMap(({ postings }) => postings)]) {
    if (isHeld(account)) addTo(sums, asset, parseSignedDecimal(amount, 'amount'))
  }
  return new Map([...sums].map(([asset, sum]) => [asset, formatDecimal(sum)]))
}

test('the year and each month are proven, and every transaction adds up to zero in each asset', () => {
  for (const made of [year, ...months]) {
    expect(made).toMatchObject({ isProven: true, faults: [] })
    for (const { postings } of made.entries) {
      const assets = new Set(postings.map(({ asset }) => asset))
      for (const asset of assets) {
        const own = postings.filter((posting) => posting.asset === asset)
        expect(own.reduce((sum, { amount }) => sum + parseSignedDecimal(amount, 'amount'), 0n)).toBe(0n)
      }
    }
  }
})

test('entries of unknown types have the direction that balances prove; those of the file are named without it', async () => {
  const sumOf = (made: ReadBooks, asset: string) => heldBy(made).get(asset)
  expect(sumOf(year, 'STAKED-WRAPPED-ETHER-OF-2026')).toBe('0.120000000000000003')
  expect(sumOf(year, 'US-TREASURY-BILL-2026-06-18')).toBe('0')
  expect(year.entries.find(({ intentId }) => intentId === 'strange')).toMatchObject({ movementId: 'order-strange' })
  const without = await books('2026-08-01', '2026-09-01', false, 'UTC', booksSchema.parse({}))
  expect(without).toMatchObject({ isProven: false, faultsTotal: 2 })
  for (const id of ['correction-in', 'correction-out'])
    expect(without.faults).toContainEqual(expect.stringMatching(`ledger entry ${id} of 2 HALTED .* books.directions`))
})

test('the sums of the books are the balances that the service shows', async () => {
  const held = heldBy(year)
  for (const { assetSymbol, balance } of await treasury.client.balances())
    expect([assetSymbol, held.get(assetSymbol) ?? '0']).toEqual([assetSymbol, balance])
})

test('twelve months have the entries of the year, each once', () => {
  expect(months.flatMap(({ entries }) => entries)).toEqual(year.entries)
})

test('an entry has the ids of its intent, its movement and its entries in the ledger', () => {
  const bought = year.entries.find(({ intentId }) => intentId === 'buy-0')
  expect(bought).toMatchObject({ title: 'conversion', day: `${YEAR}-01-04`, movementId: expect.any(String) })
  expect(bought?.fillId).toEqual(expect.any(String))
  expect(bought?.entryIds).toHaveLength(2)
  expect(bought?.postings.map(({ account }) => account)).toEqual(
    expect.arrayContaining(['Assets:Sluice:BTC', 'Assets:Sluice:USDC', 'Equity:Conversions']),
  )
})

test('a payout has the account of its payee and its fee, and a refund undoes both', () => {
  const of = (title: string) => year.entries.find((entry) => entry.intentId === 'refunded' && entry.title === title)
  const amounts = (title: string) =>
    Object.fromEntries(of(title)?.postings.map((each) => [each.account, each.amount]) ?? [])
  expect(amounts('withdrawal')).toEqual({ 'Assets:Sluice:USDC': '-74', 'Assets:Exchange': '70', 'Expenses:Fees': '4' })
  expect(amounts('refund of a withdrawal')).toEqual({
    ...{ 'Assets:Sluice:USDC': '74', 'Assets:Exchange': '-70', 'Expenses:Fees': '-4' },
  })
})

test('movements of others, parts on credit, an action and a payout across midnight are in the books', () => {
  expect(year.entries.filter(({ title }) => title === 'movement of others')).toHaveLength(2)
  expect(year.entries.filter(({ intentId }) => intentId === 'credit')).toHaveLength(3)
  expect(year.remarks).toEqual([expect.objectContaining({ account: 'Assets:Sluice:NVDASPV' })])
  const midnight = year.entries.find(({ intentId }) => intentId === 'midnight')
  expect(midnight?.day).toBe(dayOf(HARD.midnight + 1))
})

test('CSV has a row for each posting', () => {
  const rows = [...postingLines(year)]
  const postings = year.entries.reduce((sum, entry) => sum + entry.postings.length, 2 * year.opening.length)
  expect(rows).toHaveLength(1 + postings)
  expect(rows[0]).toBe('transaction,day,at,title,payee,account,amount,asset,intentId,movementId,fillId,entries')
})

test.runIf(hasHledger)('hledger accepts the year strictly, and reports the balances of the service', async () => {
  const file = written('year.journal', hledgerLines(year))
  expect(refusalOf('hledger', '--strict', 'check', '-f', file)).toBe('')
  const report = execFileSync('hledger', ['-f', file, 'balance', 'Assets:Sluice:USDC', '--no-total', '-O', 'csv'], {
    encoding: 'utf8',
  })
  const usdc = (await treasury.client.balances()).find(({ assetSymbol }) => assetSymbol === 'USDC')
  const [, reported] = /"([0-9.]+) USDC"/.exec(report) ?? []
  expect(formatDecimal(parseDecimal(reported, 'balance'))).toBe(usdc?.balance)
})

test.runIf(hasHledger)('payees with brackets, bars and semicolons stay apart in hledger', () => {
  const payees = [
    '( open',
    '(1) Rent',
    '[1] Rent',
    '[2026-13-45]',
    '] Rent',
    'A',
    'A | B',
    'A ; B',
    'A%7C B',
    '| A',
    '! A',
  ]
  const named = year.entries.filter(({ payee }) => payee !== undefined)
  const entries = payees.flatMap((payee) => named.slice(0, 1).map((entry) => ({ ...entry, payee })))
  const file = written('payees.journal', hledgerLines({ ...year, opening: [], entries, closing: [] }))
  expect(refusalOf('hledger', '--strict', 'check', '-f', file)).toBe('')
  const found = execFileSync('hledger', ['-f', file, 'payees'], { encoding: 'utf8' }).trim().split('\n')
  expect(new Set(found).size).toBe(payees.length)
})

test.runIf(hasHledger)('hledger accepts twelve months as one, and refuses a year in which one amount differs', () => {
  for (const [month, made] of months.entries()) written(`${month}.journal`, hledgerLines(made))
  const all = written(
    'all.journal',
    months.map((_, month) => `include ${month}.journal`),
  )
  expect(refusalOf('hledger', '--strict', 'check', '-f', all)).toBe('')
  const lines = [...hledgerLines(year)].map((line) => line.replace('70 USDC', '70.000001 USDC'))
  expect(refusalOf('hledger', 'check', '-f', written('wrong.journal', lines))).not.toBe('')
  const without = year.entries.filter(({ intentId }) => intentId !== 'buy-5')
  const lacking = written('lacking.journal', hledgerLines({ ...year, entries: without }))
  expect(refusalOf('hledger', 'check', '-f', lacking)).toMatch(/assertion/i)
})

test.runIf(hasBeancount)('beancount accepts the year, and twelve months as one', () => {
  expect(refusalOf('bean-check', written('year.beancount', beancountLines(year)))).toBe('')
  for (const [month, made] of months.entries()) written(`${month}.beancount`, beancountLines(made))
  const includes = months.map((_, month) => `include "${month}.beancount"`)
  const all = written('all.beancount', ['plugin "beancount.plugins.auto_accounts"', ...includes])
  expect(refusalOf('bean-check', all)).toBe('')
})

test.runIf(hasBeancount)('beancount refuses a year that lacks a transaction', () => {
  const without = year.entries.filter(({ intentId }) => intentId !== 'buy-5')
  const lacking = written('lacking.beancount', beancountLines({ ...year, entries: without }))
  expect(refusalOf('bean-check', lacking)).toMatch(/Balance failed/)
})

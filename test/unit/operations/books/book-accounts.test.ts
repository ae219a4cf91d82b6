// Tests which accounts a line of the ledger belongs to, and which accounts the configuration refuses.
import { expect, test } from 'vitest'
import { books } from '../../../../core/contract/books.ts'
import { treasury } from '../../../../core/contract/treasury.ts'
import { createBookAccounts } from '../../../../operations/books/entries/book-accounts.ts'

const PAYEE = { contactId: 'c-1', reference: 'rent', alias: 'Landlord' }

test('an asset has its own account, or one below the holdings that both programs accept', () => {
  const { ofAsset } = createBookAccounts(books.parse({ assets: { USDC: 'Assets:Cash' } }))
  expect(['usdc', 'BTC', 'x.y', '1INCH'].map(ofAsset)).toEqual([
    ...['Assets:Cash', 'Assets:Sluice:BTC', 'Assets:Sluice:Xx-y', 'Assets:Sluice:1INCH'],
  ])
})

test.each([
  [{ rent: 'Expenses:Rent' }, 'Expenses:Rent'],
  [{ Landlord: 'Expenses:Rent' }, 'Expenses:Rent'],
  [{ 'c-1': 'Expenses:Rent' }, 'Expenses:Rent'],
  [{ other: 'Expenses:Rent' }, 'Equity:Withdrawals'],
])('with the payees %j a withdrawal and its refund have the account %s', (payees, account) => {
  const { against } = createBookAccounts(books.parse({ payees }))
  expect([against('withdrawals', PAYEE), against('refunds', PAYEE)]).toEqual([account, account])
  expect(against('fees', PAYEE)).toBe('Expenses:Fees')
})

test.each([
  [{ accounts: { fees: 'expenses:fees' } }, 'accounts.fees'],
  [{ accounts: { fees: 'Expenses' } }, 'accounts.fees'],
  [{ accounts: { fees: 'Costs:Fees' } }, 'accounts.fees'],
  [{ payees: { rent: 'Expenses:My Rent' } }, 'payees.rent'],
  [{ assets: { USDC: 'Assets::Cash' } }, 'assets.USDC'],
  [{ account: 'Assets:Cash' }, ''],
])('%j is refused', (part, field) => {
  const base = { service: { url: 'https://api.example.com', stage: 'test' } }
  const { error } = treasury.safeParse({ ...base, books: part })
  expect(error?.issues.map(({ path }) => path.join('.'))).toEqual([['books', field].filter(Boolean).join('.')])
})

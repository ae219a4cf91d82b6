// Finds what a file of books must say before its entries: the accounts and assets that occur, and the finest amounts. Pure.
import type { AccountBooks, Posting } from './book-entry.ts'

type Surveyed = Pick<AccountBooks, 'closing' | 'continues' | 'entries' | 'opening' | 'openingAccount' | 'prices'>
type Survey = Pick<AccountBooks, 'accounts' | 'assets' | 'entriesTotal' | 'places'>

export function surveyBooks({ closing, continues, entries, opening, openingAccount, prices }: Surveyed): Survey {
  const accounts = new Set(opening.length > 0 && !continues ? [openingAccount] : [])
  const places = new Map<string, number>()
  let entriesTotal = 0
  const see = ({ account, amount, asset }: Posting) => {
    accounts.add(account)
    const [, fraction = ''] = amount.split('.')
    places.set(asset, Math.max(places.get(asset) ?? 0, fraction.length))
  }
  for (const { balance, ...each } of [...opening, ...closing]) see({ ...each, amount: balance })
  for (const { postings } of entries) {
    entriesTotal += 1
    for (const posting of postings) see(posting)
  }
  const assets = new Set([...places.keys(), ...prices.flatMap(({ asset, quote }) => [asset, quote])])
  return { accounts: [...accounts].sort(), assets: [...assets].sort(), entriesTotal, places }
}

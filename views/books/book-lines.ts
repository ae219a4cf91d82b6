// Has what the forms of the books share: their head, and the accounts and assets that occur in them. Pure.
import { printable } from '../../core/printable.ts'
import type { AccountBooks } from '../../operations/books/entries/book-entry.ts'

/** Maximum faults in the head. The command names more. */
const MOST_FAULTS = 50

/** Lines of a comment. */
export function headLines({ account, endDay, faults, firstDay, isProven, zone }: AccountBooks): string[] {
  const proof = "Balances are claimed as the service's balance history has them"
  return [
    `Books of account ${account ?? '(unknown)'} from ${firstDay} until right before ${endDay} (${zone}).`,
    "Entries are those of the service's ledger, in settled units.",
    isProven ? `${proof}, and the ledger leads there.` : `${proof}. NOT PROVEN: the ledger does not lead there.`,
    ...faults.slice(0, MOST_FAULTS),
  ].map((line) => printable(line).replace(/[\r\n]+/g, ' '))
}

export function accountsOf({ closing, continues, entries, opening, openingAccount }: AccountBooks): string[] {
  const found = new Set([...opening, ...closing].map(({ account }) => account))
  if (opening.length > 0 && !continues) found.add(openingAccount)
  for (const { postings } of entries) for (const { account } of postings) found.add(account)
  return [...found].sort()
}

export function assetsOf({ closing, entries, opening, prices }: AccountBooks): string[] {
  const found = new Set([...opening, ...closing].map(({ asset }) => asset))
  for (const { postings } of entries) for (const { asset } of postings) found.add(asset)
  for (const { asset, quote } of prices) found.add(asset).add(quote)
  return [...found].sort()
}

/** Decimal places of the finest amount of each asset: a program must not round any of them. */
export function placesByAsset({ closing, entries, opening }: AccountBooks): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  const see = (asset: string, amount: string) => {
    const [, fraction = ''] = amount.split('.')
    places.set(asset, Math.max(places.get(asset) ?? 0, fraction.length))
  }
  for (const { asset, balance } of [...opening, ...closing]) see(asset, balance)
  for (const { postings } of entries) for (const { asset, amount } of postings) see(asset, amount)
  return places
}

/** The same amount with the other sign. */
export function negated(amount: string): string {
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`
}

// Writes the books as a file of beancount, for `bean-check`. Pure.
import { hash } from 'node:crypto'
import {
  addTo,
  type Decimal,
  formatDecimal,
  greatest,
  magnitude,
  parseSignedDecimal,
  ZERO,
} from '../../core/money/decimal.ts'
import { printable } from '../../core/printable.ts'
import type { AccountBooks, BookBalance, BookEntry, Posting } from '../../operations/books/entries/book-entry.ts'
import { headLines, negated } from './book-lines.ts'

/** Beancount takes at most 24 characters. */
const CURRENCY = /^[A-Z][A-Z0-9'._-]{0,22}[A-Z0-9]$/
/** The spelling of codes that beancount does not accept. */
const MARKED = /^X([._]).*\1X$/

/** Lines without their ends. */
export function* beancountLines(books: AccountBooks): Generator<string, void> {
  const { closing, continues, endDay, firstDay, opening, openingAccount, places, remarks } = books
  const sums = new Map<string, Decimal>()
  /** The largest sum of each account on the way, because each addition is rounded. */
  const largest = new Map<string, Decimal>()
  const add = ({ account, asset, amount }: Posting) => {
    const key = `${account} ${asset}`
    addTo(sums, key, parseSignedDecimal(amount, 'amount'))
    largest.set(key, greatest(largest.get(key) ?? ZERO, magnitude(sums.get(key) ?? ZERO)))
  }
  const claim = (day: string, { account, asset, balance }: BookBalance) => {
    const tolerance = toleranceOf(largest.get(`${account} ${asset}`) ?? ZERO, places.get(asset) ?? 0)
    return `${day} balance ${account}  ${balance} ~ ${tolerance} ${currencyOf(asset)}`
  }
  for (const each of opening) add({ ...each, amount: each.balance })
  for (const line of headLines(books)) yield `; ${line}`
  yield ''
  if (continues) yield '; The books before these open the accounts, or the plugin beancount.plugins.auto_accounts does.'
  else for (const account of books.accounts) yield `${firstDay} open ${account}`
  for (const asset of books.assets) {
    if (currencyOf(asset) === asset) continue
    yield `; ${currencyOf(asset)} is ${printable(asset)}, whose code beancount does not accept.`
  }
  if (continues) yield* opening.map((each) => claim(firstDay, each))
  else if (opening.length > 0) {
    yield ''
    yield `${firstDay} * "opening balances"`
    for (const { account, asset, balance } of opening) {
      yield postingLine({ account, asset, amount: balance })
      yield postingLine({ account: openingAccount, asset, amount: negated(balance) })
    }
  }
  for (const entry of books.entries) {
    entry.postings.forEach(add)
    yield* entryLines(entry)
  }
  yield ''
  for (const { day, account, text } of remarks) yield `${day} note ${account} ${quoted(text)}`
  for (const { day, asset, price, quote } of books.prices) {
    yield `${day} price ${currencyOf(asset)} ${price} ${currencyOf(quote)}`
  }
  // A balance is claimed at the begin of its day.
  yield* closing.map((each) => claim(endDay, each))
}

function* entryLines(entry: BookEntry): Generator<string, void> {
  const { at, day, entryIds, fillId, intentId, movementId, payee, postings, title } = entry
  yield ''
  yield `${day} * ${payee === undefined ? '' : `${quoted(payee)} `}${quoted(title)}`
  const facts = { at, intent: intentId, movement: movementId, fill: fillId, entries: entryIds.join(' ') || undefined }
  for (const [name, value] of Object.entries(facts)) {
    if (value !== undefined) yield `  ${name}: ${quoted(value)}`
  }
  yield* postings.map(postingLine)
}

function postingLine({ account, amount, asset }: Posting): string {
  return `  ${account}  ${amount} ${currencyOf(asset)}`
}

/** Beancount adds with 28 digits. A longer sum is rounded, and so is each later one: a million times change none of 22. */
const [ADDED, CLAIMED] = [28, 22]

/** Given also where it is 0, because beancount would derive one from the digits. */
function toleranceOf(largest: Decimal, places: number): string {
  const [whole = ''] = formatDecimal(largest).split('.')
  if (whole.length + places <= ADDED) return '0'
  return `0.${'1'.padStart(Math.max(1, CLAIMED - whole.length), '0')}`
}

/** A code that beancount does not accept is spelled between marks that no other currency of the books has. */
function currencyOf(asset: string): string {
  if (CURRENCY.test(asset) && !MARKED.test(asset)) return asset
  const plain = `X.${asset}.X`
  if (CURRENCY.test(plain)) return plain
  // A code that is too long, or has other characters, carries its digest.
  const head = asset
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, 8)
  return `X_${head}_${hash('sha256', asset).slice(0, 11).toUpperCase()}_X`
}

function quoted(text: string): string {
  return `"${printable(text)
    .replace(/[\r\n]+/g, ' ')
    .replace(/[\\"]/g, '\\$&')}"`
}

// Writes the books as a file of beancount, for `bean-check`. Pure.
import { hash } from 'node:crypto'
import { printable } from '../../core/printable.ts'
import type { AccountBooks, BookBalance, BookEntry, Posting } from '../../operations/books/entries/book-entry.ts'
import { headLines, negated } from './book-lines.ts'

/** Beancount takes at most 24 characters. */
const CURRENCY = /^[A-Z][A-Z0-9'._-]{0,22}[A-Z0-9]$/
/** The spelling of codes that beancount does not accept. */
const MARKED = /^X([._]).*\1X$/

/** Lines without their ends. */
export function* beancountLines(books: AccountBooks): Generator<string, void> {
  const { closing, continues, endDay, firstDay, opening, openingAccount, remarks } = books
  for (const line of headLines(books)) yield `; ${line}`
  yield ''
  if (continues) yield '; The books before these open the accounts, or the plugin beancount.plugins.auto_accounts does.'
  else for (const account of books.accounts) yield `${firstDay} open ${account}`
  for (const asset of books.assets) {
    if (currencyOf(asset) === asset) continue
    yield `; ${currencyOf(asset)} is ${printable(asset)}, whose code beancount does not accept.`
  }
  if (continues) yield* opening.map((each) => balanceLine(firstDay, each))
  else if (opening.length > 0) {
    yield ''
    yield `${firstDay} * "opening balances"`
    for (const { account, asset, balance } of opening) {
      yield postingLine({ account, asset, amount: balance })
      yield postingLine({ account: openingAccount, asset, amount: negated(balance) })
    }
  }
  for (const entry of books.entries) yield* entryLines(entry)
  yield ''
  for (const { day, account, text } of remarks) yield `${day} note ${account} ${quoted(text)}`
  for (const { day, asset, price, quote } of books.prices) {
    yield `${day} price ${currencyOf(asset)} ${price} ${currencyOf(quote)}`
  }
  // A balance is claimed at the begin of its day.
  yield* closing.map((each) => balanceLine(endDay, each))
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

/** Without a tolerance, which beancount would derive from the digits. */
function balanceLine(day: string, { account, asset, balance }: BookBalance): string {
  return `${day} balance ${account}  ${balance} ~ 0 ${currencyOf(asset)}`
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

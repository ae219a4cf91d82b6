// Writes the books as a journal of hledger, which also Ledger reads in most parts. `hledger check --strict` accepts it:
// accounts and assets are declared, and every transaction balances exactly. Pure.
import { printable } from '../../core/printable.ts'
import type { AccountBooks, BookBalance, BookEntry, Posting } from '../../operations/books/entries/book-entry.ts'
import { headLines, negated } from './book-lines.ts'

/** Lines without their ends. */
export function* hledgerLines(books: AccountBooks): Generator<string, void> {
  for (const line of headLines(books)) yield `; ${line}`
  yield ''
  yield 'decimal-mark .'
  // A program must not round any amount.
  for (const asset of books.assets) yield `commodity ${sample(books.places.get(asset) ?? 0)} ${symbolOf(asset)}`
  for (const account of books.accounts) yield `account ${account}`
  for (const { day, asset, price, quote } of books.prices)
    yield `P ${day} ${symbolOf(asset)} ${price} ${symbolOf(quote)}`
  const { closing, continues, endDay, firstDay, opening, openingAccount, remarks } = books
  if (opening.length > 0) {
    yield ''
    yield `${firstDay} * opening balances`
    yield* continues
      ? opening.map(claimLine)
      : opening.flatMap(({ account, asset, balance }) => [
          postingLine({ account, asset, amount: balance }),
          postingLine({ account: openingAccount, asset, amount: negated(balance) }),
        ])
  }
  for (const { day, account, text } of remarks) yield `; ${day} ${account}: ${oneLine(text)}`
  for (const entry of books.entries) yield* entryLines(entry)
  if (closing.length === 0) return
  yield ''
  yield `${dayBefore(endDay)} * closing balances by the service`
  yield* closing.map(claimLine)
}

function* entryLines(entry: BookEntry): Generator<string, void> {
  const { at, day, entryIds, fillId, intentId, movementId, payee, postings, title } = entry
  yield ''
  yield `${day} * ${payee === undefined ? '' : `${described(payee)} | `}${described(title)}`
  for (const [name, value] of [
    ['at', at],
    ['intent', intentId],
    ['movement', movementId],
    ['fill', fillId],
    ...entryIds.map((id) => ['entry', id] as const),
  ] as const) {
    if (value !== undefined) yield `    ; ${name}: ${tagText(value)}`
  }
  yield* postings.map(postingLine)
}

function postingLine({ account, amount, asset }: Posting): string {
  return `    ${account}  ${amount} ${symbolOf(asset)}`
}

/** Moves nothing, and claims a balance. */
function claimLine({ account, asset, balance }: BookBalance): string {
  const symbol = symbolOf(asset)
  return `    ${account}  0 ${symbol} = ${balance} ${symbol}`
}

/** hledger quotes symbols with other characters than letters. */
function symbolOf(asset: string): string {
  return /^[A-Za-z]+$/.test(asset) ? asset : `"${printable(asset).replace(/["\s;]/g, '_')}"`
}

/** A comma would end the value of a tag. */
function tagText(text: string): string {
  return oneLine(text).replaceAll('%', '%25').replaceAll(',', '%2C')
}

/**
 * A semicolon would begin a comment, a bar would end the payee, and a first bracket would begin a code. Their escapes differ, so
 * that two payees stay two.
 */
function described(text: string): string {
  const escaped = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  return oneLine(text).replace(/[;|]|^\(|%(?=[0-9A-F]{2})/g, escaped)
}

function oneLine(text: string): string {
  return printable(text).replace(/[\r\n]+/g, ' ')
}

function sample(places: number): string {
  return places === 0 ? '1.' : `1.${'0'.repeat(places)}`
}

function dayBefore(day: string): string {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, day.length)
}

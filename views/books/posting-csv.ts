// Writes the books as CSV: one row for each posting of a double-entry transaction. Pure.
import type { AccountBooks, BookEntry } from '../../operations/books/entries/book-entry.ts'
import type { Column } from '../../operations/words/column.ts'
import { csvRow, csvTitles } from '../text/csv.ts'
import { MOST_FAULTS, negated } from './book-lines.ts'

interface PostingRow extends Partial<Omit<BookEntry, 'postings' | 'entryIds'>> {
  /** Number of the transaction; absent for what is not proven. */
  readonly transaction?: number
  readonly entries?: string
  readonly account?: string
  readonly amount?: string
  readonly asset?: string
}

const COLUMN_NAMES = [
  ...(['transaction', 'day', 'at', 'title', 'payee', 'account', 'amount', 'asset'] as const),
  ...(['intentId', 'movementId', 'fillId', 'entries'] as const),
]
const POSTING_COLUMNS: readonly Column<PostingRow>[] = COLUMN_NAMES.map((name) => ({
  title: name,
  text: (row) => String(row[name] ?? ''),
}))

/** Lines without their ends. Opening balances are the first transaction, unless the books continue earlier ones. */
export function* postingLines(books: AccountBooks): Generator<string, void> {
  const { continues, entries, faults, firstDay: day, opening, openingAccount } = books
  yield csvTitles(POSTING_COLUMNS)
  // A row without an account, so that no program takes unproven books for whole ones.
  for (const fault of faults.slice(0, MOST_FAULTS)) yield csvRow(POSTING_COLUMNS, { title: `NOT PROVEN: ${fault}` })
  let transaction = 0
  if (!continues && opening.length > 0) {
    transaction += 1
    const title = 'opening balances'
    for (const { account, asset, balance } of opening) {
      yield csvRow(POSTING_COLUMNS, { transaction, day, title, account, amount: balance, asset })
      const amount = negated(balance)
      yield csvRow(POSTING_COLUMNS, { transaction, day, title, account: openingAccount, amount, asset })
    }
  }
  for (const { postings, entryIds, ...entry } of entries) {
    transaction += 1
    const facts = { ...entry, transaction, entries: entryIds.join(' ') }
    for (const posting of postings) yield csvRow(POSTING_COLUMNS, { ...facts, ...posting })
  }
}

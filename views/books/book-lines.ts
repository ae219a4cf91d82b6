// Makes what the forms of the books share: the lines at their head, and amounts with the other sign. Pure.
import { printable } from '../../core/printable.ts'
import type { AccountBooks } from '../../operations/books/entries/book-entry.ts'

/** Maximum faults in a file. The command names more. */
export const MOST_FAULTS = 50

export function headLines(books: AccountBooks): string[] {
  const { account, endDay, faults, firstDay, zone } = books
  return [
    `Books of account ${account ?? '(unknown)'} from ${firstDay} until right before ${endDay} (${zone}).`,
    "Entries are those of the service's ledger, in settled units.",
    `Balances are claimed as the service's balance history has them${proofText(books)}`,
    ...faults.slice(0, MOST_FAULTS),
  ].map((line) => printable(line).replace(/[\r\n]+/g, ' '))
}

function proofText({ areBalancesProven, isProven }: AccountBooks): string {
  if (isProven) return ', and the ledger leads there.'
  if (areBalancesProven)
    return ', and the ledger leads there. NOT PROVEN: an entry does not fit, or a record cannot be read.'
  return '. NOT PROVEN: the ledger does not lead there.'
}

/** The same amount with the other sign. */
export function negated(amount: string): string {
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`
}

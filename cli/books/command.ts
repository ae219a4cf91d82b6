// Defines `sluice books`. Its code is loaded when it runs.

import { command } from '../terminal/commander.ts'
import { OUT, READING } from '../terminal/options.ts'

export const addBooks = command({
  name: 'books',
  summary: 'journal entries for hledger, beancount or CSV',
  what: 'write double-entry journal entries for hledger, beancount or as CSV',
  options: [
    ...READING,
    ['--format <form>', 'hledger, beancount or csv (default: hledger)'],
    ['--from <day>', 'the first day, such as 2026-01-01'],
    ['--to <day>', 'the books end right before this day (default: today)'],
    ['--zone <name>', 'time zone of the days, such as Europe/Berlin (default: UTC)'],
    ['--continues', 'follow earlier books: claim the opening balances in place of booking them'],
    OUT,
  ],
  example: 'books --from 2026-01-01 --to 2026-02-01 --out january.journal',
  help: `Entries are those of the service's ledger. The part books of treasury.json names
the accounts: docs/books.md. It changes nothing at the service. Exit codes:
  0    the books are written, and every balance is proven
  1    the journal or the service cannot be read
  2    bad usage
  5    the books are written, and a balance or an entry is not proven`,
  load: async () => (await import('./books.ts')).writeBooks,
})

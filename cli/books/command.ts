// Defines `sluice books`: options and help. Its code is loaded when it runs.

import { INVOCATION } from '../terminal/command-line.ts'
import { type AddCommand, withJournalOptions } from '../terminal/commander.ts'
import type { BooksFlags } from './books.ts'

export const addBooks: AddCommand = (program, context, endWith) => {
  const command = program
    .command('books')
    .summary('journal entries for hledger, beancount or CSV')
    .description('write double-entry journal entries for hledger, beancount or as CSV')
  withJournalOptions(command)
    .option('--keys <file>', 'with --service: its key file, as JSON [SLUICE_KEYS]')
    .option('--format <form>', 'hledger, beancount or csv (default: hledger)')
    .option('--from <day>', 'the first day, such as 2026-01-01')
    .option('--to <day>', 'the books end right before this day (default: today)')
    .option('--zone <name>', 'time zone of the days, such as Europe/Berlin (default: UTC)')
    .option('--continues', 'follow earlier books: claim the opening balances in place of booking them')
    .option('--out <file>', 'write to this file, which is replaced whole (default: standard output)')
    .addHelpText('before', `Example:\n  ${INVOCATION} books --from 2026-01-01 --to 2026-02-01 --out january.journal\n`)
    .addHelpText('after', BOOKS_HELP)
    .action(async (flags: BooksFlags) => endWith(await (await import('./books.ts')).writeBooks(flags, context)))
}

const BOOKS_HELP = `
Entries are those of the service's ledger. The part books of treasury.json names
the accounts: docs/books.md. It changes nothing at the service. Exit codes:
  0    the books are written, and every balance is proven
  1    the journal or the service cannot be read
  2    bad usage
  5    the books are written, and a balance or an entry is not proven`

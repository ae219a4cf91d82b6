// Defines `sluice statement`: options and help. Its code is loaded when it runs.

import { INVOCATION } from '../terminal/command-line.ts'
import type { AddCommand } from '../terminal/commander.ts'
import { withJournalOptions } from '../terminal/commander.ts'
import { withListOptions } from '../terminal/listing.ts'
import type { StatementFlags } from './statement.ts'

export const addStatement: AddCommand = (program, context, endWith) => {
  const command = program
    .command('statement')
    .summary('statement of the account over a period, proven')
    .description("show what came in and went out over a period, proven against the service's balances")
  withListOptions(withJournalOptions(command))
    .option('--keys <file>', 'with --service: its key file, as JSON [SLUICE_KEYS]')
    .option('--from <time>', 'the first day, 2026-01-01, or a moment, 2026-01-01T00:00:00Z')
    .option('--to <time>', 'the period ends right before it (default: the present)')
    .option('--zone <name>', 'time zone of days without one, such as Europe/Berlin (default: UTC)')
    .option('--asset <code>', 'only this asset, by either spelling')
    .addHelpText('before', `Example:\n  ${INVOCATION} statement --from 2026-01-01 --to 2026-02-01\n`)
    .addHelpText('after', STATEMENT_HELP)
    .action(async (flags: StatementFlags) => endWith(await (await import('./statement.ts')).statement(flags, context)))
}

const STATEMENT_HELP = `
The lines are entries of the service's ledger, at its own times, in settled units.
docs/books.md says what proves them. It changes nothing. Exit codes:
  0    every asset is proven to the last digit
  1    the journal or the service cannot be read
  2    bad usage
  5    an entry cannot be read, or an asset is not proven: it is named`

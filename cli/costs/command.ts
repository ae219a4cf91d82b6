// Defines `sluice costs`: options and help. Its code is loaded when it runs.
import { INVOCATION } from '../terminal/command-line.ts'
import type { AddCommand } from '../terminal/commander.ts'
import { withJournalOptions } from '../terminal/commander.ts'
import { withListOptions } from '../terminal/listing.ts'
import type { CostsFlags } from './costs.ts'

export const addCosts: AddCommand = (program, context, endWith) => {
  const command = program
    .command('costs')
    .summary('what moving cost, by policy and month')
    .description('show what moving cost, by policy and month: slippage, fees, tracking error and time to settle')
  withListOptions(withJournalOptions(command))
    .option('--keys <file>', 'with --service: its key file, as JSON [SLUICE_KEYS]')
    .option('--from <time>', 'the first day, 2026-01-01, or a moment (default: the present month)')
    .option('--to <time>', 'the period ends right before it (default: the present)')
    .option('--zone <name>', 'time zone of days and months, such as Europe/Berlin (default: UTC)')
    .option('--policy <name>', 'only this policy')
    .addHelpText('before', `Example:\n  ${INVOCATION} costs --from 2026-01-01 --to 2026-04-01\n`)
    .addHelpText('after', COSTS_HELP)
    .action(async (flags: CostsFlags) => endWith(await (await import('./costs.ts')).costs(flags, context)))
}

const COSTS_HELP = `
The list is rounded; --csv and --json are exact. docs/books.md says what each figure
means: they are those of the metrics. It changes nothing. Exit codes:
  0    every movement was read; a blank figure is not known
  1    the journal or the service cannot be read
  2    bad usage
  5    a record or a movement cannot be read: it is named, and its cost is missing`

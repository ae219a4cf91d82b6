// The definition of `sluice list`: its options and its help. The command's work is loaded when it runs.

import { INVOCATION } from '../../operations/words/command-line.ts'
import type { AddCommand } from '../terminal/commander.ts'
import { withListOptions } from '../terminal/listing.ts'
import { withJournalOptions } from '../terminal/options.ts'
import type { ListAskedFlags } from './list.ts'

export const addList: AddCommand = (program, context, endWith) => {
  withListOptions(
    withJournalOptions(
      program.command('list').description('list everything that was asked for: conversions, withdrawals and runs'),
    ),
  )
    .option('--kind <kind>', 'only these: convert, withdraw or run')
    .option('--outcome <word>', 'only with this outcome or state, such as DONE, REJECTED or ARMED')
    .option('--since <time>', 'asked for from then on: 2026-01-31 (UTC), or 2026-01-31T09:00:00Z')
    .option('--before <time>', 'asked for before then: goes on where a list was cut off')
    .option('--limit <n>', 'at most so many, the newest (default: 20)')
    .addHelpText('before', `Example:\n  ${INVOCATION} list --kind withdraw --since 2026-01-01\n`)
    .addHelpText(
      'after',
      '\nExit codes: 0 listed, also where there is nothing; 1 the journal cannot be read; 2 bad usage.',
    )
    .action(async (flags: ListAskedFlags) => endWith(await (await import('./list.ts')).list(flags, context)))
}

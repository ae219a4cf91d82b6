// The definition of `sluice movements` and of its `list`: their options and help. `show` is in show-command.ts, because
// runs have it too. Their work is loaded when one runs.

import { INVOCATION } from '../../operations/words/command-line.ts'
import { type AddCommand, addNoun } from '../terminal/commander.ts'
import { withListOptions } from '../terminal/listing.ts'
import { withJournalOptions } from '../terminal/options.ts'
import type { ListAskedFlags } from './list.ts'
import { addShow } from './show-command.ts'

export const addMovements: AddCommand = (program, context, endWith) => {
  const movements = addNoun(program, {
    name: 'movements',
    description: 'conversions and withdrawals: list, show one',
    example: 'movements list',
  })
  addList(movements, context, endWith)
  addShow('invoice-2041')(movements, context, endWith)
}

const addList: AddCommand = (movements, context, endWith) => {
  withListOptions(
    withJournalOptions(
      movements
        .command('list', { isDefault: true })
        .description('list everything that was asked for: conversions, withdrawals, and runs with their legs'),
    ),
  )
    .option('--kind <kind>', 'only these: convert, withdraw or run')
    .option('--outcome <word>', 'only with this outcome or state, such as DONE, REJECTED or ARMED')
    .option('--since <time>', 'asked for from then on: 2026-01-31 (UTC), or 2026-01-31T09:00:00Z')
    .option('--before <time>', 'asked for before then: goes on where a list was cut off')
    .option('--limit <n>', 'at most so many, the newest (default: 20)')
    .addHelpText('before', `Example:\n  ${INVOCATION} movements list --kind withdraw --since 2026-01-01\n`)
    .addHelpText(
      'after',
      '\nRuns of policies are in it, as in the console; --kind leaves them out, and runs list tells more of them.\nExit codes: 0 listed, also where there is nothing; 1 the journal cannot be read; 2 bad usage.',
    )
    .action(async (flags: ListAskedFlags) => endWith(await (await import('./list.ts')).list(flags, context)))
}

// Defines `sluice movements` and its `list`: options and help. `show` is in show-command.ts, because runs have it too. A
// command's code is loaded when the command runs.

import { INVOCATION } from '../../operations/words/command-line.ts'
import { type AddCommand, addNoun } from '../terminal/commander.ts'
import { withListOptions } from '../terminal/listing.ts'
import { withJournalOptions } from '../terminal/options.ts'
import type { ListAskedFlags } from './list.ts'
import { addShow } from './show-command.ts'

export const addMovements: AddCommand = (program, context, endWith) => {
  const movements = addNoun(program, {
    name: 'movements',
    description: 'conversions and withdrawals: list them, show one',
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
        .description('list all requests: conversions, withdrawals, and runs with their legs'),
    ),
  )
    .option('--kind <kind>', 'only this kind: convert, withdraw or run')
    .option('--outcome <word>', 'only with this outcome or state, such as DONE, REJECTED or ARMED')
    .option('--since <time>', 'requests from then on: 2026-01-31 (UTC), or 2026-01-31T09:00:00Z')
    .option('--before <time>', 'requests before then: continues where a list was cut off')
    .option('--limit <n>', 'maximum requests, the newest (default: 20)')
    .addHelpText('before', `Example:\n  ${INVOCATION} movements list --kind withdraw --since 2026-01-01\n`)
    .addHelpText(
      'after',
      '\nThe list has runs of policies too, as in the console. --kind leaves them out; runs list shows more of them.\nExit codes: 0 listed, also where nothing is found; 1 the journal cannot be read; 2 bad usage.',
    )
    .action(async (flags: ListAskedFlags) => endWith(await (await import('./list.ts')).list(flags, context)))
}

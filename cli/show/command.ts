// The definition of `sluice show`: its options and its help. The command's work is loaded when it runs.

import { INVOCATION } from '../../operations/words/command-line.ts'
import type { AddCommand } from '../terminal/commander.ts'
import { withWideOption } from '../terminal/listing.ts'
import { withJournalOptions } from '../terminal/options.ts'
import type { ShowFlags } from './show.ts'

export const addShow: AddCommand = (program, context, endWith) => {
  withWideOption(
    withJournalOptions(
      program
        .command('show')
        .description(
          'show what was asked for, by any id: each attempt, what moved, and why; of a run its plan and legs',
        ),
    ),
  )
    .argument('<id>', 'as it was given, or of an intent, a run, an execution, an order or a withdrawal')
    .option('--kind <kind>', 'convert, withdraw or run, where the id is of more than one')
    .option('--after <key>', 'go on where the look through a long journal was cut off')
    .addHelpText('before', `Example:\n  ${INVOCATION} show invoice-2041\n`)
    .addHelpText(
      'after',
      `
Exit codes: those of what is shown.
  0    done, or under way
  1    not done, and certain; or nothing goes by this id
  2    no id, or one of several things: --kind says which
  3    needs a person
  4    waits for approval
  5    does not tie out`,
    )
    .action(async (id: string, flags: ShowFlags) => endWith(await (await import('./show.ts')).show(id, flags, context)))
}

// The definition of `sluice explain`: its options and its help. The command's work is loaded when it runs.

import { INVOCATION } from '../../operations/words/command-line.ts'
import type { AddCommand } from '../terminal/commander.ts'
import { withWideOption } from '../terminal/listing.ts'
import { withJournalOptions } from '../terminal/options.ts'
import type { ExplainFlags } from './explain.ts'

export const addExplain: AddCommand = (program, context, endWith) => {
  withWideOption(
    withJournalOptions(
      program.command('explain').description('tell in sentences what happened to what was asked for, and why'),
    ),
  )
    .argument('<id>', 'as it was given, or of an intent, a run, an execution, an order or a withdrawal')
    .option('--kind <kind>', 'convert, withdraw or run, where the id is of more than one')
    .addHelpText('before', `Example:\n  ${INVOCATION} explain invoice-2041\n`)
    .addHelpText(
      'after',
      `
Exit codes: those of sluice show.
  0    done, or under way
  1    not done, and certain; or nothing goes by this id
  2    no id, or one of several things: --kind says which
  3    needs a person
  4    waits for approval
  5    does not tie out`,
    )
    .action(async (id: string, flags: ExplainFlags) =>
      endWith(await (await import('./explain.ts')).explain(id, flags, context)),
    )
}

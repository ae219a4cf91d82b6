// The definition of `sluice movements show` and `sluice runs show`, which are one: either finds anything by any id. The
// work is loaded when it runs.

import { INVOCATION } from '../../operations/words/command-line.ts'
import type { AddCommand } from '../terminal/commander.ts'
import { withWideOption } from '../terminal/listing.ts'
import { withJournalOptions } from '../terminal/options.ts'
import type { ShowFlags } from './show.ts'

/** `exampleId`: the id in the example of its help. */
export const addShow =
  (exampleId: string): AddCommand =>
  (noun, context, endWith) => {
    const command = noun
      .command('show')
      .description('show what was asked for, by any id: each attempt, what moved, and why; of a run its plan and legs')
    withWideOption(withJournalOptions(command))
      .argument('<id>', 'as it was given, or of an intent, a run, an execution, an order or a withdrawal')
      .option('--kind <kind>', 'convert, withdraw or run, where the id is of more than one')
      .option('--sentences', 'tell in sentences what happened, and why')
      .option('--after <key>', 'go on where the look through a long journal was cut off')
      .addHelpText('before', `Example:\n  ${INVOCATION} ${noun.name()} show ${exampleId}\n`)
      .addHelpText('after', SHOW_HELP)
      .action(async (id: string, flags: ShowFlags) => {
        if (flags.sentences === true) endWith(await (await import('./sentences.ts')).showSentences(id, flags, context))
        else endWith(await (await import('./show.ts')).show(id, flags, context))
      })
  }

const SHOW_HELP = `
Runs and movements have the same command: either finds both. Exit codes: those of what is shown.
  0    done, or under way
  1    not done, and certain; or nothing goes by this id
  2    no id, or one of several things: --kind says which
  3    needs a person
  4    waits for approval
  5    does not tie out`

// Defines `sluice movements show` and `sluice runs show`. They are the same command: either finds anything by any id. Its
// code is loaded when it runs.

import { INVOCATION } from '../terminal/command-line.ts'
import { type AddCommand, withJournalOptions } from '../terminal/commander.ts'
import { withWideOption } from '../terminal/listing.ts'
import type { ShowFlags } from './show.ts'

/** `exampleId` is the id in the example of the help. */
export const addShow =
  (exampleId: string): AddCommand =>
  (noun, context, endWith) => {
    const command = noun
      .command('show')
      .description('show a request, by any id: each attempt, what moved, and why; for a run its plan and legs')
    withWideOption(withJournalOptions(command))
      .argument('<id>', 'the id as given, or that of an intent, a run, an execution, an order or a withdrawal')
      .option('--kind <kind>', 'convert, withdraw or run, where several have this id')
      .option('--sentences', 'describe in sentences what happened, and why')
      .option('--after <key>', 'continue where the search through a long journal was cut off')
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
  1    not done, and certain; or the id is unknown
  2    no id, or several things have this id: --kind says which
  3    needs a person
  4    waits for approval
  5    does not tie out`

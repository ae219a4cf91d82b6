// The definition of `sluice show`: its options and its help. The command's work is loaded when it runs.
import { withJournalOptions } from '../target/options.ts'
import { INVOCATION } from '../terminal/command-line.ts'
import type { AddCommand } from '../terminal/commander.ts'
import { withWideOption } from '../terminal/listing.ts'
import type { ShowFlags } from './show.ts'

export const addShow: AddCommand = (program, context, endWith) => {
  withWideOption(
    withJournalOptions(program.command('show').description('show one run: its plan, what became of each leg, and why')),
  )
    .argument('<run>', 'the run, as runs shows it')
    .addHelpText('before', `Example:\n  ${INVOCATION} show RUN\n`)
    .addHelpText(
      'after',
      '\nExit codes: those of the run: 0 done, 1 not, 3 needs a person, 4 waits for approval, 5 does not tie out.',
    )
    .action(async (runId: string, flags: ShowFlags) =>
      endWith(await (await import('./show.ts')).showRun(runId, flags, context)),
    )
}

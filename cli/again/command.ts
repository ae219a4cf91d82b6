// The definition of `sluice again`: its options and its help. The command's work is loaded when it runs.

import { INVOCATION } from '../../operations/words/command-line.ts'
import type { AddCommand } from '../terminal/commander.ts'
import { withListOptions } from '../terminal/listing.ts'
import { withJournalOptions } from '../terminal/options.ts'
import type { AgainFlags } from './again.ts'

export const addAgain: AddCommand = (program, context, endWith) => {
  const command = program.command('again').description('look once more at what stopped in doubt, and let it go on')
  withListOptions(withJournalOptions(command))
    .argument('[id]', 'an intent or a run, as attention and list show it, or the id that it was given')
    .option('--kind <kind>', 'convert, withdraw or run, where the id is of more than one')
    .option('--armed', 'every intent that was sent and is not settled, and the runs that it is a leg of')
    .option('--keys <file>', 'key file for that service; - reads standard input [SLUICE_KEYS]')
    .addHelpText('before', `Example:\n  ${INVOCATION} again --armed   # after the service was down\n`)
    .addHelpText(
      'after',
      `
Each is entered under its own id, so it is the same movement: it is found and told, or it is certified that the last
attempt moved nothing. Then its next attempt may be made, within its time. One that is under way is followed. A run that
was cut off before its plan plans now. Exit codes:
  0    nothing is in doubt any more
  1    there is nothing to look at again, or it ended without a movement
  2    wrong usage, configuration or keys
  3    something still needs a person
  130  interrupted; what was begun at a desk or on AWS goes on`,
    )
    .action(async (id: string | undefined, flags: AgainFlags) =>
      endWith(await (await import('./again.ts')).again(id, flags, context)),
    )
}

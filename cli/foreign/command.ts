// The definition of `sluice foreign`: its options and its help. The command's work is loaded when it runs.

import { INVOCATION } from '../../operations/words/command-line.ts'
import type { AddCommand } from '../terminal/commander.ts'
import { collect, withConsentOptions, withJournalOptions } from '../terminal/options.ts'
import type { ForeignFlags } from './foreign.ts'

export const addForeign: AddCommand = (program, context, endWith) => {
  const command = program.command('foreign').description("declare a movement on the account to be others' business")
  withJournalOptions(command)
    .argument('<movement>', 'id of the withdrawal or order, as attention and reconcile show it')
    .option('--kind <kind>', 'order or withdrawal, where both have that id')
    .option('--not-of <intent>', 'an intent in doubt that did not make it; may be repeated', collect)
    .option('--because <text>', 'what was seen, and where')
    .option('--by <name>', 'who decides (default: $USER); on AWS that is the identity of the credentials')
    .option('--keys <file>', 'key file for that service; - reads standard input [SLUICE_KEYS]')
    .addHelpText('before', `Example:\n  ${INVOCATION} foreign wd_5f66 --because 'paid by hand on Monday'\n`)
    .addHelpText('after', `\n${FOREIGN_HELP}`)
    .action(async (movement: string, flags: ForeignFlags) =>
      endWith(await (await import('./foreign.ts')).foreign(movement, flags, context)),
    )
  withConsentOptions(command)
}

const FOREIGN_HELP = `It then stands in the way of no intent in doubt, and the audit counts it as others'. Refused where an intent has
claimed it, or one that is not settled may be it. Of each intent that waits for a person and may be it, --not-of says
that it is not: --yes alone does not. It sends nothing.`

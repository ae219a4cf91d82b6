// The definition of `sluice attention`: its options and its help. The command's work is loaded when it runs.

import { INVOCATION } from '../../operations/words/command-line.ts'
import type { AddCommand } from '../terminal/commander.ts'
import { withListOptions } from '../terminal/listing.ts'
import { withJournalOptions } from '../terminal/options.ts'
import type { AttentionFlags } from './show-attention.ts'

export const addAttention: AddCommand = (program, context, endWith) => {
  withListOptions(
    withJournalOptions(
      program
        .command('attention')
        .description('list what stopped, or is halted, and waits for a person, with the evidence'),
    ),
  )
    .option('--failed <n>', 'look at so many failed executions of each machine, the newest (default: 500)')
    .option('--after <kind#intent>', 'of the open intents, only those behind it: goes on where a look was cut off')
    .addHelpText('before', `Example:\n  ${INVOCATION} attention\n`)
    .addHelpText(
      'after',
      '\nExit codes: 0 nothing waits for a person, 3 something does (a halt in force, too), 4 only approvals are waited for.',
    )
    .action(async (flags: AttentionFlags) =>
      endWith(await (await import('./show-attention.ts')).showAttention(flags, context)),
    )
}

// The definition of `sluice runs`: its options and its help. The command's work is loaded when it runs.

import { INVOCATION } from '../../operations/words/command-line.ts'
import type { AddCommand } from '../terminal/commander.ts'
import { withListOptions } from '../terminal/listing.ts'
import { withJournalOptions } from '../terminal/options.ts'
import type { RunsFlags } from './runs.ts'

export const addRuns: AddCommand = (program, context, endWith) => {
  withListOptions(withJournalOptions(program.command('runs').description('list runs of policies, latest first')))
    .option('--policy <name>', 'of that policy only')
    .option('--limit <n>', 'at most so many (default: 50)')
    .option('--watch', 'look again every two seconds: a terminal is redrawn, elsewhere changes are appended')
    .addHelpText('before', `Example:\n  ${INVOCATION} runs --policy month-end\n`)
    .action(async (flags: RunsFlags) => endWith(await (await import('./runs.ts')).showRuns(flags, context)))
}

// The definitions of `sluice halt` and `sluice resume`: their options and help. Their work is loaded when one runs.
import { withJournalOptions } from '../target/options.ts'
import { INVOCATION } from '../terminal/command-line.ts'
import type { AddCommand } from '../terminal/commander.ts'
import type { HaltFlags } from './halt.ts'

const DESCRIPTIONS = { halt: 'stop sending, for everything or for one policy', resume: 'let sending go on' } as const

export const addHaltAndResume: AddCommand = (program, context, endWith) => {
  for (const name of ['halt', 'resume'] as const) {
    withJournalOptions(program.command(name).description(DESCRIPTIONS[name]))
      .option('--policy <name>', 'that policy only')
      .option('--because <text>', 'why')
      .option('--by <name>', 'who does it (default: $USER)')
      .addHelpText('before', `Example:\n  ${INVOCATION} ${name} --because 'key rotation'\n`)
      .action(async (flags: HaltFlags) => endWith(await (await import('./halt.ts'))[name](flags, context)))
  }
}

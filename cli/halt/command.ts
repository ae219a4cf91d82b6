// Defines `sluice halt` and `sluice resume`: options and help. A command's code is loaded when the command runs.

import { INVOCATION } from '../terminal/command-line.ts'
import { type AddCommand, withConsentOptions, withJournalOptions } from '../terminal/commander.ts'
import type { ResumeFlags } from './halt.ts'

const DESCRIPTIONS = { halt: 'stop sending, for everything or for one policy', resume: 'let sending continue' } as const

export const addHaltAndResume: AddCommand = (program, context, endWith) => {
  const add = (name: 'halt' | 'resume') =>
    withJournalOptions(program.command(name).description(DESCRIPTIONS[name]))
      .option('--policy <name>', 'only this policy')
      .option('--because <text>', 'why')
      .option('--by <name>', 'who does it (default: $USER); on AWS that is the identity of the credentials')
      .option('--directly', 'with --aws, where the function does not answer: write with your own permission, as --by')
      .addHelpText('before', `Example:\n  ${INVOCATION} ${name} --because 'key rotation'\n`)
  add('halt').action(async (flags: ResumeFlags) => endWith(await (await import('./halt.ts')).halt(flags, context)))
  const resume = add('resume')
    .option('--all', 'every breaker that tripped because runs did not settle: shows all halts, and asks once')
    .option('--halts', 'with --all: also what people halted, and breakers that tripped over a fall in value')
    .action(async (flags: ResumeFlags) => {
      if (flags.all === true) return endWith(await (await import('./halt.ts')).resumeAll(flags, context))
      return endWith(await (await import('./halt.ts')).resume(flags, context))
    })
  withConsentOptions(resume)
}

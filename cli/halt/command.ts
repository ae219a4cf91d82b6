// Defines `sluice halt` and `sluice resume`. A command's code is loaded when the command runs.

import { type AddCommand, command } from '../terminal/commander.ts'
import type { CommandContext } from '../terminal/context.ts'
import { CONSENT, JOURNAL, type OptionRow } from '../terminal/options.ts'
import type { ResumeFlags } from './halt.ts'

const SWITCH: readonly OptionRow[] = [
  ...JOURNAL,
  ['--policy <name>', 'only this policy'],
  ['--because <text>', 'why'],
  ['--by <name>', 'who does it (default: $USER); on AWS that is the identity of the credentials'],
  ['--directly', 'with --aws, where the function does not answer: write with your own permission, as --by'],
]

const addHalt = command({
  name: 'halt',
  what: 'stop sending, for everything or for one policy',
  options: SWITCH,
  example: `halt --because 'key rotation'`,
  load: async () => (await import('./halt.ts')).halt,
})

const addResume = command({
  name: 'resume',
  what: 'let sending continue',
  options: [
    ...SWITCH,
    ['--all', 'every breaker that tripped because runs did not settle: shows all halts, and asks once'],
    ['--halts', 'with --all: also what people halted, and breakers that tripped over a fall in value'],
    ...CONSENT,
  ],
  example: `resume --because 'key rotation'`,
  load: async () => {
    const { resume, resumeAll } = await import('./halt.ts')
    return (flags: ResumeFlags, context: CommandContext) => (flags.all === true ? resumeAll : resume)(flags, context)
  },
})

export const addHaltAndResume: AddCommand = (...given) => {
  for (const add of [addHalt, addResume]) add(...given)
}

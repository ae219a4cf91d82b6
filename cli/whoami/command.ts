// The definition of `sluice whoami`: its options and its help. The command's work is loaded when it runs.

import { INVOCATION } from '../../operations/words/command-line.ts'
import type { AddCommand } from '../terminal/commander.ts'
import { withListOptions } from '../terminal/listing.ts'
import { withServiceOptions } from '../terminal/options.ts'
import type { WhoamiFlags } from './whoami.ts'

export const addWhoami: AddCommand = (program, context, endWith) => {
  const command = program
    .command('whoami')
    .summary('which service, account and keys a command would use')
    .description('say which service, stage and account a command would use, and what its keys may do')
  withListOptions(
    withServiceOptions(command).option('--aws', 'the deployed set-up: service and secrets of treasury.json'),
  )
    .addHelpText('before', `Example:\n  ${INVOCATION} whoami\n`)
    .addHelpText('after', `\n${WHOAMI_HELP}`)
    .action(async (flags: WhoamiFlags) => endWith(await (await import('./whoami.ts')).whoami(flags, context)))
}

const WHOAMI_HELP = `Says whose account it is, where a key may read it. One row a key: its prefix, the roles that use it, its account, the
scopes that it has of those that these roles need, and those that it lacks. Whether it has transfers:write shows in a
signed request only. The service says when a key ends only once it has ended. Halts in force are named. Moves nothing.
Exit codes: 0 every key is let in; 1 one is not, or none can be used, or the service does not answer; 2 wrong usage,
configuration or keys.`

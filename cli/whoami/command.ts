// Defines `sluice whoami`: options and help. Its code is loaded when it runs.

import { INVOCATION } from '../terminal/command-line.ts'
import { type AddCommand, withServiceOptions } from '../terminal/commander.ts'
import { withListOptions } from '../terminal/listing.ts'
import type { WhoamiFlags } from './whoami.ts'

export const addWhoami: AddCommand = (program, context, endWith) => {
  const command = program
    .command('whoami')
    .summary('which service, account and keys a command would use')
    .description('show which service, stage and account a command would use, and what its keys may do')
  withListOptions(
    withServiceOptions(command).option('--aws', 'the deployed set-up: service and secrets of treasury.json'),
  )
    .addHelpText('before', `Example:\n  ${INVOCATION} whoami\n`)
    .addHelpText('after', `\n${WHOAMI_HELP}`)
    .action(async (flags: WhoamiFlags) => endWith(await (await import('./whoami.ts')).whoami(flags, context)))
}

const WHOAMI_HELP = `Shows the holder of the account, where a key may read it. Each key is a row: its prefix, the roles that use it, its
account, the scopes that it has of those that these roles need, and those that it lacks. Only a signed request shows
whether it has transfers:write. The service reports the end of a key only after that end. Halts in force are named.
Moves nothing. Exit codes: 0 every key is accepted; 1 a key is refused, or none can be used, or the service does not
answer; 2 wrong usage, configuration or keys.`

// Defines `sluice console`: options and help. Its code is loaded when it runs.

import { INVOCATION } from '../terminal/command-line.ts'
import { type AddCommand, withJournalOptions } from '../terminal/commander.ts'
import type { ConsoleFlags } from './console.ts'

export const addConsole: AddCommand = (program, context, endWith) => {
  withJournalOptions(program.command('console').description('open the console in a browser: look, and decide'))
    .option('--keys <file>', 'key file for that service; - reads standard input [SLUICE_KEYS]')
    .option('--port <n>', "the console's port (default: any free one)")
    .addHelpText('before', `Example:\n  ${INVOCATION} console\n`)
    .addHelpText('after', HELP)
    .action(async (flags: ConsoleFlags) => endWith(await (await import('./console.ts')).openConsole(flags, context)))
}

const HELP = `
Prints a link to 127.0.0.1 that works once; with --json, as {"url"}. The session lasts 12 hours, and ends with this
process. The pages show what the commands show and do what the commands do, by the same calls and with your own keys or
AWS credentials: a desk (beside sluice serve), a state directory, or with --aws a deployment.
For a browser on another machine, forward the port under the same number: ssh -L PORT:127.0.0.1:PORT.
Exit codes: 0 stopped, 1 the port is taken, 2 wrong usage or configuration.`

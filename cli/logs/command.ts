// Defines `sluice logs`: options and help. Its code is loaded when it runs.

import { INVOCATION } from '../terminal/command-line.ts'
import { type AddCommand, withJournalOptions } from '../terminal/commander.ts'
import type { LogsFlags } from './logs.ts'

export const addLogs: AddCommand = (program, context, endWith) => {
  withJournalOptions(program.command('logs').description('show what happened, step by step, oldest first'))
    .argument('[id]', 'a run or an intent by its id, or an execution by its name (default: the last executions)')
    .option('-f, --follow', 'continue with new entries, until Ctrl-C')
    .option('--limit <n>', 'only the last executions, this many (default: 20)')
    .option('--since <time>', 'entries since then, such as 2026-01-31T00:00:00Z')
    .addHelpText('before', `Example:\n  ${INVOCATION} logs -f\n`)
    .addHelpText('after', HELP)
    .action(async (id: string | undefined, flags: LogsFlags) =>
      endWith(await (await import('./logs.ts')).showLogs(id, flags, context)),
    )
}

const HELP = `
Each line has its time (UTC), the state machine and the execution. It reads beside a running serve, run or approve, and
otherwise from the files of the state directory: it starts and continues nothing. With --follow it outlives such a
process, and continues with the next. --json prints one array of {"at","event","stateMachine","execution","text"}, or
with --follow one such object a line. Exit codes: 0 done, also after Ctrl-C, 1 the id is unknown, or the log cannot be
read, 2 wrong usage.`

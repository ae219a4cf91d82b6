// The definition of `sluice logs`: its options and its help. The command's work is loaded when it runs.

import { INVOCATION } from '../../operations/words/command-line.ts'
import type { AddCommand } from '../terminal/commander.ts'
import { withJournalOptions } from '../terminal/options.ts'
import type { LogsFlags } from './logs.ts'

export const addLogs: AddCommand = (program, context, endWith) => {
  withJournalOptions(program.command('logs').description('tell what happened, step by step, oldest first'))
    .argument('[id]', 'a run or an intent by its id, or an execution by its name (default: the last executions)')
    .option('-f, --follow', 'go on with what happens from now on, until Ctrl-C')
    .option('--limit <n>', 'of the last so many executions (default: 20)')
    .option('--since <time>', 'what happened since then, such as 2026-01-31T00:00:00Z')
    .addHelpText('before', `Example:\n  ${INVOCATION} logs -f\n`)
    .addHelpText('after', HELP)
    .action(async (id: string | undefined, flags: LogsFlags) =>
      endWith(await (await import('./logs.ts')).showLogs(id, flags, context)),
    )
}

const HELP = `
Each line has its time (UTC), the state machine and the execution. It reads beside a running serve, run or approve, and
where none runs, from the files of the state directory: nothing goes on by it. With --follow it outlives such a process,
and goes on with the next. --json prints one array of {"at","event","stateMachine","execution","text"}, or with --follow
one such object a line. Exit codes: 0 done, also after Ctrl-C, 1 nothing is known by that id, or it cannot be read,
2 wrong usage.`

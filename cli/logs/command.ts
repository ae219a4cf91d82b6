// Defines `sluice logs`. Its code is loaded when it runs.

import { command } from '../terminal/commander.ts'
import { JOURNAL } from '../terminal/options.ts'

export const addLogs = command({
  name: 'logs',
  what: 'show what happened, step by step, oldest first',
  operands: [['[id]', 'a run or an intent by its id, or an execution by its name (default: the last executions)']],
  options: [
    ...JOURNAL,
    ['-f, --follow', 'continue with new entries, until Ctrl-C'],
    ['--limit <n>', 'only the last executions, this many (default: 20)'],
    ['--since <time>', 'entries since then, such as 2026-01-31T00:00:00Z'],
  ],
  example: 'logs -f',
  help: `Each line has its time (UTC), the state machine and the execution. It reads beside a running serve, run or approve, and
otherwise from the files of the state directory: it starts and continues nothing. With --follow it outlives such a
process, and continues with the next. --json prints one array of {"at","event","stateMachine","execution","text"}, or
with --follow one such object a line. Exit codes: 0 done, also after Ctrl-C, 1 the id is unknown, or the log cannot be
read, 2 wrong usage.`,
  load: async () => (await import('./logs.ts')).showLogs,
})

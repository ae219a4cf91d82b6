// Defines `sluice console`. Its code is loaded when it runs.

import { command } from '../terminal/commander.ts'
import { JOURNAL, KEYS } from '../terminal/options.ts'

export const addConsole = command({
  name: 'console',
  what: 'open the console in a browser: look, and decide',
  options: [...JOURNAL, KEYS, ['--port <n>', "the console's port (default: any free one)"]],
  example: 'console',
  help: `Prints a link to 127.0.0.1 that works once; with --json, as {"url"}. The session lasts 12 hours, and ends with this
process. The pages show what the commands show and do what the commands do, by the same calls and with your own keys or
AWS credentials: a desk (beside sluice serve), a state directory, or with --aws a deployment.
For a browser on another machine, forward the port under the same number: ssh -L PORT:127.0.0.1:PORT.
Exit codes: 0 stopped, 1 the port is taken, 2 wrong usage or configuration.`,
  load: async () => (await import('./console.ts')).openConsole,
})

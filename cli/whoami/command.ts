// Defines `sluice whoami`. Its code is loaded when it runs.

import { command } from '../terminal/commander.ts'
import { LIST, SERVICE } from '../terminal/options.ts'

export const addWhoami = command({
  name: 'whoami',
  summary: 'which service, account and keys a command would use',
  what: 'show which service, stage and account a command would use, and what its keys may do',
  options: [...SERVICE, ['--aws', 'the deployed set-up: service and secrets of treasury.json'], ...LIST],
  example: 'whoami',
  help: `Shows the holder of the account, where a key may read it. Each key is a row: its prefix, the roles that use it, its
account, the scopes that it has of those that these roles need, and those that it lacks. Only a signed request shows
whether it has transfers:write. The service reports the end of a key only after that end. Halts in force are named.
Moves nothing. Exit codes: 0 every key is accepted; 1 a key is refused, or none can be used, or the service does not
answer; 2 wrong usage, configuration or keys.`,
  load: async () => (await import('./whoami.ts')).whoami,
})

// Defines `sluice statement`. Its code is loaded when it runs.

import { command } from '../terminal/commander.ts'
import { LIST, READING } from '../terminal/options.ts'

export const addStatement = command({
  name: 'statement',
  summary: 'statement of the account over a period, proven',
  what: "show what came in and went out over a period, proven against the service's balances",
  options: [
    ...READING,
    ...LIST,
    ['--from <time>', 'the first day, 2026-01-01, or a moment, 2026-01-01T00:00:00Z'],
    ['--to <time>', 'the period ends right before it (default: the present)'],
    ['--zone <name>', 'time zone of days without one, such as Europe/Berlin (default: UTC)'],
    ['--asset <code>', 'only this asset, by either spelling'],
  ],
  example: 'statement --from 2026-01-01 --to 2026-02-01',
  help: `The lines are entries of the service's ledger, at its own times, in settled units.
docs/books.md says what proves them. It changes nothing. Exit codes:
  0    every asset is proven to the last digit
  1    the journal or the service cannot be read
  2    bad usage
  5    an entry cannot be read, or an asset is not proven: it is named`,
  load: async () => (await import('./statement.ts')).statement,
})

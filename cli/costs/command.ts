// Defines `sluice costs`. Its code is loaded when it runs.

import { command } from '../terminal/commander.ts'
import { LIST, READING } from '../terminal/options.ts'

export const addCosts = command({
  name: 'costs',
  summary: 'what moving cost, by policy and month',
  what: 'show what moving cost, by policy and month: slippage, fees, tracking error and time to settle',
  options: [
    ...READING,
    ...LIST,
    ['--from <time>', 'the first day, 2026-01-01, or a moment (default: the present month)'],
    ['--to <time>', 'the period ends right before it (default: the present)'],
    ['--zone <name>', 'time zone of days and months, such as Europe/Berlin (default: UTC)'],
    ['--policy <name>', 'only this policy'],
  ],
  example: 'costs --from 2026-01-01 --to 2026-04-01',
  help: `The list is rounded; --csv and --json are exact. docs/books.md says what each figure
means: they are those of the metrics. It changes nothing. Exit codes:
  0    every movement was read; a blank figure is not known
  1    the journal or the service cannot be read
  2    bad usage
  5    a record or a movement cannot be read: it is named, and its cost is missing`,
  load: async () => (await import('./costs.ts')).costs,
})

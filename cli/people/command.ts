// Defines `sluice people`, its `list` and its `export`. A command's code is loaded when it runs.

import { command, noun } from '../terminal/commander.ts'
import { JOURNAL, LIST, type OptionRow, OUT, period } from '../terminal/options.ts'

const FILTERS: readonly OptionRow[] = [
  ...JOURNAL,
  ...period('acts'),
  ['--person <name>', 'only acts of this person: an ARN, or the name at its end'],
  ['--did <word>', 'only this kind of act, such as approved or halted'],
]

const HELP = `docs/commands.md says where each act comes from. It changes nothing. Exit codes:
  0    the log is whole
  1    the journal cannot be read: the rows so far are not the whole log
  2    bad usage
  5    the chain of a record is broken, or a record is missing: it is named`

const list = command({
  name: 'list',
  isDefault: true,
  what: 'list what people asked for and decided, latest first',
  options: [...FILTERS, ...LIST, ['--limit <n>', 'maximum acts, the latest (default: 50)']],
  example: 'people list --person ada',
  help: HELP,
  load: async () => (await import('./list.ts')).listPeople,
})

const exportAll = command({
  name: 'export',
  what: 'export what people asked for and decided, as a table',
  options: [...FILTERS, ['--format <form>', 'csv or jsonl (default: csv)'], OUT],
  example: 'people export --since 2026-01-01 --before 2026-02-01 --out january.csv',
  help: HELP,
  load: async () => (await import('./list.ts')).exportPeople,
})

export const addPeople = noun(
  { name: 'people', what: 'who asked, approved, halted or settled what', example: 'people list --since 2026-01-01' },
  [list, exportAll],
)

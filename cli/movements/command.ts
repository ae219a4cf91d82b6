// Defines `sluice movements list` and `export`. A command's code is loaded when the command runs.

import { command, noun } from '../terminal/commander.ts'
import { JOURNAL, LIST, OUT, period, READING, SHADOW } from '../terminal/options.ts'
import { addShow } from './show-command.ts'

const list = command({
  name: 'list',
  isDefault: true,
  what: 'list all requests: conversions, withdrawals, and runs with their legs',
  options: [
    ...JOURNAL,
    ...LIST,
    ['--kind <kind>', 'only this kind: convert, withdraw or run'],
    ['--outcome <word>', 'only with this outcome or state, such as DONE, REJECTED or ARMED'],
    ...period('requests').slice(0, 1),
    ['--before <time>', 'requests before then: continues where a list was cut off'],
    SHADOW,
    ['--limit <n>', 'maximum requests, the newest (default: 20)'],
  ],
  example: 'movements list --kind withdraw --since 2026-01-01',
  help: `The list has runs of policies too, as in the console. --kind leaves them out; runs list shows more of them.
Exit codes: 0 listed, also where nothing is found; 1 the journal cannot be read; 2 bad usage.`,
  load: async () => (await import('./list.ts')).list,
})

const exportAll = command({
  name: 'export',
  what: 'export conversions and withdrawals as a table, with what moved and at what cost',
  options: [
    ...READING,
    ['--format <form>', 'csv, jsonl or parquet (default: csv)'],
    OUT,
    ...period('movements'),
    ['--kind <kind>', 'only this kind: convert or withdraw'],
    ['--policy <name>', 'only movements of this policy'],
    ['--asset <code>', 'only movements that gave or brought this asset, by either spelling'],
    ['--payee <name>', 'only withdrawals to this contact: its alias, reference or id'],
    ['--outcome <word>', 'only with this state, such as FILLED, FAILED_REFUNDED or REJECTED'],
  ],
  example: 'movements export --since 2026-01-01 --before 2026-02-01 --out january.csv',
  help: `docs/books.md has the columns, units and sources. It changes nothing. Exit codes:
  0    the table is whole
  1    the journal or the service cannot be read: the rows so far are not the whole table
  2    bad usage
  5    a record or a movement cannot be read, or differs: it is named, and has its row`,
  load: async () => (await import('./export.ts')).exportTable,
})

export const addMovements = noun(
  { name: 'movements', what: 'conversions and withdrawals: list, show, export', example: 'movements list' },
  [list, addShow('movements', 'invoice-2041'), exportAll],
)

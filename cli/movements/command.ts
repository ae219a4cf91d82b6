// Defines `sluice movements`, its `list` and its `export`: options and help. `show` is in show-command.ts, because runs
// have it too. A command's code is loaded when the command runs.

import { INVOCATION } from '../terminal/command-line.ts'
import { type AddCommand, addNoun, withJournalOptions } from '../terminal/commander.ts'
import { withListOptions } from '../terminal/listing.ts'
import type { ExportMovementsFlags } from './export.ts'
import type { ListRequestsFlags } from './list.ts'
import { addShow } from './show-command.ts'

export const addMovements: AddCommand = (program, context, endWith) => {
  const movements = addNoun(program, {
    name: 'movements',
    description: 'conversions and withdrawals: list, show, export',
    example: 'movements list',
  })
  addList(movements, context, endWith)
  addShow('invoice-2041')(movements, context, endWith)
  addExport(movements, context, endWith)
}

const addList: AddCommand = (movements, context, endWith) => {
  withListOptions(
    withJournalOptions(
      movements
        .command('list', { isDefault: true })
        .description('list all requests: conversions, withdrawals, and runs with their legs'),
    ),
  )
    .option('--kind <kind>', 'only this kind: convert, withdraw or run')
    .option('--outcome <word>', 'only with this outcome or state, such as DONE, REJECTED or ARMED')
    .option('--since <time>', 'requests from then on: 2026-01-31 (UTC), or 2026-01-31T09:00:00Z')
    .option('--before <time>', 'requests before then: continues where a list was cut off')
    .option('--shadow', 'also runs in shadow mode, and plans that people asked for')
    .option('--limit <n>', 'maximum requests, the newest (default: 20)')
    .addHelpText('before', `Example:\n  ${INVOCATION} movements list --kind withdraw --since 2026-01-01\n`)
    .addHelpText(
      'after',
      '\nThe list has runs of policies too, as in the console. --kind leaves them out; runs list shows more of them.\nExit codes: 0 listed, also where nothing is found; 1 the journal cannot be read; 2 bad usage.',
    )
    .action(async (flags: ListRequestsFlags) => endWith(await (await import('./list.ts')).list(flags, context)))
}

const addExport: AddCommand = (movements, context, endWith) => {
  withJournalOptions(
    movements
      .command('export')
      .description('export conversions and withdrawals as a table, with what moved and at what cost'),
  )
    .option('--keys <file>', 'with --service: its key file, as JSON [SLUICE_KEYS]')
    .option('--format <form>', 'csv, jsonl or parquet (default: csv)')
    .option('--out <file>', 'write to this file, which is replaced whole (default: standard output)')
    .option('--since <time>', 'movements from then on: 2026-01-31 (UTC), or 2026-01-31T09:00:00Z')
    .option('--before <time>', 'movements before then')
    .option('--kind <kind>', 'only this kind: convert or withdraw')
    .option('--policy <name>', 'only movements of this policy')
    .option('--asset <code>', 'only movements that gave or brought this asset, by either spelling')
    .option('--payee <name>', 'only withdrawals to this contact: its alias, reference or id')
    .option('--outcome <word>', 'only with this state, such as FILLED, FAILED_REFUNDED or REJECTED')
    .addHelpText(
      'before',
      `Example:\n  ${INVOCATION} movements export --since 2026-01-01 --before 2026-02-01 --out january.csv\n`,
    )
    .addHelpText('after', EXPORT_HELP)
    .action(async (flags: ExportMovementsFlags) =>
      endWith(await (await import('./export.ts')).exportTable(flags, context)),
    )
}

const EXPORT_HELP = `
docs/books.md has the columns, units and sources. It changes nothing. Exit codes:
  0    the table is whole
  1    the journal or the service cannot be read: the rows so far are not the whole table
  2    bad usage
  5    a record or a movement cannot be read, or differs: it is named, and has its row`

// Defines `sluice people`, its `list` and its `export`: options and help. A command's code is loaded when it runs.

import type { Command } from 'commander'
import { INVOCATION } from '../terminal/command-line.ts'
import { type AddCommand, addNoun, withJournalOptions } from '../terminal/commander.ts'
import { withListOptions } from '../terminal/listing.ts'
import type { ExportPeopleFlags, ListPeopleFlags } from './list.ts'

export const addPeople: AddCommand = (program, context, endWith) => {
  const people = addNoun(program, {
    name: 'people',
    description: 'who asked, approved, halted or settled what',
    example: 'people list --since 2026-01-01',
  })
  addList(people, context, endWith)
  addExport(people, context, endWith)
}

const addList: AddCommand = (people, context, endWith) => {
  withListOptions(
    withFilters(
      people.command('list', { isDefault: true }).description('list what people asked for and decided, latest first'),
    ),
  )
    .option('--limit <n>', 'maximum acts, the latest (default: 50)')
    .addHelpText('before', `Example:\n  ${INVOCATION} people list --person ada\n`)
    .addHelpText('after', PEOPLE_HELP)
    .action(async (flags: ListPeopleFlags) => endWith(await (await import('./list.ts')).listPeople(flags, context)))
}

const addExport: AddCommand = (people, context, endWith) => {
  withFilters(people.command('export').description('export what people asked for and decided, as a table'))
    .option('--format <form>', 'csv or jsonl (default: csv)')
    .option('--out <file>', 'write to this file, which is replaced whole (default: standard output)')
    .addHelpText(
      'before',
      `Example:\n  ${INVOCATION} people export --since 2026-01-01 --before 2026-02-01 --out january.csv\n`,
    )
    .addHelpText('after', PEOPLE_HELP)
    .action(async (flags: ExportPeopleFlags) => endWith(await (await import('./list.ts')).exportPeople(flags, context)))
}

function withFilters(command: Command): Command {
  return withJournalOptions(command)
    .option('--since <time>', 'acts from then on: 2026-01-31 (UTC), or 2026-01-31T09:00:00Z')
    .option('--before <time>', 'acts before then')
    .option('--person <name>', 'only acts of this person: an ARN, or the name at its end')
    .option('--did <word>', 'only this kind of act, such as approved or halted')
}

const PEOPLE_HELP = `
docs/commands.md says where each act comes from. It changes nothing. Exit codes:
  0    the log is whole
  1    the journal cannot be read: the rows so far are not the whole log
  2    bad usage
  5    the chain of a record is broken, or a record is missing: it is named`

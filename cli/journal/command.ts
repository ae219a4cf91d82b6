// Defines `sluice journal verify`, `audit`, `rebuild` and `export`: options and help. A command's code is loaded when the
// command runs.

import { INVOCATION } from '../terminal/command-line.ts'
import {
  type AddCommand,
  addNoun,
  withConsentOptions,
  withJournalOptions,
  withServiceOptions,
} from '../terminal/commander.ts'
import { withListOptions } from '../terminal/listing.ts'
import type { AuditFlags } from './audit.ts'
import type { ExportFlags } from './export/export.ts'
import type { RebuildFlags } from './rebuild.ts'
import type { VerifyFlags } from './verify.ts'

export const addJournal: AddCommand = (program, context, endWith) => {
  const journal = addNoun(program, {
    name: 'journal',
    description: 'verify, audit, export, or rebuild what was lost',
    example: 'journal verify',
    help: CODES,
  })

  const verify = withJournalOptions(
    journal.command('verify').description('check the journal against itself, the executions and the service'),
  )
    .option('--keys <file>', 'with --service: its key file, as JSON [SLUICE_KEYS]')
    .option('--since <time>', 'what began after this (default: the last 90 days)')
    .option('--before <time>', 'and executions that began before this')
    .option('--limit <n>', 'maximum executions of each state machine (default: 10000, at most 1000000)')
    .option('--export <folder>', 'first check the export in it, and then the journal against it')
    .option('--accept', 'where nothing is found, record that this table is the journal')
    .option('--by <name>', 'with --accept: who decides (default: $USER)')
    .option('--because <text>', 'with --accept: what was seen')
    .addHelpText('before', `Example:\n  ${INVOCATION} journal verify --aws\n`)
    .addHelpText('after', `\n${VERIFY_HELP}`)
    .action(async (flags: VerifyFlags) => endWith(await (await import('./verify.ts')).verifyJournal(flags, context)))
  withConsentOptions(verify)

  addAudit(journal, context, endWith)

  const rebuild = withJournalOptions(
    journal.command('rebuild').description('write what was lost, from executions and the service'),
  )
    .option('--keys <file>', 'with --service: its key file, as JSON [SLUICE_KEYS]')
    .option('--since <time>', 'from executions that began after this (default: the last 90 days)')
    .option('--before <time>', 'and before this')
    .option('--limit <n>', 'maximum executions of each state machine (default: 10000, at most 1000000)')
    .option('--export <folder>', 'also from the export in it')
    .option('--write', 'write the records: without this nothing is written')
    .option('--by <name>', 'with --write: who decides (default: $USER)')
    .addHelpText('before', `Example:\n  ${INVOCATION} journal rebuild --aws\n`)
    .addHelpText('after', `\n${REBUILD_HELP}`)
    .action(async (flags: RebuildFlags) => endWith(await (await import('./rebuild.ts')).rebuildJournal(flags, context)))
  withConsentOptions(rebuild)

  withJournalOptions(
    journal.command('export').description('write the journal into a folder, with a manifest and hashes'),
  )
    .option('--to <folder>', 'a new folder, or the folder of an export that was cut off')
    .addHelpText('before', `Example:\n  ${INVOCATION} journal export --to journal-2026-11 --aws\n`)
    .addHelpText('after', `\n${EXPORT_HELP}`)
    .action(async (flags: ExportFlags) =>
      endWith(await (await import('./export/export.ts')).exportJournal(flags, context)),
    )
}

const addAudit: AddCommand = (journal, context, endWith) => {
  const command = journal
    .command('audit')
    .description('audit what moved at the service against the journal, and change nothing')
  withListOptions(withServiceOptions(command))
    .option('--aws', "the deployed audit of the deployed journal, by the AWS SDK's own configuration")
    .option(
      '--since <time>',
      'judges what moved after this (default: from where the last audit ended, or the last day)',
    )
    .addHelpText('before', `Example:\n  ${INVOCATION} journal audit --since 2026-01-31T00:00:00Z\n`)
    .addHelpText(
      'after',
      `
Prints each finding on a line; with --json the whole report as one JSON object. What moved in the last 20 minutes or so
is left for a later audit, because its claim may still be under way: the first line says which, and when it will be
judged. Unfinished runs of the state directory are not continued: the key may be one that only reads. Exit codes:
  0    what moved ties out with the journal
  1    the audit could not be made
  2    wrong usage, configuration or keys
  5    there are findings; docs/runbook.md says what to do about each`,
    )
    .action(async (flags: AuditFlags) => {
      const { auditJournal } = await import('./audit.ts')
      endWith(await auditJournal(flags, context))
    })
}

const CODES =
  'Exit codes: 0 nothing is found, 1 it could not be checked, 2 wrong usage, 3 there are findings (audit: 5).'

const VERIFY_HELP = `It checks whether each record is unchanged since it was written, whether each execution's record has what the
execution saw, and whether each movement at the service has its intent. It changes nothing, except with --accept.
Executions are kept for 90 days: only an export knows what is older. docs/runbook.md, "The journal is lost or restored",
says what to do.
${CODES}`

const REBUILD_HELP = `Each id of an execution is written DONE where its movement is proven, REJECTED or EXHAUSTED where its own executions
certified a zero, and otherwise ESCALATED, for a person. A record that says more stays unchanged. Sending is halted
first, and every function refuses the journal until \`journal verify --accept\`. It may be cut off, and run again.
${CODES}`

const EXPORT_HELP = `It reads each record once, and changes no record. After a cut-off, the same command continues. For a complete export it
checks whether each byte is unchanged, and then needs no journal. Records stay in the journal for good: an id
never becomes usable again. docs/runbook.md, "Exports of the journal", says where to keep them.
${CODES}`

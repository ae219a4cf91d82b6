// Defines `sluice journal verify`, `audit`, `rebuild` and `export`. A command's code is loaded when the command runs.

import { command, noun } from '../terminal/commander.ts'
import { CONSENT, JOURNAL, LIST, READING, SERVICE } from '../terminal/options.ts'

const CODES =
  'Exit codes: 0 nothing is found, 1 it could not be checked, 2 wrong usage, 3 there are findings (audit: 5).'

const LIMIT = ['--limit <n>', 'maximum executions of each state machine (default: 10000, at most 1000000)'] as const

const verify = command({
  name: 'verify',
  what: 'check the journal against itself, the executions and the service',
  options: [
    ...READING,
    ['--since <time>', 'what began after this (default: the last 90 days)'],
    ['--before <time>', 'and executions that began before this'],
    LIMIT,
    ['--export <folder>', 'first check the export in it, and then the journal against it'],
    ['--accept', 'where nothing is found, record that this table is the journal'],
    ['--by <name>', 'with --accept: who decides (default: $USER)'],
    ['--because <text>', 'with --accept: what was seen'],
    ...CONSENT,
  ],
  example: 'journal verify --aws',
  help: `It checks whether each record is unchanged since it was written, whether each execution's record has what the
execution saw, and whether each movement at the service has its intent. It changes nothing, except with --accept.
Executions are kept for 90 days: only an export knows what is older. docs/runbook.md, "The journal is lost or restored",
says what to do.
${CODES}`,
  load: async () => (await import('./verify.ts')).verifyJournal,
})

const audit = command({
  name: 'audit',
  what: 'audit what moved at the service against the journal, and change nothing',
  options: [
    ...SERVICE,
    ...LIST,
    ['--aws', "the deployed audit of the deployed journal, by the AWS SDK's own configuration"],
    ['--since <time>', 'judges what moved after this (default: from where the last audit ended, or the last day)'],
  ],
  example: 'journal audit --since 2026-01-31T00:00:00Z',
  help: `Prints each finding on a line; with --json the whole report as one JSON object. What moved in the last 20 minutes or so
is left for a later audit, because its claim may still be under way: the first line says which, and when it will be
judged. Unfinished runs of the state directory are not continued: the key may be one that only reads. Exit codes:
  0    what moved ties out with the journal
  1    the audit could not be made
  2    wrong usage, configuration or keys
  5    there are findings; docs/runbook.md says what to do about each`,
  load: async () => (await import('./audit.ts')).auditJournal,
})

const rebuild = command({
  name: 'rebuild',
  what: 'write what was lost, from executions and the service',
  options: [
    ...READING,
    ['--since <time>', 'from executions that began after this (default: the last 90 days)'],
    ['--before <time>', 'and before this'],
    LIMIT,
    ['--export <folder>', 'also from the export in it'],
    ['--write', 'write the records: without this nothing is written'],
    ['--by <name>', 'with --write: who decides (default: $USER)'],
    ...CONSENT,
  ],
  example: 'journal rebuild --aws',
  help: `Each id of an execution is written DONE where its movement is proven, REJECTED or EXHAUSTED where its own executions
certified a zero, and otherwise ESCALATED, for a person. A record that says more stays unchanged. Sending is halted
first, and every function refuses the journal until \`journal verify --accept\`. It may be cut off, and run again.
${CODES}`,
  load: async () => (await import('./rebuild.ts')).rebuildJournal,
})

const exportIt = command({
  name: 'export',
  what: 'write the journal into a folder, with a manifest and hashes',
  options: [...JOURNAL, ['--to <folder>', 'a new folder, or the folder of an export that was cut off']],
  example: 'journal export --to journal-2026-11 --aws',
  help: `It reads each record once, and changes no record. After a cut-off, the same command continues. For a complete export it
checks whether each byte is unchanged, and then needs no journal. Records stay in the journal for good: an id
never becomes usable again. docs/runbook.md, "Exports of the journal", says where to keep them.
${CODES}`,
  load: async () => (await import('./export/export.ts')).exportJournal,
})

export const addJournal = noun(
  {
    name: 'journal',
    what: 'verify, audit, export, or rebuild what was lost',
    example: 'journal verify',
    help: CODES,
  },
  [verify, audit, rebuild, exportIt],
)

// Defines `sluice payouts` and its `template`, `check`, `run` and `results`: options and help. A command's code is loaded when the command
// runs.

import type { Command } from 'commander'
import { INVOCATION } from '../terminal/command-line.ts'
import { type AddCommand, addNoun, withJournalOptions, withServiceOptions } from '../terminal/commander.ts'
import { withListOptions, withWideOption } from '../terminal/listing.ts'
import type { PayFlags } from './results.ts'

const POLICY = 'a policy of the kind payouts, by its name in treasury.json'
const AWS = "the deployed policy, by the AWS SDK's own configuration"

export const addPayouts: AddCommand = (program, context, endWith) => {
  const payouts = addNoun(program, {
    name: 'payouts',
    description: 'pay the rows of a file: template, check, run, results',
    example: 'payouts run june.csv --policy salaries --id june',
  })
  withServiceOptions(
    payouts
      .command('template')
      .description('write a file with the contacts that a policy may pay, to be filled in')
      .option('--policy <name>', POLICY)
      .option('--out <file>', 'write to this file, which is replaced whole (default: standard output)')
      .option('--aws', AWS),
  )
    .addHelpText('before', `Example:\n  ${INVOCATION} payouts template --policy salaries --out june.csv\n`)
    .addHelpText('after', TEMPLATE_HELP)
    .action(async (flags: PayFlags) => endWith(await (await import('./template.ts')).writeTemplate(flags, context)))
  withWideOption(
    withServiceOptions(ofFile(payouts, 'check', 'check a file whole, with each finding by its line, and pay nothing')),
  )
    .option('--aws', AWS)
    .addHelpText('after', CHECK_HELP)
    .action(async (file: string, flags: PayFlags) =>
      endWith(await (await import('./check.ts')).checkFile(file, flags, context)),
    )
  withListOptions(withServiceOptions(ofFile(payouts, 'run', 'check a file, then pay each row that is not paid yet')))
    .option('--aws', AWS)
    .option('--id <id>', 'names the run: the same id gives the first result again, also after a crash')
    .option('--by <name>', 'who asks (default: $USER); on AWS that is the identity of the credentials')
    .addHelpText('after', RUN_HELP)
    .action(async (file: string, flags: PayFlags) =>
      endWith(await (await import('./run.ts')).runFile(file, flags, context)),
    )
  withListOptions(withJournalOptions(ofFile(payouts, 'results', 'list the rows of a file, and what became of each')))
    .addHelpText('after', RESULTS_HELP)
    .action(async (file: string, flags: PayFlags) =>
      endWith(await (await import('./results.ts')).showResults(file, flags, context)),
    )
}

function ofFile(payouts: Command, name: string, description: string): Command {
  return payouts
    .command(name)
    .description(description)
    .argument('<file>', 'CSV with titles, or JSON Lines; - reads standard input')
    .option('--policy <name>', POLICY)
    .addHelpText('before', `Example:\n  ${INVOCATION} payouts ${name} june.csv --policy salaries\n`)
}

const FORM = `
A file has the columns id, contactId, asset, amount and reference, in any
order; a reference may be empty. It has at most 2000 rows and 1 MiB. A column
contactReference has the reference or the exact alias of a contact, beside its
id, or in place of it where the stage is test.`

const TEMPLATE_HELP = `
Writes CSV with a line for each contact and asset of the policy, below a remark
(#) that says where it pays. It asks the service and moves nothing. Give each
payment an id and an amount, and delete the other lines: a line without an
amount stops the file. Exit codes:
  0    written
  1    the service did not answer
  2    wrong usage, configuration or keys`

const CHECK_HELP = `${FORM}
It is planned as a run would plan it, and nothing moves. Exit codes:
  0    every row could go now, or is paid already
  1    a row or the whole file has a finding
  2    wrong usage, configuration or keys`

const RUN_HELP = `${FORM}
A file with a finding pays nothing. The whole file is one run, with one plan
and one approval. A row that is paid is left out, so the same file again pays
only the rest. Prints the results row by row. Exit codes:
  0    every row is paid
  1    refused, guarded, halted, or some rows are not paid
  2    wrong usage, file, configuration or keys; nothing was sent
  3    needs a person
  4    waits for approval: sluice runs show, then sluice approve or reject
  5    what moved does not agree with what the service reports
  130  interrupted; the same command with the same --id continues`

const RESULTS_HELP = `
Lists outcome, fee, movement and run of each row, from the journal. A row whose
id has paid something else, or may still pay it, is OTHER_TERMS. Exit codes:
  0    every row is paid
  1    some rows are not paid
  2    wrong usage, file or configuration
  3    a row is in doubt`

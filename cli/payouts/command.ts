// Defines `sluice payouts` and its `template`, `check`, `run` and `results`. A command's code is loaded when the command
// runs.

import { type CommandDefinition, command, noun } from '../terminal/commander.ts'
import { ASKED_BY, ID, JOURNAL, LIST, type OptionRow, OUT, SERVICE, WIDE } from '../terminal/options.ts'

const POLICY: OptionRow = ['--policy <name>', 'a policy of the kind payouts, by its name in treasury.json']
const AWS: OptionRow = ['--aws', "the deployed policy, by the AWS SDK's own configuration"]

const FORM = `A file has the columns id, contactId, asset, amount and reference, in any
order; a reference may be empty. It has at most 2000 rows and 1 MiB. A column
contactReference has the reference or the exact alias of a contact, beside its
id, or in place of it where the stage is test.`

const template = command({
  name: 'template',
  what: 'write a file with the contacts that a policy may pay, to be filled in',
  options: [POLICY, OUT, AWS, ...SERVICE],
  example: 'payouts template --policy salaries --out june.csv',
  help: `Writes CSV with a line for each contact and asset of the policy, below a remark
(#) that says where it pays. It asks the service and moves nothing. Give each
payment an id and an amount, and delete the other lines: a line without an
amount stops the file. Exit codes:
  0    written
  1    the service did not answer
  2    wrong usage, configuration or keys`,
  load: async () => (await import('./template.ts')).writeTemplate,
})

const ofFile = ({ name, options = [], ...definition }: Omit<CommandDefinition, 'operands' | 'example'>) =>
  command({
    ...definition,
    name,
    operands: [['<file>', 'CSV with titles, or JSON Lines; - reads standard input']],
    options: [POLICY, ...options],
    example: `payouts ${name} june.csv --policy salaries`,
  })

const check = ofFile({
  name: 'check',
  what: 'check a file whole, with each finding by its line, and pay nothing',
  options: [...SERVICE, ...WIDE, AWS],
  help: `${FORM}
It is planned as a run would plan it, and nothing moves. Exit codes:
  0    every row could go now, or is paid already
  1    a row or the whole file has a finding
  2    wrong usage, configuration or keys`,
  load: async () => (await import('./check.ts')).checkFile,
})

const run = ofFile({
  name: 'run',
  what: 'check a file, then pay each row that is not paid yet',
  options: [...SERVICE, ...LIST, AWS, ID, ASKED_BY],
  help: `${FORM}
A file with a finding pays nothing. The whole file is one run, with one plan
and one approval. A row that is paid is left out, so the same file again pays
only the rest. Prints the results row by row. Exit codes:
  0    every row is paid
  1    refused, guarded, halted, or some rows are not paid
  2    wrong usage, file, configuration or keys; nothing was sent
  3    needs a person
  4    waits for approval: sluice runs show, then sluice approve or reject
  5    what moved does not agree with what the service reports
  130  interrupted; the same command with the same --id continues`,
  load: async () => (await import('./run.ts')).runFile,
})

const results = ofFile({
  name: 'results',
  what: 'list the rows of a file, and what became of each',
  options: [...JOURNAL, ...LIST],
  help: `Lists outcome, fee, movement and run of each row, from the journal. A row whose
id has paid something else, or may still pay it, is OTHER_TERMS. Exit codes:
  0    every row is paid
  1    some rows are not paid
  2    wrong usage, file or configuration
  3    a row is in doubt`,
  load: async () => (await import('./results.ts')).showResults,
})

export const addPayouts = noun(
  {
    name: 'payouts',
    what: 'pay the rows of a file: template, check, run, results',
    example: 'payouts run june.csv --policy salaries --id june',
  },
  [template, check, run, results],
)

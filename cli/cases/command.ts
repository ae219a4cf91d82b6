// Defines `sluice cases` and the commands below it: options and help. A command's code is loaded when the command runs.

import { INVOCATION } from '../terminal/command-line.ts'
import { type AddCommand, addNoun, collect, withConsentOptions, withJournalOptions } from '../terminal/commander.ts'
import { withListOptions } from '../terminal/listing.ts'
import type { AgainFlags, ForeignFlags, ReleaseFlags, ResolveFlags } from './decisions.ts'
import type { CasesFlags } from './list.ts'

export const addCases: AddCommand = (program, context, endWith) => {
  const cases = addNoun(program, {
    name: 'cases',
    description: 'cases that wait for a person: list, again, settle',
    example: 'cases list',
  })
  for (const add of [addList, addAgain, addResolve, addForeign, addRelease]) add(cases, context, endWith)
}

const addList: AddCommand = (cases, context, endWith) => {
  withListOptions(
    withJournalOptions(
      cases
        .command('list', { isDefault: true })
        .description('list what stopped, or is halted, and waits for a person, with the evidence'),
    ),
  )
    .option('--failed <n>', 'check this many failed executions of each machine, the newest (default: 500)')
    .option('--after <kind#intent>', 'of the open intents, only those after it: continues where a list was cut off')
    .addHelpText('before', `Example:\n  ${INVOCATION} cases list\n`)
    .addHelpText(
      'after',
      '\nExit codes: 0 nothing waits for a person, 3 something does (a halt in force, too), 4 only approvals are waited for.',
    )
    .action(async (flags: CasesFlags) => endWith(await (await import('./list.ts')).listCases(flags, context)))
}

const addAgain: AddCommand = (cases, context, endWith) => {
  const command = cases.command('again').description('enter once more what stopped in doubt, and let it continue')
  withListOptions(withJournalOptions(command))
    .argument('[id]', 'an intent or a run, as cases list and movements list show it, or the id that it was given')
    .option('--kind <kind>', 'convert, withdraw or run, where the id is of more than one')
    .option('--armed', 'every intent that was sent and is not settled, and the runs that it is a leg of')
    .option('--keys <file>', 'key file for that service; - reads standard input [SLUICE_KEYS]')
    .addHelpText('before', `Example:\n  ${INVOCATION} cases again --armed   # after the service was down\n`)
    .addHelpText(
      'after',
      `
Each is entered under its own id, so it is the same movement: it is found and reported, or it is certified that the last
attempt moved nothing. Then its next attempt may be made, within its time. An execution under way is followed. A run
that was cut off before its plan plans now. Exit codes:
  0    nothing is in doubt any more
  1    there is nothing to enter again, or it ended without a movement
  2    wrong usage, configuration or keys
  3    something still needs a person
  130  interrupted; what was begun at a desk or on AWS continues`,
    )
    .action(async (id: string | undefined, flags: AgainFlags) =>
      endWith(await (await import('./decisions.ts')).again(id, flags, context)),
    )
}

const addResolve: AddCommand = (cases, context, endWith) => {
  const command = cases.command('resolve').description('record what a person found out about an intent in doubt')
  withJournalOptions(command)
    .argument('<intent>', 'the intent, as cases list shows it')
    .option('--movement <id>', 'the withdrawal or order that is its movement')
    .option('--kind <kind>', 'convert or withdraw, where an intent of each has the id')
    .option('--none', 'nothing moved for it')
    .option('--same-account', 'on your responsibility: the key in use and the key that signed belong to one account')
    .option('--because <text>', 'what was seen, and where')
    .option('--by <name>', 'who decides (default: $USER); on AWS that is the identity of the credentials')
    .option('--keys <file>', 'key file for that service; - reads standard input [SLUICE_KEYS]')
    .addHelpText(
      'before',
      `Example:\n  ${INVOCATION} cases resolve wd-2b05f662 --movement ID --because 'seen on chain, tx 0x…'\n`,
    )
    .addHelpText('after', `\n${RESOLVE_HELP}`)
    .action(async (intent: string, flags: ResolveFlags) =>
      endWith(await (await import('./decisions.ts')).resolve(intent, flags, context)),
    )
  withConsentOptions(command)
}

const RESOLVE_HELP = `The evidence is examined first, and again before anything is written. The movement must exist, match the request,
and belong to no other intent. --none needs the time past which nothing can arrive, and no movement left that may be
it. A contradiction is reported, with exit 1. It sends nothing.
--same-account is for a key that was replaced where the old or the new one may not read its account (accounts:read).
Evidence that the new key sees then counts on your responsibility, which is recorded. It never counts for a key that is
known to belong to another account, or to the other environment.`

const addForeign: AddCommand = (cases, context, endWith) => {
  const command = cases.command('foreign').description('record that somebody else made a movement on the account')
  withJournalOptions(command)
    .argument('<movement>', 'id of the withdrawal or order, as cases list and journal audit show it')
    .option('--kind <kind>', 'order or withdrawal, where both have that id')
    .option('--not-of <intent>', 'an intent in doubt that did not make it; may be repeated', collect)
    .option('--because <text>', 'what was seen, and where')
    .option('--by <name>', 'who decides (default: $USER); on AWS that is the identity of the credentials')
    .option('--keys <file>', 'key file for that service; - reads standard input [SLUICE_KEYS]')
    .addHelpText('before', `Example:\n  ${INVOCATION} cases foreign wd_5f66 --because 'paid by hand on Monday'\n`)
    .addHelpText('after', `\n${FOREIGN_HELP}`)
    .action(async (movement: string, flags: ForeignFlags) =>
      endWith(await (await import('./decisions.ts')).foreign(movement, flags, context)),
    )
  withConsentOptions(command)
}

const FOREIGN_HELP = `It then blocks no intent in doubt, and the audit counts it as others'. Refused where an intent has
claimed it, or where it may belong to an unsettled intent. For each intent that waits for a person and may have made it,
--not-of says that it did not: --yes alone is not enough. It sends nothing.`

const addRelease: AddCommand = (cases, context, endWith) => {
  const command = cases.command('release').description('write off balances that runs of a policy left stranded')
  withJournalOptions(command)
    .argument('<policy>', 'the policy, as cases list shows it')
    .option('--because <text>', 'what was seen, and where')
    .option('--by <name>', 'who decides (default: $USER); on AWS that is the identity of the credentials')
    .addHelpText('before', `Example:\n  ${INVOCATION} cases release old-sweep --because 'sent by hand on Monday'\n`)
    .addHelpText('after', `\n${RELEASE_HELP}`)
    .action(async (policy: string, flags: ReleaseFlags) =>
      endWith(await (await import('./decisions.ts')).release(policy, flags, context)),
    )
  withConsentOptions(command)
}

const RELEASE_HELP = `No later run takes them up, and neither plans nor cases list show them again. It sends nothing.`

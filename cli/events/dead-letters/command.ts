// Defines `sluice events dead-letters list`, `show`, `resend` and `drop`: options and help. A command's code is loaded when
// the command runs.

import { INVOCATION } from '../../terminal/command-line.ts'
import { type AddCommand, addNoun, withConsentOptions, withJournalOptions } from '../../terminal/commander.ts'
import { withListOptions } from '../../terminal/listing.ts'
import type { DropFlags, ListLettersFlags, ResendFlags, ShowLetterFlags } from './letters.ts'

const ID = 'the letter, or the id of its event'

export const addDeadLetters: AddCommand = (events, context, endWith) => {
  const letters = addNoun(events, {
    name: 'dead-letters',
    description: 'events and starts that had no effect: list them, put them again, or drop them',
    example: 'events dead-letters list',
    help: HELP,
  })

  withListOptions(
    withJournalOptions(letters.command('list', { isDefault: true }).description('list them, oldest first')),
  )
    .option('--limit <n>', 'maximum letters (default: 100, at most 1000)')
    .addHelpText('before', `Example:\n  ${INVOCATION} events dead-letters list --aws\n`)
    .addHelpText('after', `\n${HELP}`)
    .action(async (flags: ListLettersFlags) =>
      endWith(await (await import('./letters.ts')).listDeadLetters(flags, context)),
    )

  withJournalOptions(letters.command('show').description('show a letter: its request, and why it had no effect'))
    .argument('<id>', ID)
    .addHelpText('before', `Example:\n  ${INVOCATION} events dead-letters show 2026-01-invoice-17\n`)
    .addHelpText('after', `\n${SHOW_HELP}`)
    .action(async (id: string, flags: ShowLetterFlags) =>
      endWith(await (await import('./letters.ts')).showDeadLetter(id, flags, context)),
    )

  withJournalOptions(letters.command('resend').description('put its event on the bus again, and delete the letter'))
    .argument('<id>', ID)
    .addHelpText('before', `Example:\n  ${INVOCATION} events dead-letters resend 2026-01-invoice-17\n`)
    .addHelpText('after', `\n${RESEND_HELP}`)
    .action(async (id: string, flags: ResendFlags) =>
      endWith(await (await import('./letters.ts')).resendDeadLetter(id, flags, context)),
    )

  const drop = withJournalOptions(letters.command('drop').description('delete a letter for good'))
    .argument('<id>', ID)
    .option('--because <text>', 'why it is not needed')
    .option('--by <name>', 'who decides (default: $USER)')
    .addHelpText(
      'before',
      `Example:\n  ${INVOCATION} events dead-letters drop 2026-01-invoice-17 --because 'asked for twice'\n`,
    )
    .addHelpText('after', `\n${DROP_HELP}`)
    .action(async (id: string, flags: DropFlags) =>
      endWith(await (await import('./letters.ts')).dropDeadLetter(id, flags, context)),
    )
  withConsentOptions(drop)
}

const CODES = 'Exit codes: 0 done, 1 unknown letter, it cannot be put again, or nothing serves, 2 wrong usage.'

const HELP = `The letters are those of a running serve, or with --aws those of AWS. Nothing in the queue has moved money. A letter is
kept for 14 days. Listing receives: for a moment, another command sees fewer letters. With --json: {"letters":
[{"letter", "id", "source", "detailType", "reason", "sentAt", "ageSeconds"}], "hasMore", "hidden"}; hidden counts those that
another command is reading.
${CODES}`

const SHOW_HELP = `It shows the fields that requests have, and names other fields without their values: an event may contain
anything.
${CODES}`

const RESEND_HELP = `The event is put unchanged, if the function would accept it. The letter is deleted only after the bus has the event.
A crash between the two leaves both, which is harmless: the same id moves once, however often it is put. An event that
another account put cannot be put from here: the same id would be another execution. A schedule's start is not an
event. docs/runbook.md says what to do with those.
${CODES}`

const DROP_HELP = `The letter's request is not carried out. Only the output of this command remains of it.
${CODES}`

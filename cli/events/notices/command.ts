// Defines `sluice events notices set` and `sluice events notices test`: options and help. A command's code is loaded when
// the command runs.

import { INVOCATION } from '../../terminal/command-line.ts'
import { type AddCommand, addNoun, withJournalOptions } from '../../terminal/commander.ts'
import type { SetNoticeFlags, TestNoticeFlags } from './set-notice.ts'

const NAME = 'the name of a notice in treasury.json'

export const addNotices: AddCommand = (events, context, endWith) => {
  const notices = addNoun(events, {
    name: 'notices',
    description: 'messages to people about events: their addresses, and a test',
    example: 'events notices test ops --aws',
    help: HELP,
  })

  withJournalOptions(notices.command('set').description('put the address of a webhook into its secret'))
    .argument('<name>', NAME)
    .option('--address <file>', 'the address, or {"url","signWith"} as JSON; - reads standard input')
    .addHelpText('before', `Example:\n  ${INVOCATION} events notices set ops --address slack.txt --aws\n`)
    .addHelpText('after', `\n${SET_HELP}`)
    .action(async (name: string, flags: SetNoticeFlags) =>
      endWith(await (await import('./set-notice.ts')).setNotice(name, flags, context)),
    )

  withJournalOptions(notices.command('test').description('send a test notice, and report the result'))
    .argument('<name>', NAME)
    .addHelpText('before', `Example:\n  ${INVOCATION} events notices test ops --aws\n`)
    .addHelpText('after', `\n${HELP}`)
    .action(async (name: string, flags: TestNoticeFlags) =>
      endWith(await (await import('./set-notice.ts')).testNotice(name, flags, context)),
    )
}

const CODES = 'Exit codes: 0 done, 1 the receiver did not accept it, or nothing serves, 2 wrong usage or configuration.'

const HELP = `docs/notices.md says what a notice contains. A test takes the way of a notice from the function on, and is sent once.
Without --aws it needs a running serve.
${CODES}`

const SET_HELP = `Whoever knows the address may post there. So it is read from a file, written to Secrets Manager only, and never shown.
With signWith, whsec_ and a key of 24 to 64 bytes in base64, each notice is signed. It counts from the next notice on.
${CODES}`

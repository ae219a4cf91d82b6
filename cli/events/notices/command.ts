// The definitions of `sluice events notices set` and `sluice events notices test`: their options and help. Their work
// is loaded when one runs.

import { INVOCATION } from '../../../operations/words/command-line.ts'
import { type AddCommand, addNoun } from '../../terminal/commander.ts'
import { withJournalOptions } from '../../terminal/options.ts'
import type { SetNoticeFlags } from './set-notice.ts'
import type { TestNoticeFlags } from './test-notice.ts'

const NAME = 'a notice of treasury.json, by its name'

export const addNotices: AddCommand = (events, context, endWith) => {
  const notices = addNoun(events, {
    name: 'notices',
    description: 'what people are told of what happens: where to, and a test of it',
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

  withJournalOptions(notices.command('test').description('send a test by it, and say what came of it'))
    .argument('<name>', NAME)
    .addHelpText('before', `Example:\n  ${INVOCATION} events notices test ops --aws\n`)
    .addHelpText('after', `\n${HELP}`)
    .action(async (name: string, flags: TestNoticeFlags) =>
      endWith(await (await import('./test-notice.ts')).testNotice(name, flags, context)),
    )
}

const CODES = 'Exit codes: 0 done, 1 it was not taken, or nobody serves, 2 wrong usage or configuration.'

const HELP = `docs/notices.md says what a notice tells. A test goes the way of a notice from the function on, and is sent once.
Without --aws it needs a running serve.
${CODES}`

const SET_HELP = `Whoever knows the address may post there: it is read from a file, written to Secrets Manager only, and never shown.
With signWith, whsec_ and a key of 24 to 64 bytes in base64, each notice is signed. It counts from the next notice on.
${CODES}`

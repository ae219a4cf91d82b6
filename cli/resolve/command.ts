// The definition of `sluice resolve`: its options and its help. The command's work is loaded when it runs.

import { INVOCATION } from '../../operations/words/command-line.ts'
import type { AddCommand } from '../terminal/commander.ts'
import { withConsentOptions, withJournalOptions } from '../terminal/options.ts'
import type { ResolveFlags } from './resolve.ts'

export const addResolve: AddCommand = (program, context, endWith) => {
  const command = program.command('resolve').description('record what a person found out about an intent in doubt')
  withJournalOptions(command)
    .argument('<intent>', 'the intent, as attention shows it')
    .option('--movement <id>', 'the withdrawal or order that is its movement')
    .option('--kind <kind>', 'convert or withdraw, where an intent of each has the id')
    .option('--none', 'nothing moved for it')
    .option('--same-account', 'on your word: the key in use and the key that signed are of one account')
    .option('--because <text>', 'what was seen, and where')
    .option('--by <name>', 'who decides (default: $USER); on AWS that is the identity of the credentials')
    .option('--keys <file>', 'key file for that service; - reads standard input [SLUICE_KEYS]')
    .addHelpText(
      'before',
      `Example:\n  ${INVOCATION} resolve wd-2b05f662 --movement ID --because 'seen on chain, tx 0x…'\n`,
    )
    .addHelpText('after', `\n${RESOLVE_HELP}`)
    .action(async (intent: string, flags: ResolveFlags) =>
      endWith(await (await import('./resolve.ts')).resolve(intent, flags, context)),
    )
  withConsentOptions(command)
}

const RESOLVE_HELP = `The evidence is examined first, and again before anything is written: the movement must exist, be like what was
asked for, and belong to no other intent; --none needs the time past which nothing can arrive, and no movement left
that may be it. What speaks against it is told, with exit 1. It sends nothing.
--same-account is for a key that was replaced where the old or the new one may not read its account (accounts:read):
evidence that the new one sees then counts on your word, which is recorded. It counts for no key that is known to be
of another account, or of the other environment.`

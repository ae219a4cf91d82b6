// The definition of `sluice release`: its options and its help. The command's work is loaded when it runs.

import { INVOCATION } from '../../operations/words/command-line.ts'
import type { AddCommand } from '../terminal/commander.ts'
import { withConsentOptions, withJournalOptions } from '../terminal/options.ts'
import type { ReleaseFlags } from './release.ts'

export const addRelease: AddCommand = (program, context, endWith) => {
  const command = program
    .command('release')
    .description("declare what runs of a policy left on their way to be others' business")
  withJournalOptions(command)
    .argument('<policy>', 'the policy, as attention shows it')
    .option('--because <text>', 'what was seen, and where')
    .option('--by <name>', 'who decides (default: $USER); on AWS that is the identity of the credentials')
    .addHelpText('before', `Example:\n  ${INVOCATION} release old-sweep --because 'sent by hand on Monday'\n`)
    .addHelpText('after', `\n${RELEASE_HELP}`)
    .action(async (policy: string, flags: ReleaseFlags) =>
      endWith(await (await import('./release.ts')).release(policy, flags, context)),
    )
  withConsentOptions(command)
}

const RELEASE_HELP = `No later run takes it up, and neither plans nor attention tell of it again. It sends nothing.`

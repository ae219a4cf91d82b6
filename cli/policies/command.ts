// The definition of `sluice policies`: its options and its help. The command's work is loaded when it runs.

import { INVOCATION } from '../../operations/words/command-line.ts'
import type { AddCommand } from '../terminal/commander.ts'
import { withListOptions } from '../terminal/listing.ts'
import { withJournalOptions } from '../terminal/options.ts'
import type { PoliciesFlags } from './policies.ts'

export const addPolicies: AddCommand = (program, context, endWith) => {
  withListOptions(
    withJournalOptions(
      program
        .command('policies')
        .summary('list the policies, with what became of them')
        .description('list the policies of treasury.json, with what became of them'),
    ),
  )
    .addHelpText('before', `Example:\n  ${INVOCATION} policies\n`)
    .action(async (flags: PoliciesFlags) => endWith(await (await import('./policies.ts')).showPolicies(flags, context)))
}

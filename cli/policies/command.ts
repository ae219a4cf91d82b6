// Defines `sluice policies`: options and help. Its code is loaded when it runs.

import { INVOCATION } from '../terminal/command-line.ts'
import type { AddCommand } from '../terminal/commander.ts'
import { withJournalOptions } from '../terminal/commander.ts'
import { withListOptions } from '../terminal/listing.ts'
import type { PoliciesFlags } from './policies.ts'

export const addPolicies: AddCommand = (program, context, endWith) => {
  withListOptions(
    withJournalOptions(
      program
        .command('policies')
        .summary('list the policies, with their last results')
        .description('list the policies of treasury.json, with their last results'),
    ),
  )
    .addHelpText('before', `Example:\n  ${INVOCATION} policies\n`)
    .action(async (flags: PoliciesFlags) => endWith(await (await import('./policies.ts')).showPolicies(flags, context)))
}

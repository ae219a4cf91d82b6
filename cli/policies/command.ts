// The definition of `sluice policies`: its options and its help. The command's work is loaded when it runs.
import { withJournalOptions } from '../target/options.ts'
import { INVOCATION, type TargetFlags } from '../terminal/command-line.ts'
import type { AddCommand } from '../terminal/commander.ts'

export const addPolicies: AddCommand = (program, context, endWith) => {
  withJournalOptions(
    program.command('policies').description('list the policies of treasury.json, with what became of them'),
  )
    .addHelpText('before', `Example:\n  ${INVOCATION} policies\n`)
    .action(async (flags: TargetFlags) => endWith(await (await import('./policies.ts')).showPolicies(flags, context)))
}

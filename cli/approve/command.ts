// Defines `sluice approve` and `sluice reject`: options and help. A command's code is loaded when the command runs.

import { INVOCATION } from '../terminal/command-line.ts'
import { type AddCommand, withConsentOptions, withJournalOptions } from '../terminal/commander.ts'
import { withWideOption } from '../terminal/listing.ts'
import type { DecideFlags } from './approve.ts'

const DESCRIPTIONS = {
  approve: 'approve the plan that a run waits with, or the terms of one movement, and let it continue',
  reject: 'reject the plan that a run waits with, or the terms of one movement, for good',
} as const

const SUMMARIES = {
  approve: 'approve what waits: the plan of a run, or a movement',
  reject: 'reject what waits, for good',
} as const

export const addApproveAndReject: AddCommand = (program, context, endWith) => {
  for (const name of ['approve', 'reject'] as const) {
    const command = program.command(name).summary(SUMMARIES[name]).description(DESCRIPTIONS[name])
    withJournalOptions(command)
      .argument('<run>', 'the run, as runs list shows it, or the intent of a movement, as cases list shows it')
      .option('--because <text>', 'why')
      .option('--by <name>', 'who decides (default: $USER); on AWS that is the identity of the credentials')
      .option('--plan-hash <hash>', 'decide on exactly this plan: another plan is refused')
      .option('--terms-hash <hash>', 'of a movement: decide on exactly these terms')
      .option('--keys <file>', 'key file for that service; - reads standard input [SLUICE_KEYS]')
      .addHelpText('before', `Example:\n  ${INVOCATION} ${name} RUN --because 'month end, as agreed'\n`)
      .addHelpText('after', name === 'approve' ? APPROVE_HELP : '')
      .action(async (runId: string, flags: DecideFlags) =>
        endWith(await (await import('./approve.ts'))[name](runId, flags, context)),
      )
    withWideOption(withConsentOptions(command))
  }
}

const APPROVE_HELP = `
The plan and its hash are shown before it asks for consent, if the plan still holds. Otherwise it says what has changed
and records nothing (with --aws, the run itself checks). An approval is void when its time
is over, or the policy, a guard, a payee, a price beyond the bound or a balance has changed before the run continues: then
nothing moves (docs/policies.md, "What voids an approval"). With a state directory the run continues at once, to its end,
and its report is printed; with --aws it is entered again there. Exit codes: those of the run. A movement that waits by guards.approval checks again by itself: 0 once it
is decided, 4 while another person must approve it.`

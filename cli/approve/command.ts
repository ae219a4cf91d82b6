// The definitions of `sluice approve` and `sluice reject`: their options and help. Their work is loaded when one runs.

import { INVOCATION } from '../../operations/words/command-line.ts'
import type { AddCommand } from '../terminal/commander.ts'
import { withConsentOptions, withJournalOptions } from '../terminal/options.ts'
import type { DecideFlags } from './approve.ts'

const DESCRIPTIONS = {
  approve: 'approve the plan that a run waits with, or the terms of one movement, and let it go on',
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
      .option('--plan-hash <hash>', 'decide on this very plan: another one is not taken')
      .option('--terms-hash <hash>', 'of a movement: decide on these very terms')
      .option('--keys <file>', 'key file for that service; - reads standard input [SLUICE_KEYS]')
      .addHelpText('before', `Example:\n  ${INVOCATION} ${name} RUN --because 'month end, as agreed'\n`)
      .addHelpText('after', name === 'approve' ? APPROVE_HELP : '')
      .action(async (runId: string, flags: DecideFlags) =>
        endWith(await (await import('./approve.ts'))[name](runId, flags, context)),
      )
    withConsentOptions(command)
  }
}

const APPROVE_HELP = `
The plan and its hash are shown before it asks for consent, if the plan still holds; else it says what has changed and
records nothing (with --aws, the run itself looks). An approval is void when it comes too late, or when the
plan's hash, a price beyond the policy's bound or a balance has changed by the time the run goes on: nothing moves
then. With a state directory the run goes on at once, to its end, and its report is printed; with --aws it is entered
again there. Exit codes: those of the run. A movement that waits by guards.approval looks again by itself: 0 once it
is decided, 4 while another person must approve it.`

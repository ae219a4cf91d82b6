// Defines `sluice approve` and `sluice reject`. A command's code is loaded when the command runs.

import { type AddCommand, command } from '../terminal/commander.ts'
import { CONSENT, DECISION, JOURNAL, KEYS, WIDE } from '../terminal/options.ts'

const DESCRIPTIONS = {
  approve: 'approve the plan that a run waits with, or the terms of one movement, and let it continue',
  reject: 'reject the plan that a run waits with, or the terms of one movement, for good',
} as const

const SUMMARIES = {
  approve: 'approve what waits: the plan of a run, or a movement',
  reject: 'reject what waits, for good',
} as const

export const addApproveAndReject: AddCommand = (...given) => {
  for (const name of ['approve', 'reject'] as const) {
    command({
      name,
      summary: SUMMARIES[name],
      what: DESCRIPTIONS[name],
      operands: [['<run>', 'the run, as runs list shows it, or the intent of a movement, as cases list shows it']],
      options: [
        ...JOURNAL,
        ['--because <text>', 'why'],
        ...DECISION.slice(1),
        ['--plan-hash <hash>', 'decide on exactly this plan: another plan is refused'],
        ['--terms-hash <hash>', 'of a movement: decide on exactly these terms'],
        KEYS,
        ...CONSENT,
        ...WIDE,
      ],
      example: `${name} RUN --because 'month end, as agreed'`,
      ...(name === 'approve' && { help: APPROVE_HELP }),
      load: async () => (await import('./approve.ts')).decideAs(name),
    })(...given)
  }
}

const APPROVE_HELP = `The plan and its hash are shown before it asks for consent, if the plan still holds. Otherwise it says what has changed
and records nothing (with --aws, the run itself checks). An approval is void when its time
is over, or the policy, a guard, a payee, a price beyond the bound or a balance has changed before the run continues: then
nothing moves (docs/policies.md, "What voids an approval"). With a state directory the run continues at once, to its end,
and its report is printed; with --aws it is entered again there. Exit codes: those of the run. A movement that waits by guards.approval checks again by itself: 0 once it
is decided, 4 while another person must approve it.`

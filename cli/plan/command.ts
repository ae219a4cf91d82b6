// Defines `sluice plan`. Its code is loaded when it runs.

import { command } from '../terminal/commander.ts'
import { SERVICE, WIDE } from '../terminal/options.ts'

export const addPlan = command({
  name: 'plan',
  what: 'print what a policy would do now, and do nothing',
  operands: [['<policy>', 'its name in treasury.json']],
  options: [...SERVICE, ...WIDE, ['--aws', "what the deployed policy would do, by the AWS SDK's own configuration"]],
  example: 'plan month-end',
  help: `Prints positions before and after, drift, each leg with its indicative rate, spread cost and fee, why, why not the
rest, and what the guards say; with --json the plan as one JSON object. Exit codes:
  0    there is a plan
  1    there is no plan: a guard or a halt forbids it, or it could not be made
  2    wrong usage, configuration or keys`,
  load: async () => (await import('./plan.ts')).showPlan,
})

// Defines `sluice plan`: options and help. Its code is loaded when it runs.

import { INVOCATION } from '../terminal/command-line.ts'
import type { AddCommand } from '../terminal/commander.ts'
import { withServiceOptions } from '../terminal/commander.ts'
import { withWideOption } from '../terminal/listing.ts'
import type { PlanFlags } from './plan.ts'

export const addPlan: AddCommand = (program, context, endWith) => {
  withWideOption(
    withServiceOptions(program.command('plan').description('print what a policy would do now, and do nothing')),
  )
    .argument('<policy>', 'its name in treasury.json')
    .option('--aws', "what the deployed policy would do, by the AWS SDK's own configuration")
    .addHelpText('before', `Example:\n  ${INVOCATION} plan month-end\n`)
    .addHelpText('after', PLAN_HELP)
    .action(async (policy: string, flags: PlanFlags) =>
      endWith(await (await import('./plan.ts')).showPlan(policy, flags, context)),
    )
}

const PLAN_HELP = `
Prints positions before and after, drift, each leg with its indicative rate, spread cost and fee, why, why not the
rest, and what the guards say; with --json the plan as one JSON object. Exit codes:
  0    there is a plan
  1    there is no plan: a guard or a halt forbids it, or it could not be made
  2    wrong usage, configuration or keys`

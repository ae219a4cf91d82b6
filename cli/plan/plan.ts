// `sluice plan`: prints what a policy would do now. The operation asks the state machine that moves money to move
// nothing.

import { ExitCode } from '../../operations/exit-code.ts'
import { planPolicy } from '../../operations/runs/plan-policy.ts'
import { type ConnectionFlags, commandIn, commandWith } from '../../operations/words/command-line.ts'
import { viewOfPlan } from '../../views/runs/planned.ts'
import { policyRunWords } from '../../views/runs/policy-run-words.ts'
import type { CommandContext } from '../terminal/context.ts'
import type { WideFlag } from '../terminal/listing.ts'
import { printTold } from '../terminal/print-told.ts'
import { createProgress } from '../terminal/progress.ts'

export interface PlanFlags extends ConnectionFlags, WideFlag {}

/** @throws OperationError where there is no plan. */
export async function showPlan(name: string, flags: PlanFlags, context: CommandContext): Promise<ExitCode> {
  const progress = createProgress(context.output, context.clock)
  const telling = { progress, watch: policyRunWords.watch }
  const planned = await planPolicy(name, flags, telling, context).finally(() => progress.end())
  printTold(viewOfPlan(planned), context, flags)
  context.output.next([
    `${commandWith(`run ${planned.verb} ${name} --id ID`, flags)}   # carries it out`,
    `${commandIn(`runs report ${planned.runId}`, flags)}   # this plan as a page`,
  ])
  return ExitCode.Done
}

// `sluice plan`: prints what a policy would do now. The state machine that moves money makes the plan, and moves nothing.

import { planPolicy } from '../../operations/plan/plan-policy.ts'
import { ExitCode } from '../../place/exit-code.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { viewOfPlan } from '../../views/runs/planned.ts'
import { policyRunWords } from '../../views/runs/policy-run-words.ts'
import type { CommandContext } from '../terminal/context.ts'
import type { WideFlag } from '../terminal/listing.ts'
import { printView } from '../terminal/print-result-view.ts'
import { createProgress } from '../terminal/progress.ts'

/** @throws OperationError where no plan was made. */
export async function showPlan(
  name: string,
  flags: ConnectionFlags & WideFlag,
  context: CommandContext,
): Promise<ExitCode> {
  const progress = createProgress(context.output, context.clock)
  const reporting = { progress, watch: policyRunWords.watch }
  const planned = await planPolicy(name, flags, reporting, context).finally(() => progress.end())
  printView(viewOfPlan(planned), context, flags)
  const effect = planned.isShadow ? 'plans again and moves nothing, as its mode is shadow' : 'carries it out'
  context.output.next([
    { do: 'run', verb: planned.verb, policy: name, why: effect },
    { do: 'report-run', id: planned.runId, why: 'this plan as a page' },
  ])
  return ExitCode.Done
}

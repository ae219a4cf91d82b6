// Shows the result of planning a policy. The plan is not executed. Pure.

import type { Plan } from '../../core/contract/plan.ts'
import { counted } from '../../core/printable.ts'
import type { PlannedPolicy } from '../../operations/plan/plan-policy.ts'
import type { ResultView } from '../result-view.ts'
import { readable } from './figures.ts'
import { planLines } from './report-text.ts'

export function viewOfPlan({ plan, outcome, why }: PlannedPolicy): ResultView {
  const moves = wouldMoveText(plan)
  return {
    facts: plan,
    lines: (width) => planLines(plan, width),
    says: `nothing was sent; ${moves}`,
    notes: [`${outcome}  ${why}: ${moves}`],
  }
}

/** Such as `the plan would move 11319.2 USD in 3 legs`. */
function wouldMoveText({ legs, turnover, valuationAsset }: Plan): string {
  if (legs.length === 0) return 'the plan has nothing to move'
  return `the plan would move ${readable(turnover, 'cents')} ${valuationAsset} in ${counted(legs.length, 'leg')}`
}

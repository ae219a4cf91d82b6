// Shows the result of planning a policy. The plan is not executed. Pure.

import type { PlannedPolicy } from '../../operations/runs/plan-policy.ts'
import type { ResultView } from '../result-view.ts'
import { planLines } from './report-text.ts'

export function viewOfPlan({ plan, outcome, why }: PlannedPolicy): ResultView {
  return { facts: plan, lines: (width) => planLines(plan, width), notes: [`${outcome}  ${why}`] }
}

// Tells of a plan that was made and not carried out. Pure.

import type { PlannedPolicy } from '../../operations/runs/plan-policy.ts'
import type { Told } from '../told.ts'
import { planLines } from './report-text.ts'

export function toldOfPlan({ plan, outcome, why }: PlannedPolicy): Told {
  return { facts: plan, lines: (width) => planLines(plan, width), notes: [`${outcome}  ${why}`] }
}

// Says what the plan of a run moves, for the log of people. Pure.
import type { RunRecord } from '../../core/runs/record/run-record.ts'

/** Such as `turnover 11319.25 USD`. Null for a run without a plan. */
export function turnoverText({ plan }: Pick<RunRecord, 'plan'>): string | null {
  return plan === undefined ? null : `turnover ${plan.turnover} ${plan.valuationAsset}`
}

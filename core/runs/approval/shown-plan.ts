// What people are shown of a plan that waits for them, held against what they approve. The record of a run may have been
// changed, so the hash that they approve is made from the plan beside it, and never read from the record. Pure.
import { hashPlan } from '../../planning/plan-hash.ts'
import { hashPolicy } from '../record/request.ts'
import type { RunRecord } from '../record/run-record.ts'

/** The hash of the plan as the record has it now; undefined where nobody was asked, or there is nothing to hash. */
export function recordedPlanHash({ approval, plan, asPlanned, guardsHash }: RunRecord): string | undefined {
  if (approval === undefined || plan === undefined || guardsHash === undefined) return undefined
  return hashPlan(plan, { policyHash: hashPolicy(asPlanned), guardsHash })
}

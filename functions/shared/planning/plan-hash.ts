// What an approval rests on: the hash of what a plan would move. Reasons, figures for people and the moment
// are left out, so that telling the same plan otherwise does not void it.
import type { Plan } from '../../contract/plan.ts'
import { hashParams } from '../journal/journal.ts'

/** SHA-256, hex, over the policy's name and each leg's key, phase and request, in the order of phase and key. */
export function hashPlan(plan: Pick<Plan, 'policy' | 'kind' | 'legs'>): string {
  const legs = plan.legs
    .map(({ key, phase, kind, request }) => ({ key, phase, kind, request }))
    .sort((left, right) => left.phase - right.phase || (left.key < right.key ? -1 : 1))
  return hashParams({ policy: plan.policy, kind: plan.kind, legs })
}

// What an approval covers: the hash of what a plan would move, and of all that bounds it. Reasons, figures for people
// and the moment are left out, so that telling the same plan otherwise does not void it.
import type { Guards } from '../contract/guards.ts'
import type { Plan } from '../contract/plan.ts'
import { hashParams } from '../params-hash.ts'

/** What the legs go under. */
export interface Covered {
  /** With the policy's own guards. */
  readonly policyHash: string
  /** Those of everything, and in what values are told. */
  readonly guards: Guards
}

/**
 * SHA-256, hex, over the policy and its name, the guards of everything, in what values are told, and each leg's key,
 * phase and request, in the order of phase and key.
 */
export function hashPlan(
  plan: Pick<Plan, 'policy' | 'kind' | 'valuationAsset' | 'legs'>,
  { policyHash, guards }: Covered,
): string {
  const { policy, kind, valuationAsset } = plan
  const legs = plan.legs
    .map(({ key, phase, kind, request }) => ({ key, phase, kind, request }))
    .sort((left, right) => left.phase - right.phase || (left.key < right.key ? -1 : 1))
  return hashParams({ policy, policyHash, kind, valuationAsset, guards, legs })
}

// Release: a person writes off, on AWS, what runs of a policy left in hubs. From then on no run moves these balances.
// Records this under the identity that signed. Sends nothing.
import type { Clock } from '../../core/clock.ts'
import type { AsksAnswer, ReleaseAnswer, ReleaseRequest } from '../../core/contract/people.ts'
import { questionHash } from '../../core/journal/persons-question.ts'
import type { PolicyRecords } from '../../core/runs/record/policy-record.ts'
import { findReleasable } from '../../core/runs/release.ts'

export interface ReleasePorts {
  readonly policyRecords: PolicyRecords
  readonly clock: Pick<Clock, 'nowMs'>
}

/**
 * @throws Refused when nothing was left.
 * @throws Transient, Defect
 */
export async function release(
  { agreed, because, policy }: ReleaseRequest,
  by: string,
  { clock, policyRecords }: ReleasePorts,
): Promise<ReleaseAnswer | AsksAnswer> {
  const { carryOut, question } = await findReleasable(policy, policyRecords)
  if (agreed !== questionHash(question)) return { outcome: 'ASKS', question }
  const { residues, ...declaration } = await carryOut({ by, because, at: new Date(clock.nowMs()).toISOString() })
  return { outcome: 'RELEASED', released: { ...declaration, residues: { ...residues } } }
}

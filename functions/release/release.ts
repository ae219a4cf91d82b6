// Release: a person writes off, on AWS, what runs of a policy left in hubs. From then on no run moves these balances.
// Records this under the identity that signed. Sends nothing.
import type { AsksAnswer, ReleaseAnswer, ReleaseRequest } from '../../core/contract/people.ts'
import type { Speaker } from '../../core/journal/accepted-requests.ts'
import { questionHash } from '../../core/journal/persons-question.ts'
import type { PolicyRecords } from '../../core/runs/record/policy-record.ts'
import { findReleasable } from '../../core/runs/release.ts'

interface ReleasePorts {
  readonly policyRecords: PolicyRecords
}

/**
 * @throws Refused when nothing was left.
 * @throws Transient, Defect
 */
export async function release(
  { agreed, because, policy }: ReleaseRequest,
  speaker: Speaker,
  { policyRecords }: ReleasePorts,
): Promise<ReleaseAnswer | AsksAnswer> {
  const { carryOut, question } = await findReleasable(policy, policyRecords)
  if (agreed !== questionHash(question)) return { outcome: 'ASKS', question }
  const { residues, ...declaration } = await carryOut({ ...speaker, because })
  return { outcome: 'RELEASED', released: { ...declaration, residues: { ...residues } } }
}

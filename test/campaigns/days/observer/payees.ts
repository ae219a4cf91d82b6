// Every withdrawn asset went to an allowed contact of its policy, unchanged since the withdrawal was planned.
import { type Policy, PolicyKind } from '../../../../core/contract/policies.ts'
import type { Deed } from '../hands.ts'
import { nameOf, type Send } from './sends.ts'

export function judgePayees(sends: readonly Send[], deeds: readonly Deed[]): string[] {
  return sends.flatMap((send) => {
    const { movement, policies, guards, planned, atMs } = send
    if (movement.kind !== 'withdrawal') return []
    const { contactId = '' } = movement
    const found: string[] = []
    if (!policies.some((policy) => isPayee(contactId, policy))) {
      found.push(`payee: ${nameOf(send)} went to ${contactId}, which is no contact of the policy`)
    }
    if (guards.allowedContacts?.includes(contactId) === false) {
      found.push(`payee: ${nameOf(send)} went to ${contactId}, which guards.allowedContacts does not list`)
    }
    const edits = deeds.filter(({ path }) => path === `/contacts/${contactId}`)
    if (edits.some((edit) => edit.atMs >= planned.toMs && edit.atMs < atMs)) {
      found.push(`payee: ${nameOf(send)} went to ${contactId}, which was changed after the plan and before the send`)
    }
    return found
  })
}

/** The payees of payouts are in their files (payouts.ts). */
function isPayee(contactId: string, policy: Policy): boolean {
  switch (policy.kind) {
    case PolicyKind.Payouts:
      return true
    case PolicyKind.Sweep:
      return policy.rules.some((rule) => rule.contactId === contactId)
    case PolicyKind.ConvertAndWithdraw:
      return policy.contactId === contactId
    case PolicyKind.Rebalance:
    case PolicyKind.Fund:
    case PolicyKind.ConvertOnArrival:
      return false
  }
}

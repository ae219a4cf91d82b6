// Finds rules of treasury.json that cannot hold at a desk, where nobody verifies identities: rules that count or choose
// people. On AWS, STS verifies the caller. With real money a desk accepts such a rule only if the file gives a reason.
import type { Policy } from '../contract/policies.ts'
import { Stage } from '../contract/service-settings.ts'
import type { Treasury } from '../contract/treasury.ts'
import { fault, type Path, type PolicyFault } from '../policies/policy-fault.ts'

type ApproverRule = Partial<Readonly<Record<'twoAbove' | 'approvers' | 'requesterMayApprove', unknown>>>

/**
 * Empty for the stage `test`, and where `waives.verifiedPeople` gives a reason. `brought`: a policy inside a request.
 * Pure.
 */
export function findDeskFaults(
  { guards, policies, resumedBy, service, waives }: Treasury,
  brought?: Policy,
): readonly PolicyFault[] {
  if (service.stage !== Stage.Live || waives.verifiedPeople !== undefined) return []
  return [
    ...(resumedBy === undefined ? [] : [peopleFault(['resumedBy'])]),
    ...approverFaults(guards.approval, ['guards', 'approval']),
    ...Object.entries(policies).flatMap(([name, policy]) => policyFaults(policy, ['policies', name])),
    ...(brought === undefined ? [] : policyFaults(brought, ['policy'])),
  ]
}

function policyFaults({ approval, guards }: Policy, path: Path): PolicyFault[] {
  return [
    ...approverFaults(approval, [...path, 'approval']),
    ...approverFaults(guards.approval, [...path, 'guards', 'approval']),
  ]
}

function approverFaults(rule: ApproverRule | undefined, path: Path): PolicyFault[] {
  const { approvers, requesterMayApprove, twoAbove } = rule ?? {}
  const named = { twoAbove, approvers, ...(requesterMayApprove === false && { requesterMayApprove }) }
  return Object.entries(named).flatMap(([field, value]) => (value === undefined ? [] : [peopleFault([...path, field])]))
}

function peopleFault(path: Path): PolicyFault {
  return fault(
    path,
    'expected none at a desk, as the stage is live and nobody verifies identities there; use AWS, or give the reason in waives.verifiedPeople',
  )
}

// Which rules of treasury.json cannot hold at a desk, where a person is whoever they say they are: those that count or
// choose people. On AWS, STS knows who speaks. With real money a desk takes such a rule only where the file says why.
import type { Policy } from '../contract/policies.ts'
import { Stage, type Treasury } from '../contract/treasury.ts'
import { fault, type Path, type PolicyFault } from '../policies/policy-fault.ts'

type ApproverRule = Partial<Readonly<Record<'twoAbove' | 'approvers' | 'requesterMayApprove', unknown>>>

/** Nothing for the stage `test`, and where `waives.verifiedPeople` says why. `brought`: a policy that a request brings. Pure. */
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
    'expected none at a desk, as the stage is live and nobody checks who speaks there; on AWS it holds; or say why in waives.verifiedPeople',
  )
}

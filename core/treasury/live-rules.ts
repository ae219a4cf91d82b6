// Checks the precautions that the stage `live` must have or waive: a key for each role, allowed contacts, a daily bound
// on value, and a rule for who may resume. A person decides, and the file keeps the reason. A rule that counts people
// must name them, because otherwise anybody who may invoke Decide counts. At a desk nobody verifies identities, so it
// accepts a rule that counts or chooses people only if the file gives a reason.
import type { ApprovalRule, Policy } from '../contract/policies.ts'
import { KeyRole, Stage } from '../contract/service-settings.ts'
import { keySecretsOf, type Treasury } from '../contract/treasury.ts'
import { fault, type Path, type PolicyFault } from '../policies/policy-fault.ts'

/** Every fault of a live treasury; empty for the stage `test`. */
export function findLiveFaults({ guards, policies, resumedBy, service, waives }: Treasury): readonly PolicyFault[] {
  if (service.stage !== Stage.Live) return []
  const hasSplitKeys = keySecretsOf(service).length === Object.keys(KeyRole).length
  const missing = (waived: keyof Treasury['waives'], path: readonly string[], expected: string, has: boolean) =>
    has || waives[waived] !== undefined
      ? []
      : [fault(path, `expected ${expected}, as the stage is live; or say why not in waives.${waived}`)]
  return [
    ...missing('splitKeys', ['service', 'keys'], 'a secret of its own for read, trade and transfer', hasSplitKeys),
    ...missing(
      'allowedContacts',
      ['guards', 'allowedContacts'],
      'the contacts that withdrawals may go to ([] for none)',
      guards.allowedContacts !== undefined,
    ),
    ...missing(
      'dailyBounds',
      ['guards', 'total', 'daily'],
      'the most value that may move in a day',
      guards.total?.daily !== undefined,
    ),
    ...missing(
      'resumedBy',
      ['resumedBy'],
      'another-role or two-people: who may resume after a halt',
      resumedBy !== undefined,
    ),
    ...unnamedApprovers(guards.approval, ['guards', 'approval']),
    ...Object.entries(policies).flatMap(([name, policy]) => [
      ...unnamedApprovers(policy.approval, ['policies', name, 'approval']),
      ...unnamedApprovers(policy.guards.approval, ['policies', name, 'guards', 'approval']),
    ]),
  ]
}

function unnamedApprovers(
  rule: Partial<Pick<ApprovalRule, 'approvers' | 'requesterMayApprove' | 'twoAbove'>> | undefined,
  path: readonly string[],
): readonly PolicyFault[] {
  const { approvers, requesterMayApprove, twoAbove } = rule ?? {}
  const counting =
    twoAbove !== undefined ? 'twoAbove' : requesterMayApprove === false ? 'requesterMayApprove' : undefined
  if (counting === undefined || approvers !== undefined) return []
  return [
    fault(
      [...path, 'approvers'],
      `expected the people who may approve, as the stage is live and ${counting} counts them`,
    ),
  ]
}

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

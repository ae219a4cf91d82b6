// Finds faults across the fields of a policy, and across policies: rules that a schema cannot express. It needs no
// service: `sluice setup doctor` checks that an asset, a market or a contact exists. It decides nothing about a run.

import { sameCode } from '../contract/fields.ts'
import type { Bound, Guards, PolicyGuards } from '../contract/guards.ts'
import type { Policy } from '../contract/policies.ts'
import type { Treasury } from '../contract/treasury.ts'
import { contactIdsOf, kindOf, takesRows } from '../policies/kinds.ts'
import { fault, type Path, type PolicyFault, unitsOf } from '../policies/policy-fault.ts'
import { conflictFaults } from './policy-conflicts.ts'
import { filesFaults } from './policy-files.ts'
import { quietHoursFaults, scheduleFaults } from './schedule-rules.ts'

export type { PolicyFault } from '../policies/policy-fault.ts'

/**
 * Every fault, in the order of the file. To check a policy that comes with a run, add it under its name to the
 * treasury's policies, because it may conflict with them.
 */
export function findPolicyFaults({ guards, policies }: Pick<Treasury, 'guards' | 'policies'>): readonly PolicyFault[] {
  const single = Object.entries(policies).flatMap(([name, policy]) => policyFaults(['policies', name], policy, guards))
  const hours = quietHoursFaults(guards.quietHours ?? [], ['guards', 'quietHours'])
  return [
    ...hours,
    ...approvalFaults(guards, ['guards']),
    ...single,
    ...nameFaults(policies),
    ...filesFaults(policies),
    ...conflictFaults(policies, guards),
  ]
}

function policyFaults(path: Path, policy: Policy, guards: Guards): PolicyFault[] {
  const { schedule, guards: own } = policy
  return [
    ...(schedule === undefined ? [] : scheduleFaults(schedule, [...path, 'schedule'])),
    ...quietHoursFaults(own.quietHours ?? [], [...path, 'guards', 'quietHours']),
    ...approvalFaults(own, [...path, 'guards']),
    ...kindOf(policy).faults(path, policy, guards),
    ...keepFaults(path, policy),
    ...boundFaults(path, policy, guards),
  ]
}

/** A renamed policy takes over the memory of a removed policy. It must not take the memory of an existing policy. */
function nameFaults(policies: Treasury['policies']): PolicyFault[] {
  const claimed = new Set<string>()
  return Object.entries(policies).flatMap(([name, { was }]) => {
    if (was === undefined) return []
    const path = ['policies', name, 'was']
    const expected = 'expected the name that this policy had before'
    if (Object.hasOwn(policies, was))
      return [fault(path, `${expected}; got ${was}, which the file still has: remove it`)]
    const isOthers = claimed.size === claimed.add(was).size
    return isOthers
      ? [fault(path, `${expected}; got ${was}, which another policy names too: only one of them can have had it`)]
      : []
  })
}

/** A rule without a figure would apply to no movement. */
function approvalFaults({ approval }: PolicyGuards, path: Path): PolicyFault[] {
  if (approval === undefined) return []
  const { above, assets = {}, contacts = {} } = approval
  if (above !== undefined || Object.keys(assets).length + Object.keys(contacts).length > 0) return []
  return [fault([...path, 'approval'], 'expected above, assets or contacts: what waits for a person; got none of them')]
}

/** With a trigger below its target, the policy would move less than nothing. */
function keepFaults(path: Path, policy: Policy): PolicyFault[] {
  const keeps = kindOf(policy).keeps(path, policy)
  return keeps.flatMap(({ at, keep: { target, trigger } }) =>
    trigger === undefined || unitsOf(trigger) >= unitsOf(target)
      ? []
      : [fault([...at, 'keep', 'trigger'], `expected at least the target, ${target}; got ${trigger}`)],
  )
}

/** Bounds that match nothing: a misspelled name would leave its asset or contact unguarded. */
function boundFaults(path: Path, policy: Policy, everywhere: Guards): PolicyFault[] {
  const { guards } = policy
  const hubs = policy.hubs ?? [policy.valuationAsset ?? everywhere.valuationAsset]
  const given = kindOf(policy).givesUp(policy, hubs)
  const contacts = takesRows(policy) ? undefined : contactIdsOf(policy)
  return [
    ...unknownBounds(guards, 'assets', (code) => given === 'any' || given.some((asset) => sameCode(asset, code))).map(
      (code) =>
        fault([...path, 'guards', 'assets', code], 'expected an asset that this policy spends; correct or remove it'),
    ),
    ...unknownBounds(guards, 'contacts', (id) => contacts?.includes(id) ?? true).map((id) =>
      fault([...path, 'guards', 'contacts', id], 'expected a contact that this policy sends to; correct or remove it'),
    ),
  ]
}

function unknownBounds(guards: PolicyGuards, part: 'assets' | 'contacts', isKnown: (name: string) => boolean) {
  const bounds: Readonly<Record<string, Bound>> = guards[part] ?? {}
  return Object.keys(bounds).filter((name) => !isKnown(name))
}

// What is wrong across the fields of a policy, and across policies: the rules that no schema can hold. Needs no service:
// `sluice doctor` asks whether an asset, a market or a contact exists. Decides nothing about a run.

import { sameCode } from '../contract/fields.ts'
import type { Bound, Guards, PolicyGuards } from '../contract/guards.ts'
import {
  isWithdrawing,
  type Keep,
  type Policy,
  PolicyKind,
  type SweepRule,
  type WithdrawingPolicy,
} from '../contract/policies.ts'
import type { Treasury } from '../contract/treasury.ts'
import { convertingFaults, hubsOf, targetsOf } from './converting-rules.ts'
import { conflictFaults } from './policy-conflicts.ts'
import { fault, type Path, type PolicyFault, unitsOf } from './policy-fault.ts'
import { quietHoursFaults, scheduleFaults } from './schedule-rules.ts'
import { withdrawingFaults } from './withdrawing-rules.ts'

export type { PolicyFault } from './policy-fault.ts'

/**
 * Everything that is wrong, in the order of the file. For a policy that comes with a run, put it among the
 * treasury's own under its name: it may stand against one of them.
 */
export function findPolicyFaults({ guards, policies }: Pick<Treasury, 'guards' | 'policies'>): readonly PolicyFault[] {
  const single = Object.entries(policies).flatMap(([name, policy]) => policyFaults(['policies', name], policy, guards))
  const hours = quietHoursFaults(guards.quietHours ?? [], ['guards', 'quietHours'])
  return [
    ...hours,
    ...approvalFaults(guards, ['guards']),
    ...single,
    ...nameFaults(policies),
    ...conflictFaults(policies, guards),
  ]
}

function policyFaults(path: Path, policy: Policy, guards: Guards): PolicyFault[] {
  const { schedule, guards: own } = policy
  return [
    ...(schedule === undefined ? [] : scheduleFaults(schedule, [...path, 'schedule'])),
    ...quietHoursFaults(own.quietHours ?? [], [...path, 'guards', 'quietHours']),
    ...approvalFaults(own, [...path, 'guards']),
    ...(isWithdrawing(policy) ? withdrawingFaults(path, policy, guards) : convertingFaults(path, policy, guards)),
    ...keepFaults(path, policy),
    ...boundFaults(path, policy, guards),
  ]
}

/** A policy takes over what one that is gone remembers: from one that is there it would take it away. */
function nameFaults(policies: Treasury['policies']): PolicyFault[] {
  const claimed = new Set<string>()
  return Object.entries(policies).flatMap(([name, { was }]) => {
    if (was === undefined) return []
    const path = ['policies', name, 'was']
    const expected = 'expected the name that this policy had before'
    if (Object.hasOwn(policies, was))
      return [fault(path, `${expected}; got ${was}, which the file still has: remove it`)]
    const isOthers = claimed.size === claimed.add(was).size
    return isOthers ? [fault(path, `${expected}; got ${was}, which another policy was: one of the two can be`)] : []
  })
}

/** A trigger below its target: what it lets go would be less than nothing. */
/** A rule without a figure would ask nobody. */
function approvalFaults({ approval }: Pick<PolicyGuards, 'approval'>, path: Path): PolicyFault[] {
  if (approval === undefined) return []
  const { above, assets = {}, contacts = {} } = approval
  if (above !== undefined || Object.keys(assets).length + Object.keys(contacts).length > 0) return []
  return [fault([...path, 'approval'], 'expected above, assets or contacts: what waits for a person; got none of them')]
}

function keepFaults(path: Path, policy: Policy): PolicyFault[] {
  const keeps: { readonly at: Path; readonly keep: Keep }[] =
    policy.kind === PolicyKind.Sweep
      ? policy.rules.map(({ keep }, index) => ({ at: [...path, 'rules', index], keep }))
      : 'keep' in policy
        ? [{ at: path, keep: policy.keep }]
        : []
  return keeps.flatMap(({ at, keep: { target, trigger } }) =>
    trigger === undefined || unitsOf(trigger) >= unitsOf(target)
      ? []
      : [fault([...at, 'keep', 'trigger'], `expected at least the target, ${target}; got ${trigger}`)],
  )
}

/** Bounds that bound nothing: a slip in a name would leave what it meant unguarded. */
function boundFaults(path: Path, policy: Policy, everywhere: Guards): PolicyFault[] {
  const { guards } = policy
  const given = givenUpBy(policy, everywhere)
  const contacts = isWithdrawing(policy) ? contactsOf(policy) : []
  return [
    ...unknownBounds(guards, 'assets', (code) => given === 'any' || given.some((asset) => sameCode(asset, code))).map(
      (code) =>
        fault([...path, 'guards', 'assets', code], 'expected an asset that this policy gives up; correct or remove it'),
    ),
    ...unknownBounds(guards, 'contacts', (id) => contacts.includes(id)).map((id) =>
      fault([...path, 'guards', 'contacts', id], 'expected a contact that this policy sends to; correct or remove it'),
    ),
  ]
}

function unknownBounds(guards: PolicyGuards, part: 'assets' | 'contacts', isKnown: (name: string) => boolean) {
  const bounds: Readonly<Record<string, Bound>> = guards[part] ?? {}
  return Object.keys(bounds).filter((name) => !isKnown(name))
}

/** Assets that the policy may sell or withdraw; `any` where the account's holdings say which. */
function givenUpBy(policy: Policy, guards: Guards): readonly string[] | 'any' {
  const hubs = hubsOf(policy, guards)
  switch (policy.kind) {
    case PolicyKind.Rebalance:
      return [...targetsOf(policy), ...hubs]
    case PolicyKind.Fund:
      return [...policy.from.map(({ asset }) => asset), ...hubs]
    case PolicyKind.ConvertOnArrival:
      return [policy.asset, ...hubs]
    case PolicyKind.Sweep:
      return policy.rules.some(({ allBut }) => allBut !== undefined) ? 'any' : policy.rules.flatMap(assetsOf)
    case PolicyKind.ConvertAndWithdraw:
      return [policy.from, policy.into]
  }
}

function assetsOf({ assets = [], convertInto }: SweepRule): string[] {
  return convertInto === undefined ? assets : [...assets, convertInto]
}

function contactsOf(policy: WithdrawingPolicy): string[] {
  return policy.kind === PolicyKind.Sweep ? policy.rules.map(({ contactId }) => contactId) : [policy.contactId]
}

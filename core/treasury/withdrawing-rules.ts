// Finds what is wrong across the fields of a policy that withdraws: sweep, convert-and-withdraw.

import { sameCode } from '../contract/fields.ts'
import type { Guards } from '../contract/guards.ts'
import {
  type ConvertAndWithdrawPolicy,
  PolicyKind,
  type SweepPolicy,
  type SweepRule,
  type WithdrawingPolicy,
} from '../contract/policies.ts'
import { repeated } from './converting-rules.ts'
import { fault, type Path, type PolicyFault, unitsOf } from './policy-fault.ts'

export function withdrawingFaults(path: Path, policy: WithdrawingPolicy, guards: Guards): PolicyFault[] {
  const bounds = [policy.guards, guards]
  if (policy.kind === PolicyKind.ConvertAndWithdraw) return convertAndWithdrawFaults(path, policy, bounds)
  const single = policy.rules.flatMap((rule, index) => ruleFaults([...path, 'rules', index], rule, bounds))
  return [...single, ...overtakenCanaries([...path, 'rules'], policy)]
}

type Allowances = readonly Pick<Guards, 'allowedContacts' | 'allowedMarkets'>[]

function ruleFaults(path: Path, rule: SweepRule, bounds: Allowances): PolicyFault[] {
  const { assets, allBut, convertInto, contactId } = rule
  return [
    ...choiceFaults(path, rule),
    ...repeated([...path, 'assets'], assets ?? []),
    ...repeated([...path, 'allBut'], allBut ?? []),
    ...(convertInto === undefined ? [] : convertIntoFaults(path, assets ?? [], convertInto, bounds)),
    ...contactFaults([...path, 'contactId'], contactId, bounds),
  ]
}

function choiceFaults(path: Path, { assets, allBut }: SweepRule): PolicyFault[] {
  if ((assets === undefined) !== (allBut === undefined)) return []
  const [got, fix] =
    assets === undefined ? ['neither', '"allBut": [] means every asset'] : ['both', 'keep one of the two']
  return [fault([...path, 'assets'], `expected either assets or allBut; got ${got}: ${fix}`)]
}

function convertIntoFaults(path: Path, assets: readonly string[], into: string, bounds: Allowances): PolicyFault[] {
  const own = assets.findIndex((asset) => sameCode(asset, into))
  const itself = `expected an asset other than convertInto; got ${into}: give what there is of it a rule of its own`
  return [
    ...(own < 0 ? [] : [fault([...path, 'assets', own], itself)]),
    ...assets
      .filter((asset) => !sameCode(asset, into))
      .flatMap((asset) => marketFaults([...path, 'convertInto'], asset, into, bounds)),
  ]
}

function convertAndWithdrawFaults(path: Path, policy: ConvertAndWithdrawPolicy, bounds: Allowances): PolicyFault[] {
  const { from, into, amount, contactId } = policy
  const isNone = amount !== undefined && unitsOf(amount) === 0n
  return [
    ...(sameCode(from, into) ? [fault([...path, 'into'], `expected an asset other than ${from}; got that one`)] : []),
    ...(isNone ? [fault([...path, 'amount'], `expected more than zero; got ${amount}`)] : []),
    ...(sameCode(from, into) ? [] : marketFaults([...path, 'into'], from, into, bounds)),
    ...contactFaults([...path, 'contactId'], contactId, bounds),
  ]
}

/** Guards that let no withdrawal of the policy through. */
function contactFaults(path: Path, contactId: string, bounds: Allowances): PolicyFault[] {
  const isAllowed = bounds.every(({ allowedContacts }) => allowedContacts?.includes(contactId) ?? true)
  return isAllowed ? [] : [fault(path, 'expected a contact that allowedContacts of the guards lists; got another')]
}

/** Such a conversion takes the direct market, one way round or the other. */
function marketFaults(path: Path, from: string, into: string, bounds: Allowances): PolicyFault[] {
  const isAllowed = bounds.every(
    ({ allowedMarkets }) =>
      allowedMarkets?.some((id) => sameCode(id, `${from}-${into}`) || sameCode(id, `${into}-${from}`)) ?? true,
  )
  if (isAllowed) return []
  return [fault(path, `expected a market that allowedMarkets of the guards lists; got ${from} into ${into}`)]
}

/** A canary is of no use where another rule sends to the same contact at once. */
function overtakenCanaries(path: Path, { rules }: SweepPolicy): PolicyFault[] {
  return rules.flatMap(({ contactId, canary }, index) => {
    const careful = rules.findIndex((other) => other.contactId === contactId && other.canary)
    if (canary || careful < 0) return []
    const why = `rules[${careful}] sends a canary to this contact first, which this rule would overtake`
    return [fault([...path, index, 'canary'], `expected true; got false: ${why}`)]
  })
}

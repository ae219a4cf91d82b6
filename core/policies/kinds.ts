// Lists all policy kinds, and answers what the rest of the product asks about a policy. It also says which hubs of a policy
// are its own assets, and which only pass converted money on. Codes are settled codes, and are compared exactly. It does not
// plan.
import type { PayoutFiles, PayoutRow } from '../contract/payouts.ts'
import type { PayoutsPolicy, Policy, PolicyKind, WithdrawalTerms } from '../contract/policies.ts'
import { type BalanceOwner, balanceKey } from '../contract/records.ts'
import { StateMachine } from '../contract/states.ts'
import { convertAndWithdraw } from './convert-and-withdraw/kind.ts'
import { convertOnArrival } from './convert-on-arrival/kind.ts'
import { fund } from './fund/kind.ts'
import type { Kind, OfKind, Payment, Portfolio } from './kind.ts'
import { payouts } from './payouts/kind.ts'
import { rebalance } from './rebalance/kind.ts'
import { sweep } from './sweep/kind.ts'

/**
 * Where two policies take the same asset, the policy whose kind comes later here is reported. The names are written out, so
 * that a bundle which asks nothing about kinds can leave them out.
 */
const kinds = {
  rebalance,
  fund,
  sweep,
  'convert-on-arrival': convertOnArrival,
  'convert-and-withdraw': convertAndWithdraw,
  payouts,
} satisfies { readonly [K in PolicyKind]: Kind<OfKind<K>> }

/** Policies by name, sorted by the order of kinds above, and then by the order of the file. */
export function byKind(policies: Readonly<Record<string, Policy>>): (readonly [string, Policy])[] {
  const order = Object.keys(kinds)
  const placeOf = ([, { kind }]: readonly [string, Policy]) => order.indexOf(kind)
  return Object.entries(policies).sort((left, right) => placeOf(left) - placeOf(right))
}

/** Returns the kind of this policy. Its methods must get no other policy. */
export function kindOf(policy: Policy): Kind {
  return kinds[policy.kind]
}

export function machineOf(policy: Policy): StateMachine {
  return isWithdrawing(policy) ? StateMachine.Sweep : StateMachine.Rebalance
}

export function isWithdrawing(policy: Policy): boolean {
  return kindOf(policy).withdraws
}

export function isConverting(policy: Policy): boolean {
  if (!isWithdrawing(policy) || kindOf(policy).convertsFirst?.(policy) === true) return true
  return withdrawalsOf(policy).some(({ convertInto }) => convertInto !== undefined)
}

/** Whether each run of the policy pays rows that its request gives. */
export function takesRows(policy: Policy): policy is PayoutsPolicy {
  return kindOf(policy).withRows !== undefined
}

/** The policy with the rows of a run's request; without rows, the policy as it stands in treasury.json. */
export function withRows(policy: Policy, rows: readonly PayoutRow[] = []): Policy {
  return kindOf(policy).withRows?.(policy, rows) ?? policy
}

/** Empty for a policy whose movements have ids of their runs only. */
export function paymentsOf(policy: Policy): readonly Payment[] {
  return kindOf(policy).payments?.(policy) ?? []
}

/** Empty for a policy that only converts. */
export function withdrawalsOf(policy: Policy): readonly WithdrawalTerms[] {
  return kindOf(policy).withdrawals?.(policy) ?? []
}

/** Ids of the contacts that runs of the policy pay, each once. */
export function contactIdsOf(policy: Policy): string[] {
  return [...new Set(withdrawalsOf(policy).map(({ contactId }) => contactId))]
}

/** Undefined for a policy that holds no asset at a target. */
export function portfolioOf(policy: Policy): Portfolio | undefined {
  return kindOf(policy).portfolio?.(policy)
}

/** Undefined where no file in S3 starts a run of the policy. */
export function filesOf(policy: Policy): PayoutFiles | undefined {
  return kindOf(policy).files?.(policy)
}

/** Undefined where deposits start no run of the policy. */
export function depositAssetOf(policy: Policy): string | undefined {
  return kindOf(policy).startedByDepositOf?.(policy)
}

/** Assets that the policy counts as its own, without duplicates. Empty for a policy that withdraws. */
export function ownAssetsOf(policy: Policy, valuationAsset: string): readonly string[] {
  return kindOf(policy).ownAssets(policy, valuationAsset)
}

/** Assets that the policy sees but does not touch. */
export function leftAloneBy(policy: Policy): readonly string[] {
  return kindOf(policy).leavesAlone?.(policy) ?? []
}

/** Returns the hubs of a policy that are not its own assets, best first. Money may not stay there. */
export function passingHubsOf(policy: Policy, valuationAsset: string): readonly string[] {
  // A policy that withdraws converts in one market only.
  if (isWithdrawing(policy)) return []
  const own = ownAssetsOf(policy, valuationAsset)
  const leftAlone = leftAloneBy(policy)
  return [...new Set(policy.hubs ?? [valuationAsset])].filter((hub) => !own.includes(hub) && !leftAlone.includes(hub))
}

/** Every balance that runs of the policy may leave stranded, and that its next run uses. */
export function balanceOwnersOf(policy: Policy, valuationAsset: string): readonly BalanceOwner[] {
  if (!isWithdrawing(policy)) return passingHubsOf(policy, valuationAsset).map((asset) => ({ asset }))
  const owners = withdrawalsOf(policy).flatMap(({ convertInto: asset, contactId }) =>
    asset === undefined ? [] : [{ asset, contactId }],
  )
  return [...new Map(owners.map((owner) => [balanceKey(owner), owner])).values()]
}

export function carriesOn(policy: Policy, valuationAsset: string, key: string): boolean {
  return balanceOwnersOf(policy, valuationAsset).some((owner) => balanceKey(owner) === key)
}

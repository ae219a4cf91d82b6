// Checks the ways that a policy's money takes: whether markets lead there, which hubs would help where they do not, and
// what else takes money from its hubs. Pure.
import type { Guards } from '../../core/contract/guards.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { isWithdrawing } from '../../core/policies/kinds.ts'
import { pathText } from '../../core/policies/policy-fault.ts'
import type { DrainedHub } from '../../core/treasury/policy-conflicts.ts'
import { ownAssetsOf } from '../../core/treasury/policy-hubs.ts'
import type { PolicyReferences } from '../../core/treasury/policy-references.ts'
import { type Check, fail, warn } from './check.ts'
import { findUnmet, type MarketNet } from './market-net.ts'

/** A part of treasury.json, with what it names. */
export interface Named {
  /** The name of its check. */
  readonly name: string
  /** What stands before each path in it, from the root of treasury.json. */
  readonly root: string
  readonly references: PolicyReferences
}

/** An asset that does not exist has a finding of its own where it is named, and none here. */
export function conversionChecks(
  { name, root, references }: Named,
  { codes, net }: { readonly codes: ReadonlySet<string>; readonly net: MarketNet },
): Check[] {
  const { unmet, advised } = findUnmet(references, codes, net)
  return unmet.map(({ at, says, isHelped }) => {
    const next = isHelped
      ? `set ${root}hubs to ${JSON.stringify(advised)}`
      : 'sluice service markets lists those there are'
    return fail(name, `${root}${at}: ${says}`, next)
  })
}

/**
 * Warns where another policy may take what an earlier run left in a hub. It counts only hubs that are needed: two
 * assets of the policy have a market with the hub, and none with each other.
 */
export function drainChecks(
  drained: readonly DrainedHub[],
  policies: Treasury['policies'],
  guards: Guards,
  net: MarketNet,
): Check[] {
  return drained.flatMap(({ policy: name, hub, at, verb }): Check[] => {
    const policy = policies[name]
    if (policy === undefined || isWithdrawing(policy)) return []
    const own = ownAssetsOf(policy, policy.valuationAsset ?? guards.valuationAsset)
    const reached = own.filter((asset) => net.isTraded(asset, hub))
    if (!reached.some((one) => reached.some((other) => other !== one && !net.isTraded(one, other)))) return []
    const detail = `${pathText(at)} ${verb} ${hub}, a hub: what a failed conversion leaves there may be gone before the next run goes on with it`
    return [warn(`policy ${name}`, detail, `leave ${hub} out there, keep some of it, or name another hub`)]
  })
}

// Checks the conversions that a policy needs: whether markets lead there, which hubs would help where they do not, and
// what else takes money from its hubs. Pure.
import type { Guards } from '../../core/contract/guards.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { isWithdrawing, ownAssetsOf } from '../../core/policies/kinds.ts'
import { pathText } from '../../core/policies/policy-fault.ts'
import type { DrainedHub } from '../../core/treasury/policy-conflicts.ts'
import type { PolicyReferences } from '../../core/treasury/policy-references.ts'
import { type Check, fail, warn } from './check.ts'
import { findUnmet, type MarketNet } from './market-net.ts'

/** A part of treasury.json, with the assets that it names. */
export interface Named {
  /** The name of its check. */
  readonly name: string
  /** The prefix of each path in it, from the root of treasury.json. */
  readonly root: string
  readonly references: PolicyReferences
}

/** An asset that does not exist is reported where it is named, and not here. */
export function conversionChecks(
  { name, root, references }: Named,
  { codes, net }: { readonly codes: ReadonlySet<string>; readonly net: MarketNet },
): Check[] {
  const { unmet, advised } = findUnmet(references, codes, net)
  return unmet.map(({ at, says, isHelped }) => {
    const next = isHelped
      ? `set ${root}hubs to ${JSON.stringify(advised)}`
      : 'sluice service markets lists the known ones'
    return fail(name, `${root}${at}: ${says}`, next)
  })
}

/**
 * Warns where another policy may take what an earlier run left in a hub. It counts only hubs that are needed: two
 * assets of the policy have a market with the hub, and no market with each other.
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
    if (!reached.some((asset) => reached.some((other) => other !== asset && !net.isTraded(asset, other)))) return []
    const detail = `${pathText(at)} ${verb} ${hub}, a hub: what a failed conversion leaves there may be gone before the next run continues with it`
    return [warn(`policy ${name}`, detail, `leave ${hub} out there, keep some of it, or name another hub`)]
  })
}

// Finds policies that would fight: one sells or sends what another buys, so that money goes round at the cost of
// spreads and fees. It names only conflicts of live policies that are certain. Either amounts of one unit are
// compared, or no amount could help.

import { sameCode } from '../contract/fields.ts'
import type { Guards } from '../contract/guards.ts'
import type { Keep, Policy } from '../contract/policies.ts'
import type { Arrival, Drain, Portfolio, Purchase } from '../policies/kind.ts'
import { byKind, kindOf, portfolioOf } from '../policies/kinds.ts'
import { fault, type Path, type PolicyFault, unitsOf } from '../policies/policy-fault.ts'
import { targetsOf } from '../policies/targets.ts'
import { passingHubsOf } from './policy-hubs.ts'

type Policies = Readonly<Record<string, Policy>>
/** A live policy in one of the roles that its kind gives it. */
type In<Role> = { readonly name: string; readonly policy: Role }

export function conflictFaults(policies: Policies, guards: Guards): PolicyFault[] {
  const rebalances = inRole(policies, portfolioOf)
  const funds = inRole(policies, (policy) => kindOf(policy).purchase?.(policy))
  const drains = drainsOf(policies)
  return [
    ...rebalances.flatMap((one, index) => rebalances.slice(index + 1).flatMap((other) => sharedAssets(one, other))),
    ...drains.flatMap((one, index) => drains.slice(index + 1).flatMap((other) => sharedSurplus(one, other))),
    ...rebalances.flatMap((one) => drains.flatMap((drain) => drainedTargets(one, drain, guards))),
    ...rebalances.flatMap((one) => funds.flatMap((fund) => fundedTargets(one, fund))),
    ...funds.flatMap((fund) => drains.flatMap((drain) => drainedFunds(fund, drain))),
    ...funds.flatMap((fund) => funds.flatMap((other) => drainedByFund(fund, other))),
    ...roundTrips(inRole(policies, (policy) => kindOf(policy).arrival?.(policy))),
  ]
}

/** A hub that only passes on, and what takes it: what a policy's run left there may be gone before its next. */
export interface DrainedHub {
  readonly policy: string
  readonly hub: string
  readonly at: Path
  readonly verb: string
}

/** No faults: keeps may leave enough, and most runs leave nothing. */
export function drainedHubs(policies: Policies, guards: Guards): DrainedHub[] {
  const drains = drainsOf(policies)
  return Object.entries(policies).flatMap(([name, policy]) => {
    if (policy.mode !== 'live') return []
    return passingHubsOf(policy, policy.valuationAsset ?? guards.valuationAsset).flatMap((hub) =>
      drains.filter((drain) => drain.takes(hub)).map(({ at, verb }) => ({ policy: name, hub, at, verb })),
    )
  })
}

function inRole<Role>(policies: Policies, roleOf: (policy: Policy) => Role | undefined): In<Role>[] {
  return Object.entries(policies).flatMap(([name, policy]) => {
    const role = policy.mode === 'live' ? roleOf(policy) : undefined
    return role === undefined ? [] : [{ name, policy: role }]
  })
}

const isIn = (codes: readonly string[], code: string) => codes.some((each) => sameCode(each, code))

function drainsOf(policies: Policies): Drain[] {
  return byKind(policies).flatMap(([name, policy]) =>
    policy.mode === 'live' ? (kindOf(policy).drains?.(['policies', name], policy) ?? []) : [],
  )
}

/** Each run of the one may plan with what a run of the other is about to take: what should stay would not. */
function sharedSurplus(one: Drain, other: Drain): PolicyFault[] {
  const [, first] = one.at
  const [, second] = other.at
  if (first === second) return []
  const shared = one.codes?.filter((code) => other.takes(code)) ?? other.codes?.filter((code) => one.takes(code))
  if (shared?.length === 0) return []
  const what = shared === undefined ? 'all but some assets' : shared.join(', ')
  return [
    fault(
      other.at,
      `expected no asset that another policy takes; this ${other.verb} ${what}, and policies.${String(first)} ${one.verb} it too: leave it to one policy, of several rules if need be`,
    ),
  ]
}

function sharedAssets(one: In<Portfolio>, other: In<Portfolio>): PolicyFault[] {
  const theirs = targetsOf(one.policy)
  return targetsOf(other.policy)
    .filter((code) => isIn(theirs, code))
    .map((code) =>
      fault(
        targetPath(other, code),
        `expected an asset with one target; got one more than in policies.${one.name}: each would undo what the other trades`,
      ),
    )
}

function targetPath({ name, policy }: In<Portfolio>, code: string): Path {
  return ['policies', name, policy.weights === undefined ? 'amounts' : 'weights', code]
}

/** What leaves a rebalanced asset is bought back; reserves can be compared, for they are amounts of the asset. */
function drainedTargets(rebalance: In<Portfolio>, drain: Drain, guards: Guards): PolicyFault[] {
  const { name, policy } = rebalance
  const { keep, verb } = drain
  const fought = targetsOf(policy).filter((code) => drain.takes(code) && !isSpared(policy, code, keep, guards))
  const short = Object.entries(policy.reserve).filter(
    ([code, reserve]) => drain.takes(code) && !isIn(fought, code) && unitsOf(keep.target) < unitsOf(reserve),
  )
  return [
    ...fought.map((code) =>
      fault(
        drain.at,
        `expected no asset that another policy buys; this ${verb} ${code}, and policies.${name} holds ${code} at a target: leave it to one of the two`,
      ),
    ),
    ...short.map(([code, reserve]) =>
      fault(
        [...drain.at, 'keep', 'target'],
        `expected at least ${reserve}, the reserve of ${code} in policies.${name}; got ${keep.target}`,
      ),
    ),
  ]
}

/** A target of nothing is never bought; one in its own units, that is of the valuation asset, may be compared. */
function isSpared(policy: Portfolio, code: string, keep: Keep, guards: Guards): boolean {
  const target = unitsOf(policy.weights?.[code] ?? policy.amounts?.[code] ?? '0')
  if (target === 0n) return true
  const isOwnUnit = sameCode(code, policy.valuationAsset ?? guards.valuationAsset)
  return policy.amounts !== undefined && isOwnUnit && unitsOf(keep.target) >= target
}

/** What a fund buys beyond its share, a rebalance sells: unless it keeps as much as a reserve. */
function fundedTargets({ name, policy }: In<Portfolio>, fund: In<Purchase>): PolicyFault[] {
  const { asset } = fund.policy
  const kept = Object.entries(policy.reserve).find(([code]) => sameCode(code, asset))?.[1] ?? '0'
  if (!isIn(targetsOf(policy), asset) || unitsOf(kept) >= unitsOf(levelOf(fund.policy))) return []
  const fix = `give it a reserve of ${levelOf(fund.policy)} there, or leave it to one of the two`
  return [
    fault(
      ['policies', fund.name, 'asset'],
      `expected an asset that no other policy sells; got ${asset}, which policies.${name} trades to its target: ${fix}`,
    ),
  ]
}

/** Up to where a fund buys. */
function levelOf({ target, atLeast }: Purchase): string {
  return target ?? atLeast
}

/** Peace: what is bought does not set the drain off, and what it leaves does not set the fund off. */
function drainedFunds({ name, policy }: In<Purchase>, drain: Drain): PolicyFault[] {
  const { asset, atLeast } = policy
  const { target, trigger } = drain.keep
  if (!drain.takes(asset)) return []
  const at = [...drain.at, 'keep']
  if (unitsOf(target) < unitsOf(atLeast)) {
    const why = `policies.${name} buys ${asset} back below that`
    return [
      fault([...at, 'target'], `expected at least ${atLeast} where this ${drain.verb} ${asset}; got ${target}: ${why}`),
    ]
  }
  const level = levelOf(policy)
  if (unitsOf(trigger ?? target) >= unitsOf(level)) return []
  const why = `policies.${name} buys ${asset} up to that`
  return [
    fault(
      [...at, trigger === undefined ? 'target' : 'trigger'],
      `expected at least ${level} where this ${drain.verb} ${asset}; got ${trigger ?? target}: ${why}`,
    ),
  ]
}

/** A fund that pays with what another fund then buys back. */
function drainedByFund({ name, policy }: In<Purchase>, payer: In<Purchase>): PolicyFault[] {
  return payer.policy.from.flatMap(({ asset, keep }, index) =>
    !sameCode(asset, policy.asset) || unitsOf(keep) >= unitsOf(policy.atLeast) || payer.name === name
      ? []
      : [
          fault(
            ['policies', payer.name, 'from', index, 'keep'],
            `expected at least ${policy.atLeast}; got ${keep}: policies.${name} buys ${asset} back below that`,
          ),
        ],
  )
}

/** Conversions that follow one another until the first asset is there again. */
function roundTrips(arrivals: readonly In<Arrival>[]): PolicyFault[] {
  return arrivals.flatMap((first, index) => {
    // Only what comes later in the file: each round is reported once, at the first of its policies.
    const others = arrivals.slice(index + 1)
    const chain = [first]
    for (const step of chain) {
      chain.push(...others.filter((one) => !chain.includes(one) && sameCode(one.policy.asset, step.policy.into)))
    }
    const closing = chain.find((one) => one !== first && sameCode(one.policy.into, first.policy.asset))
    if (closing === undefined) return []
    return [
      fault(
        ['policies', first.name, 'into'],
        `expected an asset that is not converted back; got ${first.policy.into}, which policies.${closing.name} brings back to ${first.policy.asset}`,
      ),
    ]
  })
}

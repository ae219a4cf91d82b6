// Finds policies that work against each other: one sells or sends what another buys, so that money goes in circles and pays
// spreads and fees. A fault is only a certain conflict of live policies: the compared amounts have one unit, or no amount could
// avoid it. Drained hubs are listed apart, because they may be harmless.

import { sameCode } from '../contract/fields.ts'
import type { Guards } from '../contract/guards.ts'
import type { Keep, Policy } from '../contract/policies.ts'
import { targetsOf } from '../policies/allowances.ts'
import type { Arrival, Drain, Portfolio, Purchase } from '../policies/kind.ts'
import { byKind, kindOf, passingHubsOf, portfolioOf } from '../policies/kinds.ts'
import { fault, type Path, type PolicyFault, unitsOf } from '../policies/policy-fault.ts'

type Policies = Readonly<Record<string, Policy>>
/** A live policy in one of the roles of its kind. */
type In<Role> = { readonly name: string; readonly policy: Role }

export function conflictFaults(policies: Policies, guards: Guards): PolicyFault[] {
  const rebalances = inRole(policies, portfolioOf)
  const funds = inRole(policies, (policy) => kindOf(policy).purchase?.(policy))
  const drains = drainsOf(policies)
  return [
    ...rebalances.flatMap((first, index) =>
      rebalances.slice(index + 1).flatMap((second) => sharedAssets(first, second)),
    ),
    ...drains.flatMap((first, index) => drains.slice(index + 1).flatMap((second) => sharedSurplus(first, second))),
    ...rebalances.flatMap((rebalance) => drains.flatMap((drain) => drainedTargets(rebalance, drain, guards))),
    ...rebalances.flatMap((rebalance) => funds.flatMap((fund) => fundedTargets(rebalance, fund))),
    ...funds.flatMap((fund) => drains.flatMap((drain) => drainedFunds(fund, drain))),
    ...funds.flatMap((fund) => funds.flatMap((payer) => drainedByFund(fund, payer))),
    ...roundTrips(inRole(policies, (policy) => kindOf(policy).arrival?.(policy))),
  ]
}

/**
 * A hub that only passes money on, and the policy that drains it. What a run left there may be gone before the next
 * run.
 */
export interface DrainedHub {
  readonly policy: string
  readonly hub: string
  readonly at: Path
  readonly verb: string
}

/** These are no faults: a `keep` may leave enough, and most runs leave nothing. */
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

/**
 * A run of one policy may plan with money that a run of the other is about to take. What should stay would not stay.
 */
function sharedSurplus(first: Drain, second: Drain): PolicyFault[] {
  const [, firstName] = first.at
  const [, secondName] = second.at
  if (firstName === secondName) return []
  const shared = first.codes?.filter((code) => second.takes(code)) ?? second.codes?.filter((code) => first.takes(code))
  if (shared?.length === 0) return []
  const assets = shared === undefined ? 'all but some assets' : shared.join(', ')
  return [
    fault(
      second.at,
      `expected no asset that another policy takes; this ${second.verb} ${assets}, and policies.${String(firstName)} ${first.verb} it too: leave it to one policy, of several rules if need be`,
    ),
  ]
}

function sharedAssets(first: In<Portfolio>, second: In<Portfolio>): PolicyFault[] {
  const firstTargets = targetsOf(first.policy)
  return targetsOf(second.policy)
    .filter((code) => isIn(firstTargets, code))
    .map((code) =>
      fault(
        ['policies', second.name, second.policy.weights === undefined ? 'amounts' : 'weights', code],
        `expected an asset with one target; got one more than in policies.${first.name}: each would undo what the other trades`,
      ),
    )
}

/** A rebalance buys back what leaves its asset. Reserves are amounts of the asset, so they can be compared. */
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

/**
 * A target of zero is never bought. A target in the asset's own units, that of the valuation asset, can be compared.
 */
function isSpared(policy: Portfolio, code: string, keep: Keep, guards: Guards): boolean {
  const target = unitsOf(policy.weights?.[code] ?? policy.amounts?.[code] ?? '0')
  if (target === 0n) return true
  const isOwnUnit = sameCode(code, policy.valuationAsset ?? guards.valuationAsset)
  return policy.amounts !== undefined && isOwnUnit && unitsOf(keep.target) >= target
}

/** A rebalance sells what a fund buys beyond the target, unless its reserve keeps that much. */
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

/** The amount up to which a fund buys. */
function levelOf({ target, atLeast }: Purchase): string {
  return target ?? atLeast
}

/** No conflict if the purchase does not trigger the drain, and what the drain leaves does not trigger the fund. */
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

/** A fund that pays with an asset that another fund then buys back. */
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

/** Conversions that form a chain back to the first asset. */
function roundTrips(arrivals: readonly In<Arrival>[]): PolicyFault[] {
  return arrivals.flatMap((first, index) => {
    // Only later policies of the file, so that each round is reported once, at its first policy.
    const others = arrivals.slice(index + 1)
    const chain = [first]
    for (const step of chain) {
      chain.push(
        ...others.filter((arrival) => !chain.includes(arrival) && sameCode(arrival.policy.asset, step.policy.into)),
      )
    }
    const closing = chain.find((arrival) => arrival !== first && sameCode(arrival.policy.into, first.policy.asset))
    if (closing === undefined) return []
    return [
      fault(
        ['policies', first.name, 'into'],
        `expected an asset that is not converted back; got ${first.policy.into}, which policies.${closing.name} brings back to ${first.policy.asset}`,
      ),
    ]
  })
}

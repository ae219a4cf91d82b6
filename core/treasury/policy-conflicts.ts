// Finds policies that would fight: one sells or sends what another buys, so that money goes round at the cost of
// spreads and fees. It names only conflicts of live policies that are certain. Either amounts of one unit are
// compared, or no amount could help.

import { sameCode } from '../contract/fields.ts'
import type { Guards } from '../contract/guards.ts'
import { type FundPolicy, type Keep, type Policy, PolicyKind, type RebalancePolicy } from '../contract/policies.ts'
import { targetsOf } from './converting-rules.ts'
import { fault, type Path, type PolicyFault, unitsOf } from './policy-fault.ts'
import { passingHubsOf } from './policy-hubs.ts'

type Policies = Readonly<Record<string, Policy>>
type Of<Kind extends PolicyKind> = { readonly name: string; readonly policy: Extract<Policy, { kind: Kind }> }

/** Something of a policy that lets an asset go: all above `keep`. */
interface Drain {
  /** Of the part of the policy that lets it go. */
  readonly at: Path
  readonly verb: string
  readonly keep: Keep
  /** Those that it names; undefined: all but some. */
  readonly codes: readonly string[] | undefined
  takes(asset: string): boolean
}

export function conflictFaults(policies: Policies, guards: Guards): PolicyFault[] {
  const rebalances = ofKind(policies, PolicyKind.Rebalance)
  const funds = ofKind(policies, PolicyKind.Fund)
  const drains = drainsOf(policies)
  return [
    ...rebalances.flatMap((one, index) => rebalances.slice(index + 1).flatMap((other) => sharedAssets(one, other))),
    ...drains.flatMap((one, index) => drains.slice(index + 1).flatMap((other) => sharedSurplus(one, other))),
    ...rebalances.flatMap((one) => drains.flatMap((drain) => drainedTargets(one, drain, guards))),
    ...rebalances.flatMap((one) => funds.flatMap((fund) => fundedTargets(one, fund))),
    ...funds.flatMap((fund) => drains.flatMap((drain) => drainedFunds(fund, drain))),
    ...funds.flatMap((fund) => funds.flatMap((other) => drainedByFund(fund, other))),
    ...roundTrips(ofKind(policies, PolicyKind.ConvertOnArrival)),
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

function ofKind<Kind extends PolicyKind>(policies: Policies, kind: Kind): Of<Kind>[] {
  return Object.entries(policies).flatMap(([name, policy]) =>
    isOf(policy, kind) && policy.mode === 'live' ? [{ name, policy }] : [],
  )
}

function isOf<Kind extends PolicyKind>(policy: Policy, kind: Kind): policy is Of<Kind>['policy'] {
  return policy.kind === kind
}

const isIn = (codes: readonly string[], code: string) => codes.some((each) => sameCode(each, code))

function drainsOf(policies: Policies): Drain[] {
  const sweeps = ofKind(policies, PolicyKind.Sweep).flatMap(({ name, policy }) =>
    policy.rules.map(({ assets, allBut, keep }, index): Drain => {
      const takes = (asset: string) => (assets === undefined ? !isIn(allBut ?? [], asset) : isIn(assets, asset))
      return { at: ['policies', name, 'rules', index], verb: 'sweeps', keep, codes: assets, takes }
    }),
  )
  const arrivals = ofKind(policies, PolicyKind.ConvertOnArrival).map(({ name, policy: { asset, keep } }): Drain => {
    return { at: ['policies', name], verb: 'converts', keep, codes: [asset], takes: (other) => sameCode(asset, other) }
  })
  // One of an amount is a payment: what it takes, others may well bring back.
  const payments = ofKind(policies, PolicyKind.ConvertAndWithdraw)
    .filter(({ policy }) => policy.amount === undefined)
    .map(({ name, policy: { from, keep } }): Drain => {
      return { at: ['policies', name], verb: 'converts', keep, codes: [from], takes: (other) => sameCode(from, other) }
    })
  return [...sweeps, ...arrivals, ...payments]
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

function sharedAssets(one: Of<'rebalance'>, other: Of<'rebalance'>): PolicyFault[] {
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

function targetPath({ name, policy }: Of<'rebalance'>, code: string): Path {
  return ['policies', name, policy.weights === undefined ? 'amounts' : 'weights', code]
}

/** What leaves a rebalanced asset is bought back; reserves can be compared, for they are amounts of the asset. */
function drainedTargets(rebalance: Of<'rebalance'>, drain: Drain, guards: Guards): PolicyFault[] {
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
function isSpared(policy: RebalancePolicy, code: string, keep: Keep, guards: Guards): boolean {
  const target = unitsOf(policy.weights?.[code] ?? policy.amounts?.[code] ?? '0')
  if (target === 0n) return true
  const isOwnUnit = sameCode(code, policy.valuationAsset ?? guards.valuationAsset)
  return policy.amounts !== undefined && isOwnUnit && unitsOf(keep.target) >= target
}

/** What a fund buys beyond its share, a rebalance sells: unless it keeps as much as a reserve. */
function fundedTargets({ name, policy }: Of<'rebalance'>, fund: Of<'fund'>): PolicyFault[] {
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
function levelOf({ target, atLeast }: FundPolicy): string {
  return target ?? atLeast
}

/** Peace: what is bought does not set the drain off, and what it leaves does not set the fund off. */
function drainedFunds({ name, policy }: Of<'fund'>, drain: Drain): PolicyFault[] {
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
function drainedByFund({ name, policy }: Of<'fund'>, payer: Of<'fund'>): PolicyFault[] {
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
function roundTrips(arrivals: readonly Of<'convert-on-arrival'>[]): PolicyFault[] {
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

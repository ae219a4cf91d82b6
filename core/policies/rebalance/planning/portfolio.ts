// The portfolio of a rebalance policy: the target of each asset, how far it is from it, and how far it may be. The total
// value is that of the policy's assets, with what is on its way in and without what is on its way out. What the policy
// leaves alone or does not name is not in it.
import type { RebalancePolicy } from '../../../contract/policies.ts'
import {
  type Decimal,
  magnitude,
  minus,
  multiply,
  parseDecimal,
  partOf,
  plus,
  sumOf,
  WHOLE_BPS,
  ZERO,
} from '../../../money/decimal.ts'
import type { Position } from '../../../planning/market/snapshot.ts'
import type { PlanningContext } from '../../../planning/planning-context.ts'
import { ownAssetsOf } from '../../../treasury/policy-hubs.ts'

/** One asset of the policy's portfolio. */
export interface Member {
  readonly asset: string
  readonly position: Position | undefined
  /** Null where no market tells. */
  readonly price: Decimal | null
  readonly holding: Decimal
  readonly value: Decimal
  readonly weight: Decimal | undefined
  /** Value that it should have. */
  readonly amount: Decimal | undefined
  /** With `amounts`, the first hub: what is too much elsewhere ends there. */
  readonly takesRest: boolean
  readonly isHub: boolean
  /** A hub that is none of the policy's assets: only what earlier runs left there, which is to go on. */
  readonly isPassing: boolean
  /** By the targets that there are before anything is paid for. */
  readonly before: Drift
}

export interface Drift {
  /** Undefined of what takes the rest and has no amount of its own. */
  readonly target: Decimal | undefined
  /** Value less target value. */
  readonly drift: Decimal
  /** Drift that is let be, either way. */
  readonly band: Decimal
  /** Is the drift larger? */
  readonly isOutside: boolean
}

/** By the total that all is worth: how to tell an asset's drift once it is itself worth `value`. */
export type Drifts = (total: Decimal) => (member: Member, value?: Decimal) => Drift

/** All assets of a policy, as they stand. */
export interface Portfolio {
  /** By their codes. */
  readonly members: readonly Member[]
  readonly byAsset: ReadonlyMap<string, Member>
  readonly total: Decimal
  readonly driftsAt: Drifts
}

/** Of the policy's assets, and of those hubs that have a stranded balance which is worth a conversion. */
export function portfolioOf(
  policy: RebalancePolicy,
  context: PlanningContext,
  strandedHubs: readonly string[],
): Portfolio {
  const { weights, amounts } = policy
  const leftAlone = new Set(policy.leaveAlone)
  const rest = amounts === undefined ? undefined : context.allHubs[0]
  const own = ownAssetsOf(policy, context.snapshot.valuationAsset)
  const members = [...own, ...strandedHubs]
    .filter((asset) => !leftAlone.has(asset))
    .sort()
    .map((asset) => {
      const position = context.snapshot.positions.get(asset)
      const holding = position?.holding ?? ZERO
      const price = context.valuation.priceOf(asset)
      const isPassing = strandedHubs.includes(asset)
      return {
        asset,
        position,
        price,
        holding,
        value: price === null ? ZERO : multiply(holding, price, 'down'),
        weight: isPassing ? ZERO : weights && readOwn(weights, asset, 'weights'),
        amount: amounts && readOwn(amounts, asset, 'amounts'),
        takesRest: asset === rest,
        isHub: context.hubs.includes(asset),
        isPassing,
        before: NO_TARGET,
      }
    })
  const byAsset = new Map<string, Member>()
  let total = ZERO
  for (const member of members) {
    byAsset.set(member.asset, member)
    total = plus(total, member.value)
  }
  // Targets are parts of the total, which only all of them tell.
  const driftsAt = createDrifts(policy, members)
  const drifts = driftsAt(total)
  for (const member of members) member.before = drifts(member)
  return { members, byAsset, total, driftsAt }
}

const NO_TARGET: Drift = { target: undefined, drift: ZERO, band: ZERO, isOutside: false }

function readOwn(texts: Readonly<Record<string, string>>, asset: string, field: string): Decimal | undefined {
  return Object.hasOwn(texts, asset) ? parseDecimal(texts[asset], `${field}.${asset}`) : undefined
}

function createDrifts({ band: { of, bps } }: RebalancePolicy, members: readonly Member[]): Drifts {
  const weights = sumOfWeights(members)
  const share = BigInt(bps)
  const bandOf = (value: Decimal) => partOf(value, share, WHOLE_BPS, 'down')
  return (total) => {
    const absolute = bandOf(total)
    return (member, value = member.value) => {
      const target = targetOf(member, weights, total)
      if (target === undefined) return NO_TARGET
      const drift = minus(value, target)
      // Nothing of a stranded balance is let be, and its hub is not filled up: it has come to go on.
      if (member.isPassing) return driftOf(target, drift, ZERO)
      // What takes the rest may have more than its amount.
      const counted = member.takesRest && drift > 0n ? ZERO : drift
      return driftOf(target, counted, of === 'absolute' ? absolute : bandOf(target))
    }
  }
}

function driftOf(target: Decimal, drift: Decimal, band: Decimal): Drift {
  return { target, drift, band, isOutside: magnitude(drift) > band }
}

function sumOfWeights(members: readonly Member[]): Decimal {
  return sumOf(members.flatMap(({ weight }) => weight ?? []))
}

/** Weights are shares of their sum: it is 1 unless something of the policy is left alone. */
function targetOf({ weight, amount }: Member, weights: Decimal, total: Decimal): Decimal | undefined {
  if (amount !== undefined) return amount
  if (weight === undefined) return undefined
  return weights === 0n ? ZERO : partOf(total, weight, weights, 'down')
}

export function sizeOf({ drift }: Drift): Decimal {
  return magnitude(drift)
}

// Computes the portfolio of a rebalance policy: each asset's target, its drift from the target, and the allowed drift. The
// total value covers the policy's assets, with movements on their way in and without those on their way out. Assets in
// `leaveAlone` and assets without a name in the policy are not part of it. Pure.
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
import { ownAssetsOf } from '../../kinds.ts'

export interface Member {
  readonly asset: string
  readonly position: Position | undefined
  /** Null where no market has a price. */
  readonly price: Decimal | null
  readonly holding: Decimal
  readonly value: Decimal
  readonly weight: Decimal | undefined
  /** Target value of a policy with `amounts`. */
  readonly amount: Decimal | undefined
  /** With `amounts`, the first hub: it takes what is too much elsewhere. */
  readonly takesRest: boolean
  readonly isHub: boolean
  /** Whether it is a hub outside the policy's assets. Only what earlier runs left there counts, and must be converted. */
  readonly isPassing: boolean
  /** Drift from the target before any leg's cost. */
  readonly before: Drift
}

/** In the example of stages.ts, BTC has a target of 2000, a drift of 1700 and a band of 400, and is outside. */
export interface Drift {
  /** Undefined for the asset that takes the rest and has no amount of its own. */
  readonly target: Decimal | undefined
  /** Value less target value. */
  readonly drift: Decimal
  /** Largest drift that is left alone, in either direction. */
  readonly band: Decimal
  readonly isOutside: boolean
}

/** For a total value, returns how to compute an asset's drift; `value` replaces the asset's present value. */
type Drifts = (total: Decimal) => (member: Member, value?: Decimal) => Drift

export interface Portfolio {
  /** Sorted by code. */
  readonly members: readonly Member[]
  readonly byAsset: ReadonlyMap<string, Member>
  readonly total: Decimal
  readonly driftsAt: Drifts
}

/** Covers the policy's assets, and hubs with a stranded balance that is worth a conversion. */
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
  // Targets are parts of the total, so they are computed once all members are known.
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
  const weights = sumOf(members.flatMap(({ weight }) => weight ?? []))
  const share = BigInt(bps)
  const bandOf = (value: Decimal) => partOf(value, share, WHOLE_BPS, 'down')
  return (total) => {
    const absolute = bandOf(total)
    return (member, value = member.value) => {
      const target = targetOf(member, weights, total)
      if (target === undefined) return NO_TARGET
      const drift = minus(value, target)
      // A stranded balance has no band, and its hub has no target to fill. All of the balance must be converted.
      if (member.isPassing) return driftOf(target, drift, ZERO)
      // The asset that takes the rest may have more than its amount.
      const counted = member.takesRest && drift > 0n ? ZERO : drift
      return driftOf(target, counted, of === 'absolute' ? absolute : bandOf(target))
    }
  }
}

function driftOf(target: Decimal, drift: Decimal, band: Decimal): Drift {
  return { target, drift, band, isOutside: magnitude(drift) > band }
}

/** Weights are shares of their sum, which is 1 unless some of the policy's assets are left alone. */
function targetOf({ weight, amount }: Member, weights: Decimal, total: Decimal): Decimal | undefined {
  if (amount !== undefined) return amount
  if (weight === undefined) return undefined
  return weights === 0n ? ZERO : partOf(total, weight, weights, 'down')
}

export function sizeOf({ drift }: Drift): Decimal {
  return magnitude(drift)
}

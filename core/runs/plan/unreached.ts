// Compares a plan of a rebalance with its goal: which assets it leaves outside their band without a reason in the plan. It uses
// only the policy and the plan's figures, and trusts no planner. Pure.
import { MOST_UNREACHED, NonLegCode, type Plan, type Unreached } from '../../contract/plan.ts'
import type { Policy } from '../../contract/policies.ts'
import {
  type Decimal,
  formatDecimal,
  magnitude,
  minus,
  parseDecimal,
  partOf,
  plus,
  sumOf,
  WHOLE_BPS,
} from '../../money/decimal.ts'
import type { Portfolio } from '../../policies/kind.ts'
import { portfolioOf } from '../../policies/kinds.ts'
import { targetAt } from '../record/distances.ts'

/** Codes that name no obstacle: the asset could be traded, or the reason is missing. All other codes name an obstacle. */
const SAYS_NOTHING: ReadonlySet<NonLegCode> = new Set([NonLegCode.WithinBand, NonLegCode.NoCounterpart])

/** Undefined where each asset ends within its band, or the plan explains why not. */
export function findUnreached(plan: Plan, policy: Policy): Unreached[] | undefined {
  const portfolio = portfolioOf(policy)
  if (portfolio === undefined) return undefined
  const explained = new Set(plan.nonLegs.filter(({ code }) => !SAYS_NOTHING.has(code)).map(({ asset }) => asset))
  const offs = offsOf(plan, portfolio).filter(({ asset }) => !explained.has(asset))
  const unreached = offs.filter(
    (gap) => gap.isBeyond && offs.some((other) => other.isWorthIt && other.off > 0n !== gap.off > 0n),
  )
  if (unreached.length === 0) return undefined
  return unreached.slice(0, MOST_UNREACHED).map(({ asset, off }) => ({ asset, off: formatDecimal(off) }))
}

export function unreachedText(unreached: readonly Unreached[], { valuationAsset }: Plan): string {
  const each = unreached.map(({ asset, off }) => `${asset} by ${off}`)
  return `the plan leaves assets beyond their band, and nothing of it says why: ${each.join(', ')} (${valuationAsset})`
}

interface Off {
  readonly asset: string
  /** Value after the legs, less the target. */
  readonly off: Decimal
  /** Whether it is outside the band by more than the smallest trade. */
  readonly isBeyond: boolean
  readonly isWorthIt: boolean
}

function offsOf(plan: Plan, policy: Portfolio): Off[] {
  const smallest = parseDecimal(policy.smallestTrade, 'smallestTrade')
  const total = sumOf(plan.positions.map(({ afterValue }) => parseDecimal(afterValue, 'afterValue')))
  const restAsset = policy.amounts === undefined ? undefined : (policy.hubs?.[0] ?? plan.valuationAsset)
  return plan.positions.flatMap((position) => {
    const target = targetAt(total, position, plan, policy)
    if (target === undefined) return []
    const off = minus(parseDecimal(position.afterValue, 'afterValue'), target)
    // The asset that takes the rest may have more than its amount.
    if (position.asset === restAsset && off > 0n) return []
    const bandOf = policy.band.of === 'absolute' ? total : target
    const band = partOf(bandOf, BigInt(policy.band.bps), WHOLE_BPS, 'up')
    const size = magnitude(off)
    return [{ asset: position.asset, off, isBeyond: size > plus(band, smallest), isWorthIt: size > smallest }]
  })
}

// Puts a plan together as the contract has it, for every kind of policy: what there is, what there would be once its
// legs have been carried out at their indicative prices, and what all of it is worth. It decides nothing.
import {
  type GuardSaying,
  MOST_UNPRICED,
  type NonLeg,
  NonLegCode,
  type Plan,
  type PlanLeg,
  type PlanPosition,
  type PlanTrade,
} from '../contract/plan.ts'
import type { PolicyKind } from '../contract/policies.ts'
import { IntentKind } from '../contract/records.ts'
import {
  type Decimal,
  formatDecimal,
  greatest,
  minus,
  multiply,
  negate,
  parseDecimal,
  plus,
  sumOf,
  ZERO,
} from '../money/decimal.ts'
import { figureOf, sharesOf } from './figures.ts'
import type { Position, Snapshot } from './market/snapshot.ts'
import type { Valuation } from './market/valuation.ts'

/** What a plan's figures are taken from. */
interface Figures {
  readonly snapshot: Snapshot
  readonly valuation: Valuation
}

export interface PlanParts {
  readonly name: string
  readonly kind: PolicyKind
  readonly figures: Figures
  /** The assets that the plan tells of, as they stand. */
  readonly positions: readonly ReportedAsset[]
  readonly legs: PlanLeg[]
  readonly trades?: readonly PlanTrade[]
  readonly nonLegs: NonLeg[]
  readonly guards: GuardSaying[]
  /** The policy's passing hubs: what is in them counts, priced or not. */
  readonly passing: readonly string[]
}

export function reportPlan(parts: PlanParts): Plan {
  const { name, kind, figures, positions, legs, trades = [], nonLegs, guards, passing } = parts
  const { snapshot } = figures
  // They take part in nothing: without a price no leg of theirs has a size.
  const lost = passing.map((hub) => assetAsItStands(figures, hub)).filter(isUnpriced)
  const unpriced = [...positions, ...lost].filter(isUnpriced).map(({ asset }) => asset)
  const { positions: rows, totalValue } = reportPositions(positions, changesOf(legs))
  return {
    policy: name,
    kind,
    takenAt: new Date(snapshot.takenAtMs).toISOString(),
    valuationAsset: snapshot.valuationAsset,
    totalValue: formatDecimal(totalValue),
    ...(unpriced.length > 0 && { unpriced: unpriced.slice(0, MOST_UNPRICED) }),
    turnover: formatDecimal(sumOf(legs.map(({ value }) => parseDecimal(value, 'value')))),
    positions: rows,
    legs,
    ...(trades.length > 0 && { trades: [...trades] }),
    nonLegs: [...nonLegs, ...lost.map((one) => unpricedHub(one, snapshot))],
    guards,
  }
}

function isUnpriced({ price, holding }: ReportedAsset): boolean {
  return price === null && holding > 0n
}

function unpricedHub({ asset, holding }: ReportedAsset, { valuationAsset }: Snapshot): NonLeg {
  const left = `earlier runs left ${figureOf(holding, asset)} on its way`
  const reason = `${left}, and no market tells its price in ${valuationAsset}, so the total value is not known`
  return { asset, code: NonLegCode.NoPrice, reason }
}

/** One asset of a plan before its legs. */
export interface ReportedAsset {
  readonly asset: string
  readonly position: Position | undefined
  /** Null where no market tells. */
  readonly price: Decimal | null
  readonly holding: Decimal
  readonly value: Decimal
  /** Where the policy has a target for it. */
  readonly before?: { readonly target: Decimal | undefined; readonly drift: Decimal }
}

/** An asset without a target. */
export function assetAsItStands({ snapshot, valuation }: Figures, asset: string): ReportedAsset {
  const position = snapshot.positions.get(asset)
  const holding = position?.holding ?? ZERO
  const value = valuation.valueDown(asset, holding) ?? ZERO
  return { asset, position, price: valuation.priceOf(asset), holding, value }
}

/** By asset, units that come less units that go. Assets that no leg touches are not in it. */
export function changesOf(legs: readonly PlanLeg[]): ReadonlyMap<string, Decimal> {
  const changes = new Map<string, Decimal>()
  const add = (asset: string, units: Decimal) => changes.set(asset, plus(changes.get(asset) ?? ZERO, units))
  for (const leg of legs) {
    if (leg.kind === IntentKind.Withdraw) add(leg.assetSymbol, negate(parseDecimal(leg.total, 'total')))
    else {
      add(leg.gives.asset, negate(parseDecimal(leg.gives.amount, 'gives.amount')))
      add(leg.brings.asset, parseDecimal(leg.brings.amount, 'brings.amount'))
    }
  }
  return changes
}

/** In the order given. Weights are shares of the sums of their values, before and after. */
export function reportPositions(
  assets: readonly ReportedAsset[],
  changes: ReadonlyMap<string, Decimal>,
): { readonly positions: PlanPosition[]; readonly totalValue: Decimal } {
  let total = ZERO
  let growth = ZERO
  const after = assets.map((one) => {
    total = plus(total, one.value)
    const change = changes.get(one.asset)
    if (change === undefined) return undefined
    const now = changedBy(change, one)
    growth = plus(growth, minus(now.value, one.value))
    return now
  })
  const shareOf = sharesOf(total)
  const shareAfter = growth === 0n ? shareOf : sharesOf(plus(total, growth))
  const positions = assets.map((one, index): PlanPosition => {
    const now = after[index]
    const { asset, position, before } = one
    const holding = formatDecimal(one.holding)
    const spendable = position?.spendable === one.holding ? holding : formatDecimal(position?.spendable ?? ZERO)
    const price = one.price === null ? null : formatDecimal(one.price)
    const value = formatDecimal(one.value)
    const weight = shareOf(one.value)
    const afterHolding = now ? formatDecimal(now.holding) : holding
    const afterValue = now ? formatDecimal(now.value) : value
    const afterWeight = now || shareAfter !== shareOf ? shareAfter((now ?? one).value) : weight
    // One literal each: a spread in the middle of one takes as long as all of its figures.
    if (before?.target === undefined)
      return { asset, holding, spendable, price, value, weight, afterHolding, afterValue, afterWeight }
    const targetValue = formatDecimal(before.target)
    const targetWeight = shareOf(before.target)
    const drift = formatDecimal(before.drift)
    return {
      asset,
      holding,
      spendable,
      price,
      value,
      weight,
      targetValue,
      targetWeight,
      drift,
      afterHolding,
      afterValue,
      afterWeight,
    }
  })
  return { positions, totalValue: total }
}

function changedBy(change: Decimal, { holding, price }: ReportedAsset): Pick<ReportedAsset, 'holding' | 'value'> {
  const now = greatest(ZERO, plus(holding, change))
  return { holding: now, value: price === null ? ZERO : multiply(now, price, 'down') }
}

// Writes a plan in the contract's form, for every kind of policy. It has the given legs and reasons, and what the account holds
// before and after the legs at their indicative prices. Adds a reason for each hub with a stranded balance that has no price.
import {
  type GuardMessage,
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

interface Figures {
  readonly snapshot: Snapshot
  readonly valuation: Valuation
}

interface PlanParts {
  readonly name: string
  readonly kind: PolicyKind
  readonly figures: Figures
  /** The assets that the plan shows, before its legs. */
  readonly positions: readonly ReportedAsset[]
  readonly legs: PlanLeg[]
  readonly trades?: readonly PlanTrade[]
  readonly nonLegs: NonLeg[]
  readonly guards: GuardMessage[]
  /** Hubs that trades only pass through. What earlier runs left in them belongs to the policy. */
  readonly passing: readonly string[]
}

export function reportPlan(parts: PlanParts): Plan {
  const { name, kind, figures, positions, legs, trades = [], nonLegs, guards, passing } = parts
  const { snapshot } = figures
  // Without a price such a hub has no leg, and the plan's total is not known.
  const unpricedHubs = passing.map((hub) => unplannedAsset(figures, hub)).filter(isUnpriced)
  const unpriced = [...positions, ...unpricedHubs].filter(isUnpriced).map(({ asset }) => asset)
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
    nonLegs: [...nonLegs, ...unpricedHubs.map((hub) => unpricedHub(hub, snapshot))],
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

interface ReportedAsset {
  readonly asset: string
  readonly position: Position | undefined
  /** Null where no market has a price. */
  readonly price: Decimal | null
  readonly holding: Decimal
  readonly value: Decimal
  /** Present where the policy has a target for the asset. */
  readonly before?: { readonly target: Decimal | undefined; readonly drift: Decimal }
}

/** An asset without a target. */
export function unplannedAsset({ snapshot, valuation }: Figures, asset: string): ReportedAsset {
  const position = snapshot.positions.get(asset)
  const holding = position?.holding ?? ZERO
  const value = valuation.valueDown(asset, holding) ?? ZERO
  return { asset, position, price: valuation.priceOf(asset), holding, value }
}

/** By asset: units that come less units that go. Assets without a leg are absent. */
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

/** Keeps the order of `assets`. Weights are shares of the sum of their values, before and after the legs. */
export function reportPositions(
  assets: readonly ReportedAsset[],
  changes: ReadonlyMap<string, Decimal>,
): { readonly positions: PlanPosition[]; readonly totalValue: Decimal } {
  let total = ZERO
  let growth = ZERO
  const after = assets.map((held) => {
    total = plus(total, held.value)
    const change = changes.get(held.asset)
    if (change === undefined) return undefined
    const now = changedBy(change, held)
    growth = plus(growth, minus(now.value, held.value))
    return now
  })
  const shareOf = sharesOf(total)
  const shareAfter = growth === 0n ? shareOf : sharesOf(plus(total, growth))
  const positions = assets.map((held, index): PlanPosition => {
    const now = after[index]
    const { asset, position, before } = held
    const holding = formatDecimal(held.holding)
    const spendable = position?.spendable === held.holding ? holding : formatDecimal(position?.spendable ?? ZERO)
    const price = held.price === null ? null : formatDecimal(held.price)
    const value = formatDecimal(held.value)
    const weight = shareOf(held.value)
    const afterHolding = now ? formatDecimal(now.holding) : holding
    const afterValue = now ? formatDecimal(now.value) : value
    const afterWeight = now || shareAfter !== shareOf ? shareAfter((now ?? held).value) : weight
    // One literal for each case: a spread inside the literal takes as long as all the figures together.
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

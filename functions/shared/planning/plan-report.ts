// Puts a plan of conversions together as the contract has it.
import type { ConvertLeg, GuardSaying, NonLeg, Plan } from '../../contract/plan.ts'
import type { PolicyKind } from '../../contract/policies.ts'
import { formatDecimal, parseDecimal, plus, ZERO } from '../money/decimal.ts'
import type { Desk } from './desk.ts'
import { changesOf, type Projected, tellPositions } from './projection.ts'

export interface PlanParts {
  readonly name: string
  readonly kind: PolicyKind
  readonly desk: Desk
  readonly positions: readonly Projected[]
  readonly legs: ConvertLeg[]
  readonly nonLegs: NonLeg[]
  readonly guards: GuardSaying[]
}

export function tellPlan({ name, kind, desk, positions, legs, nonLegs, guards }: PlanParts): Plan {
  const { snapshot } = desk
  const { positions: told, totalValue } = tellPositions(positions, changesOf(legs))
  return {
    policy: name,
    kind,
    takenAt: new Date(snapshot.takenAtMs).toISOString(),
    valuationAsset: snapshot.valuationAsset,
    totalValue: formatDecimal(totalValue),
    turnover: formatDecimal(legs.reduce((sum, { value }) => plus(sum, parseDecimal(value, 'value')), ZERO)),
    positions: told,
    legs,
    nonLegs,
    guards,
  }
}

/** An asset without a target, as it stands. */
export function positionOf(desk: Desk, asset: string): Projected {
  const position = desk.snapshot.positions.get(asset)
  const holding = position?.holding ?? ZERO
  return {
    asset,
    position,
    price: desk.valuation.priceOf(asset),
    holding,
    value: desk.valuation.valueDown(asset, holding) ?? ZERO,
  }
}

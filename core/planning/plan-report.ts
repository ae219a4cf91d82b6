// Puts a plan of conversions together as the contract has it.
import {
  type ConvertLeg,
  type GuardSaying,
  MOST_UNPRICED,
  type NonLeg,
  NonLegCode,
  type Plan,
} from '../contract/plan.ts'
import type { PolicyKind } from '../contract/policies.ts'
import { formatDecimal, parseDecimal, plus, ZERO } from '../money/decimal.ts'
import type { PlanningContext } from './planning-context.ts'
import { changesOf, type Projected, tellPositions } from './positions.ts'
import { told } from './told.ts'

export interface PlanParts {
  readonly name: string
  readonly kind: PolicyKind
  readonly context: PlanningContext
  readonly positions: readonly Projected[]
  readonly legs: ConvertLeg[]
  readonly nonLegs: NonLeg[]
  readonly guards: GuardSaying[]
  /** The policy's passing hubs: what is in them counts, priced or not. */
  readonly passing: readonly string[]
}

export function tellPlan({ name, kind, context, positions, legs, nonLegs, guards, passing }: PlanParts): Plan {
  const { snapshot } = context
  // They take part in nothing: without a price no leg of theirs has a size.
  const lost = passing
    .map((hub) => positionOf(context, hub))
    .filter(({ price, holding }) => price === null && holding > 0n)
  const { positions: rows, totalValue } = tellPositions(positions, changesOf(legs))
  return {
    policy: name,
    kind,
    takenAt: new Date(snapshot.takenAtMs).toISOString(),
    valuationAsset: snapshot.valuationAsset,
    totalValue: formatDecimal(totalValue),
    ...unpricedOf([...positions, ...lost]),
    turnover: formatDecimal(legs.reduce((sum, { value }) => plus(sum, parseDecimal(value, 'value')), ZERO)),
    positions: rows,
    legs,
    nonLegs: [...nonLegs, ...lost.map((one) => unpricedResidue(one, context))],
    guards,
  }
}

/** For a plan's field of this name; nothing where all that is held has a price. */
export function unpricedOf(
  positions: readonly Pick<Projected, 'asset' | 'price' | 'holding'>[],
): Pick<Plan, 'unpriced'> {
  const unpriced = positions.filter(({ price, holding }) => price === null && holding > 0n).map(({ asset }) => asset)
  return unpriced.length === 0 ? {} : { unpriced: unpriced.slice(0, MOST_UNPRICED) }
}

function unpricedResidue({ asset, holding }: Projected, { snapshot }: PlanningContext): NonLeg {
  const left = `earlier runs left ${told(holding, asset)} on its way`
  const reason = `${left}, and no market tells its price in ${snapshot.valuationAsset}, so the total value is not known`
  return { asset, code: NonLegCode.NoPrice, reason }
}

/** An asset without a target, as it stands. */
export function positionOf(context: PlanningContext, asset: string): Projected {
  const position = context.snapshot.positions.get(asset)
  const holding = position?.holding ?? ZERO
  return {
    asset,
    position,
    price: context.valuation.priceOf(asset),
    holding,
    value: context.valuation.valueDown(asset, holding) ?? ZERO,
  }
}

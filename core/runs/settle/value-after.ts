// Computes the value of a plan's assets after its legs: a figure of the report, which decides nothing.
import type { Plan } from '../../contract/plan.ts'
import type { Policy } from '../../contract/policies.ts'
import type { StrandedBalance } from '../../contract/runs.ts'
import { SluiceError } from '../../errors.ts'
import {
  compareScaled,
  type Decimal,
  formatDecimal,
  parseDecimal,
  plus,
  sumOf,
  WHOLE_BPS,
  ZERO,
} from '../../money/decimal.ts'
import { createValuation, type Valuation } from '../../planning/market/valuation.ts'
import { leftAloneBy, passingHubsOf } from '../../policies/kinds.ts'
import { withPrices } from '../plan/price-plan.ts'
import { readFigures } from '../plan/take-snapshot.ts'
import type { RunPorts } from '../ports.ts'
import type { ReachedValues } from '../record/distances.ts'
import type { RunRecord } from '../record/run-record.ts'

/** An asset in doubt still counts with its present balance. */
const NO_DOUBTS: ReadonlyMap<string, string> = new Map()

/** The value with the balances that the run leaves stranded in hubs. Undefined where an asset has no price. */
export type ValueAfter = (stranded: readonly StrandedBalance[]) => ReachedValues | undefined

/** Best effort: undefined where the record lacks positions of the plan's total, or where the service does not answer. */
export async function readValueAfter(run: RunRecord, ports: RunPorts): Promise<ValueAfter | undefined> {
  const { plan, asPlanned } = run
  const counted = plan && countedAssets(plan, asPlanned)
  if (plan === undefined || counted === undefined) return undefined
  // A passing hub counts only with its stranded balance: the rest belongs to others.
  const passing = passingHubsOf(asPlanned, plan.valuationAsset)
  const assets = counted.filter((asset) => !passing.includes(asset))
  try {
    await ports.service.clock.measure()
    const taken = await readFigures(asPlanned, NO_DOUBTS, ports)
    if ([...assets, ...passing].some((asset) => taken.unreadable.has(asset))) return undefined
    const hubs = asPlanned.hubs ?? []
    const unpriced = createValuation(taken, hubs)
    const figures = await withPrices(
      taken,
      [...assets, ...passing].flatMap((asset) => unpriced.requiredFor(asset)),
      ports.service,
    )
    const valuation = createValuation(figures, hubs)
    const held = assets.map((asset) => [asset, figures.positions.get(asset)?.holding ?? ZERO] as const)
    return (stranded) => {
      // A balance in a hub that the policy no longer names is part of no total, and may have no price.
      const counting = stranded.filter(({ asset, contactId }) => contactId === undefined && passing.includes(asset))
      const left = counting.map(({ asset, amount }) => [asset, parseDecimal(amount, 'residues')] as const)
      return valuesOf([...held, ...left], valuation)
    }
  } catch (error) {
    // The money is settled even if the service has no prices now.
    if (error instanceof SluiceError) return undefined
    throw error
  }
}

function valuesOf(holdings: readonly (readonly [string, Decimal])[], valuation: Valuation): ReachedValues | undefined {
  let total = ZERO
  const values: Record<string, string> = {}
  for (const [asset, holding] of holdings) {
    const value = holding === 0n ? ZERO : valuation.valueDown(asset, holding)
    if (value === null) return undefined
    total = plus(total, value)
    values[asset] = formatDecimal(plus(value, parseDecimal(values[asset] ?? '0', 'value')))
  }
  return { total: formatDecimal(total), values }
}

/** Undefined where the record keeps too few positions to add up to the plan's total. */
function countedAssets({ positions, totalValue }: Plan, policy: Policy): string[] | undefined {
  const leftAlone = new Set(leftAloneBy(policy))
  const counted = positions.filter(({ asset }) => !leftAlone.has(asset))
  const sum = sumOf(counted.map(({ value }) => parseDecimal(value, 'value')))
  const total = parseDecimal(totalValue, 'totalValue')
  const differs =
    compareScaled(sum, WHOLE_BPS, total, WHOLE_BPS - 1n) < 0 || compareScaled(sum, WHOLE_BPS, total, WHOLE_BPS + 1n) > 0
  return differs ? undefined : counted.map(({ asset }) => asset)
}

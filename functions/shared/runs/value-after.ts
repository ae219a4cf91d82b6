// What the assets of a plan are worth once its legs are through: told in the report, and decided on by nobody.
import type { Plan } from '../../contract/plan.ts'
import { type Policy, PolicyKind } from '../../contract/policies.ts'
import { SluiceError } from '../errors.ts'
import { compareScaled, type Decimal, formatDecimal, parseDecimal } from '../money/decimal.ts'
import { createValuation } from '../planning/valuation.ts'
import { withPrices } from './ask-prices.ts'
import type { RunPorts } from './ports.ts'
import type { RunRecord } from './run-record.ts'
import { readFigures } from './take-snapshot.ts'

const WHOLE = 10_000n
/** What is in doubt is worth what is held of it all the same. */
const NO_DOUBTS: ReadonlyMap<string, string> = new Map()

/** Undefined where the plan does not hold every asset of its total, or the service does not tell: best effort. */
export async function readValueAfter(run: RunRecord, ports: RunPorts): Promise<string | undefined> {
  const { plan, asPlanned } = run
  const assets = plan && countedAssets(plan, asPlanned)
  if (plan === undefined || assets === undefined) return undefined
  try {
    await ports.service.clock.measure()
    const taken = await readFigures(asPlanned, NO_DOUBTS, ports)
    const hubs = asPlanned.hubs ?? []
    const wanted = createValuation(taken, hubs)
    const figures = await withPrices(
      taken,
      assets.flatMap((asset) => wanted.wantedFor(asset)),
      ports.service,
    )
    const valuation = createValuation(figures, hubs)
    let total = 0n
    for (const asset of assets) {
      const holding = figures.positions.get(asset)?.holding ?? (0n as Decimal)
      const value = holding === 0n ? 0n : valuation.valueDown(asset, holding)
      if (value === null) return undefined
      total += value
    }
    return formatDecimal(total as Decimal)
  } catch (error) {
    // The money is settled whether or not the service tells prices now.
    if (error instanceof SluiceError) return undefined
    throw error
  }
}

/** Undefined where the record keeps too few of the positions for the plan's total. */
function countedAssets({ positions, totalValue }: Plan, policy: Policy): string[] | undefined {
  const leftAlone = new Set(policy.kind === PolicyKind.Rebalance ? policy.leaveAlone : [])
  const counted = positions.filter(({ asset }) => !leftAlone.has(asset))
  const sum = counted.reduce((all, { value }) => all + parseDecimal(value, 'value'), 0n) as Decimal
  const total = parseDecimal(totalValue, 'totalValue')
  const differs = compareScaled(sum, WHOLE, total, WHOLE - 1n) < 0 || compareScaled(sum, WHOLE, total, WHOLE + 1n) > 0
  return differs ? undefined : counted.map(({ asset }) => asset)
}

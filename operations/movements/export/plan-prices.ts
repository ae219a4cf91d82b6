// Reads from a run's record the prices by which its plan valued assets: the middle of both sides of a market. They are the
// only middle prices that the journal keeps. Reads only.
import { sameCode } from '../../../core/contract/fields.ts'
import { recordKey } from '../../../core/contract/records.ts'
import type { AssetNames } from '../../../core/journal/intent.ts'
import { type Decimal, ONE_UNIT, parseDecimal } from '../../../core/money/decimal.ts'
import { runOfRecord } from '../../../core/runs/record/run-record.ts'
import type { RequestAccess } from '../../../place/journal/journal-parts.ts'

export interface PlanPrices {
  /** When the plan read them, ISO-8601. */
  readonly at: string
  readonly valuationAsset: string
  /** Value of one settled unit; undefined where the plan has none. */
  priceOf(asset: AssetNames): Decimal | undefined
}

/** Maximum runs whose prices are kept. The legs of a run are close to each other in the list, so few runs are enough. */
const MOST_KEPT = 64

export type FindPlanPrices = (runId: string) => Promise<PlanPrices | undefined>

/** The function throws Defect for an unreadable run, and Transient. */
export function createPlanPrices({ readRecord }: Pick<RequestAccess, 'readRecord'>): FindPlanPrices {
  const kept = new Map<string, Promise<PlanPrices | undefined>>()
  return (runId) => {
    const known = kept.get(runId)
    if (known !== undefined) return known
    if (kept.size >= MOST_KEPT) kept.clear()
    const found = findPrices(runId, readRecord)
    kept.set(runId, found)
    return found
  }
}

async function findPrices(runId: string, readRecord: RequestAccess['readRecord']): Promise<PlanPrices | undefined> {
  const record = await readRecord(recordKey.run(runId))
  const plan = record && runOfRecord(record).plan
  if (plan === undefined) return undefined
  const { takenAt: at, valuationAsset, positions } = plan
  return {
    at,
    valuationAsset,
    priceOf({ assetSymbol, rebasedSymbol = assetSymbol }) {
      const isIt = (code: string) => sameCode(code, assetSymbol) || sameCode(code, rebasedSymbol)
      if (isIt(valuationAsset)) return ONE_UNIT
      const price = positions.find(({ asset }) => isIt(asset))?.price ?? undefined
      return price === undefined ? undefined : parseDecimal(price, 'price')
    },
  }
}

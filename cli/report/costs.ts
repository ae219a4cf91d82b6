// What a run costs: fees of withdrawals by asset, and the spread of conversions. Pure.
import type { Plan } from '../../core/contract/plan.ts'
import type { Column } from '../terminal/table.ts'
import { shown, total } from './figures.ts'
import type { LegFacts, Money } from './leg-facts.ts'

export interface CostRow {
  readonly cost: string
  readonly planned: string
  /** Of withdrawals that are complete; empty for a spread: the rates of the legs show it. */
  readonly paid: string
  readonly asset: string
}

export const costColumns: readonly Column<CostRow>[] = [
  { title: 'cost', text: ({ cost }) => cost },
  { title: 'planned', text: ({ planned }) => planned, isAmount: true },
  { title: 'paid', text: ({ paid }) => paid, isAmount: true },
  { title: 'asset', text: ({ asset }) => asset },
]

/** The spread in the valuation asset, then fees asset by asset. */
export function costRows(facts: readonly LegFacts[], plan: Plan | undefined): CostRow[] {
  const spreads = facts.map(({ spreadCost }) => spreadCost).filter((cost) => cost !== '')
  const spread = { cost: 'spread', planned: shown(total(spreads)), paid: '', asset: plan?.valuationAsset ?? '' }
  const fees = facts.flatMap(({ fee }) => fee ?? [])
  const paid = facts.flatMap(({ feePaid }) => feePaid ?? [])
  const assets = [...new Set(fees.map(({ asset }) => asset))]
  return [
    ...(spreads.length === 0 ? [] : [spread]),
    ...assets.map((asset) => ({ cost: 'fees', planned: totalOf(asset, fees), paid: totalOf(asset, paid), asset })),
  ]
}

function totalOf(wanted: string, amounts: readonly Money[]): string {
  return total(amounts.filter(({ asset }) => asset === wanted).map(({ amount }) => amount))
}

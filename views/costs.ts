// Shows what operations cost: the columns of the list and of its CSV. A list rounds to what a person reads, and the CSV
// and JSON are exact. Pure.
import { COST_COLUMNS, type CostRow } from '../operations/costs/sum-costs.ts'
import type { Column } from '../operations/words/column.ts'
import { shown } from './runs/figures.ts'

/** Every column, exactly as counted. */
export const EXACT_COSTS: readonly Column<CostRow>[] = COST_COLUMNS.map((name) => ({
  title: name,
  text: (row) => row[name] ?? '',
}))

export const COST_LIST: readonly Column<CostRow>[] = [
  { title: 'month', text: ({ month }) => month ?? '' },
  { title: 'policy', text: ({ policy }) => policy ?? '(none)', cutTo: 16 },
  { title: 'moved', text: ({ movements }) => movements ?? '', isAmount: true },
  { title: 'open', text: ({ open }) => open ?? '', isAmount: true },
  { title: 'slippage bps', text: ({ slippageBps }) => short(slippageBps), isAmount: true },
  { title: 'slippage', text: ({ slippageCost }) => shown(slippageCost ?? ''), isAmount: true },
  { title: 'fees', text: ({ fees }) => shown(fees ?? ''), isAmount: true },
  { title: 'in', text: ({ valuationAsset }) => valuationAsset ?? '' },
  { title: 'fees in assets', text: ({ feesInAssets }) => feesInAssets ?? '', isDetail: true },
  { title: 'runs', text: ({ runs }) => runs ?? '', isAmount: true },
  {
    title: 'tracking error bps',
    text: ({ trackingErrorBps }) => short(trackingErrorBps),
    isAmount: true,
    isDetail: true,
  },
  { title: 'settle seconds', text: ({ settleSeconds }) => settleSeconds ?? '', isAmount: true, isDetail: true },
  { title: 'longest', text: ({ longestSettleSeconds }) => longestSettleSeconds ?? '', isAmount: true, isDetail: true },
]

/** Cut off after two places, for people. */
function short(text: string | null): string {
  return text === null ? '' : text.replace(/(\.\d{2})\d+$/, '$1')
}

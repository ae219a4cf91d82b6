// The columns in which a plan and its legs are told, on a page and on a terminal.
import type { GuardSaying, NonLeg, PlanPosition } from '../../core/contract/plan.ts'
import type { Column } from '../terminal/table.ts'
import { change, percent, shown } from './figures.ts'
import type { LegFacts, Money } from './leg-facts.ts'

/** Without the columns that say nothing in any of the rows: a sweep has no rates, a rebalance no fees. */
export function sayingColumns<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): readonly Column<Row>[] {
  return columns.filter(({ text }) => rows.some((row) => text(row) !== ''))
}

export function positionColumns(valuationAsset: string): readonly Column<PlanPosition>[] {
  return [
    { title: 'asset', text: ({ asset }) => asset },
    { title: 'holding', text: ({ holding }) => holding, isAmount: true },
    { title: `price in ${valuationAsset}`, text: ({ price }) => price ?? 'none', isAmount: true },
    { title: 'value', text: ({ value }) => shown(value), isAmount: true },
    { title: 'weight %', text: ({ weight }) => percent(weight), isAmount: true },
    {
      title: 'target %',
      text: ({ targetWeight }) => (targetWeight === undefined ? '' : percent(targetWeight)),
      isAmount: true,
    },
    { title: 'target, value', text: ({ targetValue }) => shown(targetValue ?? ''), isAmount: true },
    { title: 'drift', text: ({ drift }) => shown(drift ?? ''), isAmount: true },
    { title: 'after', text: ({ afterHolding }) => afterHolding, isAmount: true },
    { title: 'after, value', text: ({ afterValue }) => shown(afterValue), isAmount: true },
    { title: 'after, weight %', text: ({ afterWeight }) => percent(afterWeight), isAmount: true },
    { title: 'change', text: ({ value, afterValue }) => change(value, afterValue), isAmount: true },
  ]
}

/** As planned: what was filled is not known yet. */
export function plannedColumns(valuationAsset: string): readonly Column<LegFacts>[] {
  return [
    { title: 'leg', text: ({ key }) => key },
    { title: 'phase', text: ({ phase }) => String(phase) },
    { title: `value in ${valuationAsset}`, text: ({ value }) => shown(value), isAmount: true },
    ...money('gives', ({ gives }) => gives),
    ...money('brings', ({ brings }) => brings),
    { title: 'indicative rate', text: ({ indicativeRate }) => indicativeRate, isAmount: true },
    { title: 'spread cost', text: ({ spreadCost }) => shown(spreadCost), isAmount: true },
    ...money('fee', ({ fee }) => fee),
  ]
}

export function legColumns(valuationAsset: string): readonly Column<LegFacts>[] {
  const planned = plannedColumns(valuationAsset)
  return [
    ...planned.slice(0, 2),
    { title: 'outcome', text: ({ outcome }) => outcome },
    ...planned.slice(2, 8),
    { title: 'quoted', text: ({ quotedRate }) => quotedRate, isAmount: true },
    { title: 'filled', text: ({ filledRate }) => filledRate, isAmount: true },
    { title: 'worse by bps', text: ({ slippageBps }) => slippageBps, isAmount: true },
    ...planned.slice(8),
  ]
}

/** The amount, aligned on its point, and its asset. */
function money(title: string, moneyOf: (facts: LegFacts) => Money | undefined): readonly Column<LegFacts>[] {
  return [
    { title, text: (facts) => moneyOf(facts)?.amount ?? '', isAmount: true },
    { title: '', text: (facts) => moneyOf(facts)?.asset ?? '' },
  ]
}

export const nonLegColumns: readonly Column<NonLeg>[] = [
  { title: 'asset', text: ({ asset }) => asset },
  { title: 'code', text: ({ code }) => code },
  { title: 'why not', text: ({ reason }) => reason },
]

export const guardColumns: readonly Column<GuardSaying>[] = [
  { title: 'guard', text: ({ guard }) => guard },
  { title: 'of', text: ({ leg }) => leg ?? 'the run' },
  { title: 'says', text: ({ says }) => says },
]

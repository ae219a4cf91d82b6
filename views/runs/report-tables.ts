// Defines the tables of a report, the same on a page and on a terminal: their columns, the rows of costs, and their
// maximum lengths. Pure.

import type { GuardMessage, NonLeg, Plan, PlanPosition, PlanWay } from '../../core/contract/plan.ts'
import type { Column } from '../../operations/words/column.ts'
import { change, difference, percent, shown, total } from './figures.ts'
import type { LegFacts, Money } from './leg-facts.ts'

/** Leaves out columns that are empty in all rows. For example, a sweep has no rates and a rebalance no fees. */
export function filledColumns<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): readonly Column<Row>[] {
  return columns.filter(({ text }) => rows.some((row) => text(row) !== ''))
}

/** Whether the plan holds an asset at a target. A payout has none, and its amounts say more than their shares. */
export function hasTargets({ positions }: Pick<Plan, 'positions'>): boolean {
  return positions.some(({ targetWeight }) => targetWeight !== undefined)
}

export function positionColumns(plan: Pick<Plan, 'positions' | 'valuationAsset'>): readonly Column<PlanPosition>[] {
  return hasTargets(plan) ? targetColumns(plan) : amountColumns(plan)
}

function amountColumns({ valuationAsset }: Pick<Plan, 'valuationAsset'>): readonly Column<PlanPosition>[] {
  return [
    { title: 'asset', text: ({ asset }) => asset, cutTo: 12 },
    { title: 'holding', text: ({ holding }) => holding, isAmount: true },
    { title: 'after', text: ({ afterHolding }) => afterHolding, isAmount: true },
    { title: 'change', text: ({ holding, afterHolding }) => difference(holding, afterHolding), isAmount: true },
    { title: `price in ${valuationAsset}`, text: ({ price }) => price ?? 'none', isAmount: true, isDetail: true },
    { title: 'value', text: ({ value }) => shown(value), isAmount: true, cut: 'cents', isDetail: true },
    {
      title: 'after, value',
      text: ({ afterValue }) => shown(afterValue),
      isAmount: true,
      cut: 'cents',
      isDetail: true,
    },
  ]
}

function targetColumns({ valuationAsset }: Pick<Plan, 'valuationAsset'>): readonly Column<PlanPosition>[] {
  return [
    { title: 'asset', text: ({ asset }) => asset, cutTo: 12 },
    { title: 'holding', text: ({ holding }) => holding, isAmount: true, isDetail: true },
    { title: `price in ${valuationAsset}`, text: ({ price }) => price ?? 'none', isAmount: true, isDetail: true },
    { title: 'value', text: ({ value }) => shown(value), isAmount: true, cut: 'cents' },
    { title: 'weight %', text: ({ weight }) => percent(weight), isAmount: true, cut: 'cents' },
    {
      title: 'target %',
      text: ({ targetWeight }) => (targetWeight === undefined ? '' : percent(targetWeight)),
      isAmount: true,
      cut: 'cents',
    },
    {
      title: 'target, value',
      text: ({ targetValue }) => shown(targetValue ?? ''),
      isAmount: true,
      cut: 'cents',
      isDetail: true,
    },
    { title: 'drift', text: ({ drift }) => shown(drift ?? ''), isAmount: true, cut: 'cents', isDetail: true },
    { title: 'after', text: ({ afterHolding }) => afterHolding, isAmount: true, isDetail: true },
    {
      title: 'after, value',
      text: ({ afterValue }) => shown(afterValue),
      isAmount: true,
      cut: 'cents',
      isDetail: true,
    },
    { title: 'after, weight %', text: ({ afterWeight }) => percent(afterWeight), isAmount: true, cut: 'cents' },
    { title: 'change', text: ({ value, afterValue }) => change(value, afterValue), isAmount: true, cut: 'cents' },
  ]
}

/** The columns of legs as planned, before anything is filled. */
export function plannedColumns(valuationAsset: string): readonly Column<LegFacts>[] {
  return [
    { title: 'leg', text: ({ key }) => key, cutTo: 12 },
    { title: 'phase', text: ({ phase }) => String(phase), isDetail: true },
    {
      title: `value in ${valuationAsset}`,
      text: ({ value }) => shown(value),
      isAmount: true,
      cut: 'cents',
      isDetail: true,
    },
    ...money('gives', ({ gives }) => gives),
    ...money('brings', ({ brings }) => brings),
    { title: 'indicative rate', text: ({ indicativeRate }) => indicativeRate, isAmount: true, isDetail: true },
    { title: 'spread cost', text: ({ spreadCost }) => shown(spreadCost), isAmount: true, cut: 'cents', isDetail: true },
    { title: 'spread paid', text: ({ spreadPaid }) => shown(spreadPaid), isAmount: true, cut: 'cents', isDetail: true },
    ...money('fee', ({ fee }) => fee).map((column) => ({ ...column, isDetail: true })),
  ]
}

export function legColumns(valuationAsset: string): readonly Column<LegFacts>[] {
  const planned = plannedColumns(valuationAsset)
  return [
    ...planned.slice(0, 2),
    { title: 'outcome', text: ({ outcome }) => outcome },
    ...planned.slice(2, 8),
    { title: 'quoted', text: ({ quotedRate }) => quotedRate, isAmount: true, isDetail: true },
    { title: 'filled', text: ({ filledRate }) => filledRate, isAmount: true, isDetail: true },
    { title: 'worse by bps', text: ({ slippageBps }) => slippageBps, isAmount: true, isDetail: true },
    ...planned.slice(8),
  ]
}

/** Two columns: the amount, aligned on its point, and its asset. */
function money(title: string, moneyOf: (facts: LegFacts) => Money | undefined): readonly Column<LegFacts>[] {
  return [
    { title, text: (facts) => moneyOf(facts)?.amount ?? '', isAmount: true },
    { title: '', text: (facts) => moneyOf(facts)?.asset ?? '', cutTo: 4 },
  ]
}

export const nonLegColumns: readonly Column<NonLeg>[] = [
  { title: 'asset', text: ({ asset }) => asset, cutTo: 12 },
  { title: 'code', text: ({ code }) => code },
  { title: 'why not', text: ({ reason }) => reason, isDetail: true },
]

export const guardColumns: readonly Column<GuardMessage>[] = [
  { title: 'guard', text: ({ guard }) => guard },
  { title: 'of', text: ({ leg }) => leg ?? 'the run', cutTo: 12 },
  { title: 'says', text: ({ says }) => says, isDetail: true },
]

/** A route of a trade: the chosen route, or an alternative with its cost or the reason against it. */
interface WayRow {
  readonly from: string
  readonly to: string
  readonly value: string
  readonly way: string
  readonly cost: string
  readonly says: string
}

export function wayColumns(valuationAsset: string): readonly Column<WayRow>[] {
  return [
    { title: 'from', text: ({ from }) => from, cutTo: 12 },
    { title: 'to', text: ({ to }) => to, cutTo: 12 },
    { title: `value in ${valuationAsset}`, text: ({ value }) => shown(value), isAmount: true, cut: 'cents' },
    { title: 'way', text: ({ way }) => way },
    { title: 'cost', text: ({ cost }) => shown(cost), isAmount: true, cut: 'cents' },
    { title: 'taken, or why not', text: ({ says }) => says, isDetail: true },
  ]
}

/** The chosen route of each trade, followed by its alternatives. */
export function wayRows({ trades = [] }: Pick<Plan, 'trades'>): WayRow[] {
  return trades.flatMap(({ gives, brings, value, way, others }) => [
    { from: gives, to: brings, value, way: wayText(way), cost: way.cost ?? '', says: 'taken' },
    ...others.map((other) => {
      return {
        from: '',
        to: '',
        value: '',
        way: wayText(other),
        cost: other.cost ?? '',
        says: other.reason ?? 'not cheaper',
      }
    }),
  ])
}

function wayText({ hub, markets }: PlanWay): string {
  const by = hub === undefined ? 'own market' : `through ${hub}`
  return markets.length === 0 ? by : `${by}: ${markets.join(', ')}`
}

interface CostRow {
  readonly cost: string
  readonly planned: string
  /** Fees of complete withdrawals, or the cost of the fills. Empty where nothing was filled. */
  readonly paid: string
  readonly asset: string
}

export const costColumns: readonly Column<CostRow>[] = [
  { title: 'cost', text: ({ cost }) => cost },
  { title: 'planned', text: ({ planned }) => planned, isAmount: true },
  { title: 'paid', text: ({ paid }) => paid, isAmount: true },
  { title: 'asset', text: ({ asset }) => asset, cutTo: 12 },
]

/** First the spread, in the valuation asset, then the fees of each asset. */
export function costRows(facts: readonly LegFacts[], plan: Plan | undefined): CostRow[] {
  const spreads = facts.map(({ spreadCost }) => spreadCost).filter((cost) => cost !== '')
  const spreadsPaid = facts.map(({ spreadPaid }) => spreadPaid).filter((cost) => cost !== '')
  const spread = {
    cost: 'spread',
    planned: shown(total(spreads)),
    paid: spreadsPaid.length === 0 ? '' : shown(total(spreadsPaid)),
    asset: plan?.valuationAsset ?? '',
  }
  const fees = facts.flatMap(({ fee }) => fee ?? [])
  const paid = facts.flatMap(({ feePaid }) => feePaid ?? [])
  const assets = [...new Set(fees.map(({ asset }) => asset))]
  return [
    ...(spreads.length === 0 ? [] : [spread]),
    ...assets.map((asset) => ({ cost: 'fees', planned: totalOf(asset, fees), paid: totalOf(asset, paid), asset })),
  ]
}

interface MovedRow {
  readonly asset: string
  readonly given: string
  readonly brought: string
  /** Brought minus given, with its sign. */
  readonly net: string
}

export const movedColumns: readonly Column<MovedRow>[] = [
  { title: 'asset', text: ({ asset }) => asset, cutTo: 12 },
  { title: 'given', text: ({ given }) => given, isAmount: true },
  { title: 'brought', text: ({ brought }) => brought, isAmount: true },
  { title: 'net', text: ({ net }) => net, isAmount: true },
]

/** The movements of all legs together, a row for each asset. */
export function movedRows(facts: readonly LegFacts[]): MovedRow[] {
  const gave = facts.flatMap(({ moved }) => moved?.gave ?? [])
  const brought = facts.flatMap(({ moved }) => moved?.brought ?? [])
  const assets = [...new Set([...gave, ...brought].map(({ asset }) => asset))]
  return assets.map((asset) => {
    const [given, came] = [totalOf(asset, gave), totalOf(asset, brought)]
    return { asset, given, brought: came, net: withSign(total([came, `-${given}`])) }
  })
}

function withSign(amount: string): string {
  return amount.startsWith('-') || amount === '0' ? amount : `+${amount}`
}

function totalOf(code: string, amounts: readonly Money[]): string {
  return total(amounts.filter(({ asset }) => asset === code).map(({ amount }) => amount))
}

export const MOST_ROWS = 250
/** Maximum assets in a chart. */
export const MOST_BARS = 40

interface Shown<Row> {
  readonly rows: readonly Row[]
  readonly more: number
}

export function firstOf<Row>(rows: readonly Row[], most: number): Shown<Row> {
  return { rows: rows.slice(0, most), more: Math.max(0, rows.length - most) }
}

/** The line below a list that leaves rows out. */
export function moreText(more: number): string {
  return `and ${more} more: the JSON of the run has all of them`
}

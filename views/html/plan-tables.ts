// Shows the tables of a plan beside its legs: positions before and after, in the order of their chart, and what is not
// done and why. It also shows the totals over the legs of a run. Pure: data in, HTML out.

import { NON_LEG_NAMES } from '../../core/contract/code-names.ts'
import type { Plan, PlanPosition } from '../../core/contract/plan.ts'
import type { RunReport } from '../../core/contract/runs.ts'
import type { Column } from '../../operations/words/column.ts'
import { byValue, type Cut, difference, percent, readable } from '../runs/figures.ts'
import type { LegFacts } from '../runs/leg-facts.ts'
import {
  costColumns,
  costRows,
  firstOf,
  hasTargets,
  MOST_BARS,
  moreText,
  movedColumns,
  movedRows,
  wayColumns,
  wayRows,
} from '../runs/report-tables.ts'
import { type Cell, facts, none, table } from './html-table.ts'
import { html, type Markup } from './markup.ts'
import { named } from './outcome-badge.ts'
import { figure, grouped, said } from './shown-figures.ts'

/** Chart and table, each with the largest value first. `name` describes the positions to people who hear the page. */
export function chartAndPositions({ positions, ...plan }: Plan, name: string): Markup {
  const inOrder = byValue(positions, ({ value }) => value)
  const shownPlan = { ...plan, positions: inOrder }
  const cells = hasTargets(shownPlan) ? targetCells(plan.valuationAsset) : amountCells(plan.valuationAsset)
  return html`${positionChart(shownPlan)}${table(`Positions ${name}`, cells, inOrder)}`
}

function targetCells(valuationAsset: string): Cell<PlanPosition>[] {
  return [
    { title: 'asset', text: ({ asset }) => asset, isHead: true },
    { title: 'holding', text: ({ holding }) => holding, isAmount: true },
    { title: `value, ${valuationAsset}`, text: ({ value }) => value, isAmount: true, by: 'cents' },
    { title: 'weight %', text: ({ weight }) => percent(weight), isAmount: true, by: 'cents' },
    {
      title: 'target %',
      text: ({ targetWeight }) => (targetWeight === undefined ? '' : percent(targetWeight)),
      isAmount: true,
      by: 'cents',
    },
    { title: `drift, ${valuationAsset}`, text: ({ drift }) => drift ?? '', isAmount: true, by: 'cents' },
    { title: 'after the legs', text: ({ afterHolding }) => afterHolding, isAmount: true },
    { title: 'after, %', text: ({ afterWeight }) => percent(afterWeight), isAmount: true, by: 'cents' },
  ]
}

function amountCells(valuationAsset: string): Cell<PlanPosition>[] {
  return [
    { title: 'asset', text: ({ asset }) => asset, isHead: true },
    { title: 'holding', text: ({ holding }) => holding, isAmount: true },
    { title: 'after the legs', text: ({ afterHolding }) => afterHolding, isAmount: true },
    { title: 'change', text: ({ holding, afterHolding }) => difference(holding, afterHolding), isAmount: true },
    { title: `value, ${valuationAsset}`, text: ({ value }) => value, isAmount: true, by: 'cents' },
    { title: `value after, ${valuationAsset}`, text: ({ afterValue }) => afterValue, isAmount: true, by: 'cents' },
  ]
}

/** The value of the policy's assets in the valuation asset, and the assets without a price, which it leaves out. */
export function totalValueOf({ totalValue, valuationAsset, unpriced = [] }: Plan): Markup {
  return html`${figure(totalValue, 'cents')} ${valuationAsset}${unpriced.length > 0 && `, without ${unpriced.join(', ')}, which no market prices`}`
}

/** The account may hold other assets, so no page calls this the total value. */
export const POLICY_ASSETS = "value of the policy's assets"

export function totalsOf({ plan, totalValueAfter }: RunReport, legs: readonly LegFacts[]): Markup {
  const [moved, costs] = [movedRows(legs), costRows(legs, plan)]
  const unit = plan?.valuationAsset ?? ''
  return html`${facts([
    ['turnover of the plan', plan && html`${figure(plan.turnover, 'cents')} ${unit}`],
    [`${POLICY_ASSETS} before`, plan && totalValueOf(plan)],
    [`${POLICY_ASSETS} after`, totalValueAfter && html`${figure(totalValueAfter, 'cents')} ${unit}`],
    [
      'change, prices and costs together',
      totalValueAfter && plan && html`${figure(difference(plan.totalValue, totalValueAfter), 'cents')} ${unit}`,
    ],
  ])}${moved.length > 0 && table('Moved by all legs', cellsOf(movedColumns), moved)}${
    costs.length === 0 ? none('There are no costs.') : table('Costs', cellsOf(costColumns, 'cents'), costs)
  }`
}

function cellsOf<Row>(columns: readonly Column<Row>[], by: Cut = 'digits') {
  return columns.map(({ title, text, isAmount = false }, index) => ({ title, text, isAmount, by, isHead: index === 0 }))
}

/** The route of each trade, and the cost of the others. Undefined where nothing is converted. */
export function waysOf(plan: Plan): Markup | undefined {
  const rows = wayRows(plan)
  return rows.length === 0
    ? undefined
    : table('Ways of the trades', cellsOf(wayColumns(plan.valuationAsset), 'cents'), rows)
}

export function notDone({ nonLegs, guards }: Plan): Markup {
  return html`${
    nonLegs.length === 0
      ? none('Nothing was left out.')
      : table(
          'What was not done',
          [
            { title: 'asset', text: ({ asset }) => asset, isHead: true },
            { title: 'why not', text: ({ code }) => named(NON_LEG_NAMES[code], code) },
            { title: 'in detail', text: ({ reason }) => said(reason) },
          ],
          nonLegs,
        )
  }${
    guards.length > 0 &&
    table(
      'What the guards say',
      [
        { title: 'guard', text: ({ guard }) => guardText(guard), isHead: true },
        { title: 'of', text: ({ leg }) => leg ?? 'the run' },
        { title: 'says', text: ({ says }) => said(says) },
      ],
      guards,
    )
  }`
}

/** A guard is called by its field in treasury.json: `allowedMarkets` → `allowed markets`. */
function guardText(guard: string): string {
  return guard
    .replaceAll('.', ', ')
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trim()
}

// Draws the positions of a plan as bars, in SVG: before, target, and after the legs. Assets with targets are drawn as
// shares of the total value. Without targets the amounts count, because a payout changes no share where it is the only
// asset. Only the lengths of the bars are floating-point numbers. Horizontal positions are shares of the width, so that
// text keeps its size on a narrow screen. Pure.

/** In percent of the width: the end of the labels, the start of the bars, the longest bar, and the start of the figures. */
const LABELS = 21
const BARS = 23
const LONGEST_BAR = 43
const FIGURES = 68
/** In pixels: the height of a bar, the gap between bars, and between assets. A line of type fits beside each bar. */
const BAR = 8
const GAP = 4
const BETWEEN = 8

interface Bar {
  readonly name: 'before' | 'target' | 'after'
  /** Part of the longest bar, from 0 to 1. */
  readonly length: number
  readonly figure: string
}

function positionChart(plan: Plan): Markup {
  const { positions, valuationAsset } = plan
  const { rows, more } = firstOf(
    byValue(positions, ({ value }) => value),
    MOST_BARS,
  )
  if (rows.length === 0) return html`<p class="dim">No asset of this policy is held.</p>`
  const hasShares = hasTargets(plan)
  const barsOf = hasShares ? shareBars(rows) : amountBars
  let top = 4
  const groups = rows.map((position) => {
    const bars = barsOf(position)
    const group = groupMarkup(position.asset, bars, top)
    top += bars.length * (BAR + GAP) + BETWEEN
    return group
  })
  return html`<p class="legend"><span class="key before"></span> before ${hasShares && html`<span class="key target"></span> target `}
<span class="key after"></span> after the legs, ${hasShares ? `as shares of the value of the policy's assets in ${valuationAsset}` : 'as amounts, each asset by a measure of its own'}</p>
<svg class="chart" height="${top}" role="img" aria-label="${hasShares ? 'weights before, target and after' : 'amounts before and after'}">
${groups}</svg>
${more > 0 && html`<p class="dim">${moreText(more)}</p>`}`
}

function shareBars(positions: readonly PlanPosition[]): (position: PlanPosition) => readonly Bar[] {
  const weightsOf = ({ weight, targetWeight = '0', afterWeight }: PlanPosition) => [weight, targetWeight, afterWeight]
  const widest = Math.max(0.01, ...positions.flatMap(weightsOf).map(Number))
  const bar = (name: Bar['name'], weight: string) => ({
    name,
    length: Number(weight) / widest,
    figure: `${readable(percent(weight), 'cents')} %`,
  })
  return ({ weight, targetWeight, afterWeight }) => [
    bar('before', weight),
    ...(targetWeight === undefined ? [] : [bar('target', targetWeight)]),
    bar('after', afterWeight),
  ]
}

function amountBars({ holding, afterHolding }: PlanPosition): readonly Bar[] {
  const longest = Math.max(Number(holding), Number(afterHolding))
  const bar = (name: Bar['name'], amount: string) => ({
    name,
    length: longest === 0 ? 0 : Number(amount) / longest,
    figure: grouped(readable(amount)),
  })
  return [bar('before', holding), bar('after', afterHolding)]
}

function groupMarkup(asset: string, bars: readonly Bar[], top: number): Markup {
  return html`<text class="label" x="${LABELS}%" y="${top + BAR}" text-anchor="end">${asset}</text>
${bars.map(({ name, length, figure }, index) => {
  const y = top + index * (BAR + GAP)
  return html`<rect class="${name}" x="${BARS}%" y="${y}" width="${(length * LONGEST_BAR).toFixed(1)}%" height="${BAR}"><title>${name} ${figure}</title></rect>
<text class="figure" x="${FIGURES}%" y="${y + BAR - 1}">${figure} ${name}</text>
`
})}`
}

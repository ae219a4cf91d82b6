// Draws the positions of a plan as bars, in SVG: before, target, and after the legs. Assets with targets are drawn as
// shares of the total value. Without targets the amounts count, because a payout changes no share where it is the only
// asset. Only the lengths of the bars are floating-point numbers. Horizontal positions are shares of the width, so that
// text keeps its size on a narrow screen. Pure.

import type { Plan, PlanPosition } from '../../core/contract/plan.ts'
import { byValue, percent, readable } from '../runs/figures.ts'
import { firstOf, hasTargets, MOST_BARS, moreText } from '../runs/report-tables.ts'
import { html, type Markup } from './markup.ts'
import { grouped } from './shown-figures.ts'

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

export function positionChart(plan: Plan): Markup {
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

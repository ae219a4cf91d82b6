// Draws the charts of a page, as SVG. The timeline shows what happened in a run and when, from the run's own record.
// The weights are bars: before, target, and after the legs. Only the lengths of the bars are floating-point numbers;
// the figures beside them are exact. Horizontal positions are shares of the width, so that text keeps its size on a
// narrow screen. Pure.

import type { Plan, PlanPosition } from '../../core/contract/plan.ts'
import { byValue, percent } from '../runs/figures.ts'
import { firstOf, MOST_BARS, moreText } from '../runs/report-tables.ts'
import { html, type Markup } from './markup.ts'
import { type Happening, timesOf } from './run-timeline.ts'

/** Left and right margin, in percent of the width. */
const EDGE = 3
/** In pixels, like the position of the axis. */
const HEIGHT = 44
const AXIS = 30
/** In percent of the width. Of closer marks only the first gets its number, so that numbers stay apart even at 400 px. */
const NUMBER_ROOM = 6
/** A longer timeline draws its first marks only. */
const MOST_MARKS = 400

/** Draws a mark for each happening with a valid time. The number of a mark is the happening's place in the list. */
export function timelineChart(happenings: readonly Happening[]): Markup {
  const times = timesOf(happenings)
  const timed = happenings
    .flatMap(({ of, what, look }, index) => {
      const atMs = times[index]
      return atMs === undefined ? [] : [{ atMs, look, number: index + 1, text: `${of}: ${what}` }]
    })
    .slice(0, MOST_MARKS)
  const [first] = timed
  if (first === undefined) return html`<p class="dim">Nothing of this run has a time.</p>`
  const span = Math.max(1, (timed.at(-1) ?? first).atMs - first.atMs)
  let numberedTo = Number.NEGATIVE_INFINITY
  const marks = timed.map(({ atMs, look, number, text }) => {
    const x = EDGE + ((atMs - first.atMs) / span) * (100 - 2 * EDGE)
    const isNumbered = x - numberedTo >= NUMBER_ROOM
    if (isNumbered) numberedTo = x
    return html`<circle class="${look}" cx="${x.toFixed(1)}%" cy="${AXIS}" r="5"><title>${number}. ${text}</title></circle>
${isNumbered && html`<text class="figure" x="${x.toFixed(1)}%" y="${AXIS - 12}" text-anchor="middle">${number}</text>`}`
  })
  return html`<svg class="chart" height="${HEIGHT}" role="img" aria-label="what happened when">
<line class="axis" x1="${EDGE}%" y1="${AXIS}" x2="${100 - EDGE}%" y2="${AXIS}"/>
${marks}</svg>`
}

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
  readonly weight: string
}

export function weightsChart({ positions, valuationAsset }: Plan): Markup {
  const { rows, more } = firstOf(
    byValue(positions, ({ value }) => value),
    MOST_BARS,
  )
  if (rows.length === 0) return html`<p class="dim">No asset of this policy is held.</p>`
  const widest = Math.max(0.01, ...rows.flatMap(barsOf).map(({ weight }) => Number(weight)))
  let top = 4
  const groups = rows.map((position) => {
    const bars = barsOf(position)
    const group = groupMarkup(position, bars, top, widest)
    top += bars.length * (BAR + GAP) + BETWEEN
    return group
  })
  return html`<p class="legend"><span class="key before"></span> before <span class="key target"></span> target
<span class="key after"></span> after the legs, as shares of the total value in ${valuationAsset}</p>
<svg class="chart" height="${top}" role="img" aria-label="weights before, target and after">
${groups}</svg>
${more > 0 && html`<p class="dim">${moreText(more)}</p>`}`
}

function barsOf({ weight, targetWeight, afterWeight }: PlanPosition): Bar[] {
  return [
    { name: 'before', weight },
    ...(targetWeight === undefined ? [] : [{ name: 'target' as const, weight: targetWeight }]),
    { name: 'after', weight: afterWeight },
  ]
}

function groupMarkup({ asset }: PlanPosition, bars: readonly Bar[], top: number, widest: number): Markup {
  return html`<text class="label" x="${LABELS}%" y="${top + BAR}" text-anchor="end">${asset}</text>
${bars.map(({ name, weight }, index) => {
  const y = top + index * (BAR + GAP)
  const width = ((Number(weight) / widest) * LONGEST_BAR).toFixed(1)
  return html`<rect class="${name}" x="${BARS}%" y="${y}" width="${width}%" height="${BAR}"><title>${name} ${percent(weight)} %</title></rect>
<text class="figure" x="${FIGURES}%" y="${y + BAR - 1}">${percent(weight)} % ${name}</text>
`
})}`
}

// The weights of a plan as bars: before, target, and after the legs. Only the lengths of the bars are floating-point
// numbers; the figures beside them are exact.
import type { Plan, PlanPosition } from '../../core/contract/plan.ts'
import { byValue, percent } from './figures.ts'
import { html, type Markup } from './markup.ts'
import { firstOf, MOST_BARS, moreText } from './report-tables.ts'

const WIDTH = 760
const LABELS = 150
const FIGURES = 130
const BAR = 9
const GAP = 2
const BETWEEN = 12

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
  let top = 0
  const groups = rows.map((position) => {
    const bars = barsOf(position)
    const group = groupMarkup(position, bars, top, widest)
    top += bars.length * (BAR + GAP) + BETWEEN
    return group
  })
  return html`<p class="legend"><span class="key before"></span> before <span class="key target"></span> target
<span class="key after"></span> after the legs, as shares of the total value in ${valuationAsset}</p>
<svg class="chart" viewBox="0 0 ${WIDTH} ${top}" role="img" aria-label="weights before, target and after">
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
  const room = WIDTH - LABELS - FIGURES
  return html`<text class="label" x="${LABELS - 10}" y="${top + BAR}" text-anchor="end">${asset}</text>
${bars.map(({ name, weight }, index) => {
  const y = top + index * (BAR + GAP)
  const width = ((Number(weight) / widest) * room).toFixed(1)
  return html`<rect class="${name}" x="${LABELS}" y="${y}" width="${width}" height="${BAR}"><title>${name} ${percent(weight)} %</title></rect>
<text class="figure" x="${WIDTH - FIGURES + 10}" y="${y + BAR - 1}">${percent(weight)} % ${name}</text>
`
})}`
}

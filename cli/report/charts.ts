// The charts of a page, as SVG. The timeline shows what happened in a run and when, from its own record. The weights are
// bars: before, target, and after the legs. Only the lengths of the bars are floating-point numbers; the figures beside
// them are exact. Pure.

import type { Plan, PlanPosition } from '../../core/contract/plan.ts'
import type { RunReport } from '../../core/contract/runs.ts'
import { byValue, percent } from './figures.ts'
import { html, type Markup } from './markup.ts'
import { triggerText } from './report-sentences.ts'
import { firstOf, MOST_BARS, MOST_MOMENTS, moreText } from './report-tables.ts'

/** Of every chart. */
const WIDTH = 760
const EDGE = 16
const HEIGHT = 44
const AXIS = 30
/** Of marks that are nearer to each other than this, only the first is numbered. */
const NUMBER_ROOM = 18

export function timelineChart(moments: readonly Moment[]): Markup {
  const { rows, more } = firstOf(moments, MOST_MOMENTS)
  const [first] = rows
  if (first === undefined) return html`<p class="dim">Nothing of this run has a time.</p>`
  const span = Math.max(1, (rows.at(-1) ?? first).atMs - first.atMs)
  let numberedTo = Number.NEGATIVE_INFINITY
  const marks = rows.map(({ atMs, look, text }, index) => {
    const x = EDGE + ((atMs - first.atMs) / span) * (WIDTH - 2 * EDGE)
    const isNumbered = x - numberedTo >= NUMBER_ROOM
    if (isNumbered) numberedTo = x
    return html`<circle class="${look}" cx="${x.toFixed(1)}" cy="${AXIS}" r="5"><title>${index + 1}. ${text}</title></circle>
${isNumbered && html`<text class="figure" x="${x.toFixed(1)}" y="${AXIS - 12}" text-anchor="middle">${index + 1}</text>`}`
  })
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="what happened when">
<line class="axis" x1="${EDGE}" y1="${AXIS}" x2="${WIDTH - EDGE}" y2="${AXIS}"/>
${marks}</svg>
<ol class="moments">
${rows.map(({ at, atMs, text }) => html`<li><time>${at}</time> <span class="dim">+${secondsText(atMs - first.atMs)}</span> ${text}</li>\n`)}</ol>
${more > 0 && html`<p class="dim">${moreText(more)}</p>`}`
}

function secondsText(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

export interface Moment {
  /** ISO-8601, as recorded. */
  readonly at: string
  readonly atMs: number
  readonly text: string
  readonly look: 'start' | 'person' | 'moved' | 'end'
}

/** A conversion may have 500 fills. The first few of a leg are enough for a time line. */
const FILLS_A_LEG = 5

/** The moments in order of time. One without a valid time is left out; the service may give a fill such a time. */
export function momentsOf(report: RunReport): Moment[] {
  const { startedAt, endedAt, plan, approval, outcome } = report
  const moments = [
    moment(startedAt, `started${triggerText(report.trigger)}`, 'start'),
    ...(plan === undefined ? [] : [moment(plan.takenAt, 'balances and prices taken', 'start')]),
    ...(approval?.at === undefined
      ? []
      : [moment(approval.at, `${approval.decision ?? 'decided'} by ${approval.by ?? 'a person'}`, 'person')]),
    ...report.legs.flatMap(fillMoments),
    ...(endedAt === undefined ? [] : [moment(endedAt, `ended ${outcome}`, 'end')]),
  ]
  return moments.filter(({ atMs }) => Number.isFinite(atMs)).sort((left, right) => left.atMs - right.atMs)
}

function fillMoments({ leg, conversion }: RunReport['legs'][number]): Moment[] {
  const fills = conversion?.fills ?? []
  const shown = fills.slice(0, FILLS_A_LEG).map(({ executedAt, baseAmount, quoteAmount, sequence }) => {
    const market = leg.kind === 'convert' ? leg.market : ''
    return moment(executedAt, `${leg.key}: fill ${sequence}, ${baseAmount} for ${quoteAmount} on ${market}`, 'moved')
  })
  const last = fills.at(-1)
  if (last === undefined || fills.length <= FILLS_A_LEG) return shown
  return [...shown, moment(last.executedAt, `${leg.key}: last of ${fills.length} fills`, 'moved')]
}

function moment(at: string, text: string, look: Moment['look']): Moment {
  return { at, atMs: Date.parse(at), text, look }
}

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

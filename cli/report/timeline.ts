// What happened in a run and when, from its own record: a line of numbered marks, and the list that explains them.
// Pure.

import type { RunReport } from '../../core/contract/runs.ts'
import { html, type Markup } from './markup.ts'
import { triggerText } from './report-sentences.ts'
import { firstOf, MOST_MOMENTS, moreText } from './report-tables.ts'

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
  const span = Math.max(1, (rows.at(-1) as Moment).atMs - first.atMs)
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

// What happened when, as a line of numbered marks and the list that they refer to.
import { firstOf, MOST_MOMENTS, moreText } from './bounds.ts'
import { html, type Markup } from './markup.ts'
import type { Moment } from './moments.ts'

const WIDTH = 760
const EDGE = 16
const HEIGHT = 44
const AXIS = 30
/** Marks nearer than this share one number's place: only the first of them is numbered. */
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

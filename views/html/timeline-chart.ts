// Draws the chart of a timeline, as SVG: what happened in a run and when, from the run's own record. Horizontal positions
// are shares of the width, so that text keeps its size on a narrow screen. Pure.

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

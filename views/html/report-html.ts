// The report of a run as one HTML page that stands by itself: it runs no script, makes no request, and escapes every
// value. It is made of the parts and the style of the console. What it shows is in it once more as JSON, for programs.
// Pure: everything that it shows is given.
import type { RunReport } from '../../core/contract/runs.ts'
import { outcomeWords } from '../../operations/words/outcome-words.ts'
import { prose } from '../runs/figures.ts'
import { legFactsOf } from '../runs/leg-facts.ts'
import { approvalText, strandedTexts, tieOutText, triggerText } from '../runs/report-sentences.ts'
import { timelineChart } from './charts.ts'
import { badge, facts, none } from './html-table.ts'
import { legTable } from './leg-table.ts'
import { dataBlock, html, type Markup, trusted } from './markup.ts'
import { notDone, totalsOf, valueText, waysOf, weightsAndPositions } from './plan-tables.ts'
import { REPORT_STYLE } from './report-style.ts'
import { type Happening, happeningsOfRun, type Told, timeline, toldOf } from './run-timeline.ts'
import { lasted, moment } from './shown-figures.ts'

/** Nothing may be fetched, whatever a label says. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

/**
 * The whole page. Of very long lists it shows the first rows, and says how many more there are. `courses`: what happened
 * to its legs; the timeline tells the attempts of those.
 */
export function reportHtml(report: RunReport, courses: readonly Omit<Told, 'key'>[] = []): string {
  const { plan, policy, runId } = report
  const legs = legFactsOf(report)
  const ways = plan && waysOf(plan)
  const happenings = happeningsOfRun(report, toldOf(report, courses))
  const untold = report.legs.length - courses.length
  return `<!doctype html>\n${
    html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="color-scheme" content="light dark">
<title>${policy}: ${report.outcome} (${runId})</title>
<style>${trusted(REPORT_STYLE)}</style>
</head>
<body>
<main>
${headOf(report)}
${section('Totals', totalsOf(report, legs))}
${section('Legs', legs.length === 0 ? none('There were none.') : legTable(legs, plan?.valuationAsset ?? 'the valuation asset'))}
${plan !== undefined && section('Before and after', weightsAndPositions(plan, 'before and after'))}
${section('What happened when', html`${timelineChart(happenings)}${timeline(happenings)}${untold > 0 && none(`Of ${untold} legs the attempts are not told here.`)}`)}
${ways !== undefined && section('By which ways', ways)}
${section('What was not done, and why', plan === undefined ? none('There was no plan.') : notDone(plan))}
${dataOf(report, happenings)}
</main>
<footer><p>Times are UTC. This page asks nobody. <code>sluice runs show ${runId} --json</code> prints all of the run.</p></footer>
</body>
</html>
`.text
  }`
}

function section(title: string, content: Markup): Markup {
  return html`<section><h2>${title}</h2>
${content}</section>`
}

function headOf(report: RunReport): Markup {
  const { outcome, runId, policy, kind, startedAt, endedAt, why, plan, approval } = report
  const { says, look } = outcomeWords(outcome)
  const tookMs = endedAt === undefined ? Number.NaN : Date.parse(endedAt) - Date.parse(startedAt)
  return html`<header><h1>${policy}</h1>
<p class="outcome">${badge(outcome, look)} ${says}.</p>
<p class="${tieOutLook(report)}">${tieOutText(report)}</p>
${facts([
  ['run', html`<code>${runId}</code>`],
  ['policy', `${policy} (${kind})`],
  ['started', html`${moment(startedAt)}${triggerText(report.trigger)}`],
  ['ended', endedAt === undefined ? 'not yet' : html`${moment(endedAt)}, after ${lasted(tookMs)}`],
  ['why', why && prose(why)],
  ['total value', plan && valueText(plan)],
  ['approval', approval && prose(approvalText(approval))],
  ['plan hash', approval && html`<code>${approval.planHash}</code>`],
])}${strandedTexts(report).map((text) => html`<p>${prose(text)}</p>\n`)}</header>`
}

function tieOutLook({ tiesOut }: RunReport): string {
  if (tiesOut === undefined) return 'dim'
  return tiesOut ? 'good' : 'bad'
}

/** In characters. A run of more is read from its JSON by `sluice runs show`. */
const MOST_DATA = 250_000

/** The report by its contract, and the lines of the timeline. */
function dataOf(report: RunReport, happenings: readonly Happening[]): Markup {
  const told = happenings.map(({ at, of, what, text }) => ({ ...(at !== undefined && { at }), of, what, text }))
  return (
    dataBlock('run', { ...report, timeline: told }, MOST_DATA) ??
    none('The data of this run are too long to be in this page: the JSON of the run has all of them.')
  )
}

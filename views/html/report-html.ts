// The report of a run as one self-contained HTML page. It runs no script, makes no request, and escapes every value. It uses
// the parts and the style of the console. The page also contains its data as JSON, for programs. Pure.
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
import { coursesOf, type Happening, happeningsOfRun, type LegCourse, timeline } from './run-timeline.ts'
import { lasted, moment } from './shown-figures.ts'

/** The page may load nothing, even if a label contains markup. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

/**
 * The whole page. A very long list shows its first rows, and how many more exist. `courses` holds the facts of legs, for the
 * timeline.
 */
export function reportHtml(report: RunReport, courses: readonly Omit<LegCourse, 'key'>[] = []): string {
  const { plan, policy, runId } = report
  const legs = legFactsOf(report)
  const ways = plan && waysOf(plan)
  const happenings = happeningsOfRun(report, coursesOf(report, courses))
  const untimed = report.legs.length - courses.length
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
${section('What happened when', html`${timelineChart(happenings)}${timeline(happenings)}${untimed > 0 && none(`The attempts of ${untimed} legs are not shown here.`)}`)}
${ways !== undefined && section('By which ways', ways)}
${section('What was not done, and why', plan === undefined ? none('There was no plan.') : notDone(plan))}
${dataOf(report, happenings)}
</main>
<footer><p>Times are UTC. This page makes no requests. <code>sluice runs show ${runId} --json</code> prints all of the run.</p></footer>
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

/** Maximum characters. Beyond them `sluice runs show --json` gives the data. */
const MOST_DATA = 250_000

/** The report in the shape of its contract, with the lines of the timeline. */
function dataOf(report: RunReport, happenings: readonly Happening[]): Markup {
  const lines = happenings.map(({ at, of, what, text }) => ({ ...(at !== undefined && { at }), of, what, text }))
  return (
    dataBlock('run', { ...report, timeline: lines }, MOST_DATA) ??
    none('The data of this run are too long to be in this page: the JSON of the run has all of them.')
  )
}

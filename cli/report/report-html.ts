// The report of a run as one HTML page that stands by itself: it runs no script, makes no request, and escapes every
// value. What it shows is in it once more as JSON, for programs. Pure: everything that it shows is in the report.
import type { Plan } from '../../core/contract/plan.ts'
import type { RunReport } from '../../core/contract/runs.ts'
import { legLook, outcomeWords } from '../narration/outcome-words.ts'
import { momentsOf, timelineChart, weightsChart } from './charts.ts'
import { byValue, grouped, shown } from './figures.ts'
import { type LegFacts, legFactsOf } from './leg-facts.ts'
import { dataBlock, html, type Markup, tableMarkup, trusted } from './markup.ts'
import { approvalText, strandedTexts, tieOutText, totalText, triggerText } from './report-sentences.ts'
import { costColumns, costRows, guardColumns, legColumns, nonLegColumns, positionColumns } from './report-tables.ts'

/** Nothing may be fetched, whatever a label says. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

/** The whole page. Of very long lists it shows the first rows, and says how many more there are. */
export function reportHtml(report: RunReport): string {
  const { plan, policy, runId } = report
  const facts = legFactsOf(report)
  return `<!doctype html>\n${
    html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${policy}: ${report.outcome} (${runId})</title>
<style>${trusted(REPORT_STYLE)}</style>
</head>
<body>
${headerOf(report)}
${plan !== undefined && section('Weights', weightsChart(plan))}
${plan !== undefined && section('Positions', positionsOf(plan))}
${section('Legs', legsOf(facts, plan?.valuationAsset ?? 'the valuation asset'))}
${section('Costs', costsOf(report, facts))}
${report.residues !== undefined && section('Left on the way', leftOf(report))}
${section('What happened when', timelineChart(momentsOf(report)))}
${section('What was not done, and why', notDone(report))}
${section('What the guards say', guardsOf(report))}
${dataOf(report)}
</body>
</html>
`.text
  }`
}

function section(title: string, content: Markup): Markup {
  return html`<section><h2>${title}</h2>
${content}</section>`
}

function headerOf(report: RunReport): Markup {
  const { outcome, runId, policy, kind, startedAt, endedAt, why, plan, totalValueAfter, approval } = report
  const { says, look } = outcomeWords(outcome)
  const rows: (readonly [string, string | undefined])[] = [
    ['run', runId],
    ['policy', `${policy} (${kind})`],
    ['started', `${startedAt}${triggerText(report.trigger)}`],
    ['ended', endedAt ?? 'not yet'],
    ['why', why],
    ['total value', plan && `${totalText(plan, groupedValue)}; turnover of the plan ${groupedValue(plan.turnover)}`],
    ['total value after', totalValueAfter && `${groupedValue(totalValueAfter)} ${plan?.valuationAsset ?? ''}`],
    ['plan hash', approval?.planHash],
    ['approval', approval && approvalText(approval)],
  ]
  return html`<header><h1>${policy}</h1>
<p><span class="outcome ${look}">${outcome}</span> ${says}</p>
<p class="${tieOutLook(report)}">${tieOutText(report)}</p>
<dl>${rows.map(([name, text]) => text !== undefined && html`<dt>${name}</dt><dd>${text}</dd>\n`)}</dl></header>`
}

function groupedValue(value: string): string {
  return grouped(shown(value))
}

function tieOutLook({ tiesOut }: RunReport): string {
  if (tiesOut === undefined) return 'dim'
  return tiesOut ? 'good' : 'bad'
}

/** In the order of the chart. */
function positionsOf({ positions, valuationAsset }: Plan): Markup {
  return tableMarkup(
    positionColumns(valuationAsset),
    byValue(positions, ({ value }) => value),
  )
}

/** In characters. A run of more is read from its JSON by `sluice show`. */
const MOST_DATA = 250_000

function dataOf(report: RunReport): Markup {
  return (
    dataBlock('run', report, MOST_DATA) ??
    html`<p class="dim">The data of this run are too long to be in this page: the JSON of the run has all of them.</p>`
  )
}

function legsOf(facts: readonly LegFacts[], valuationAsset: string): Markup {
  if (facts.length === 0) return html`<p class="dim">There were none.</p>`
  return tableMarkup(legColumns(valuationAsset), facts, ({ what, why, note, outcome, attemptCount, ids }) => {
    const idsOf = ids.map(([name, id]) => html` <span class="dim">${name}</span> <code>${id}</code>`)
    return html`<div>${what}. <span class="dim">${why}</span></div>${
      attemptCount > 1 && html`<div class="wait">${attemptCount} attempts; at most one of them moved money.</div>`
    }${note !== '' && html`<div class="${legLook(outcome)}">${note}</div>`}<div>${idsOf}</div>`
  })
}

function costsOf({ plan }: RunReport, facts: readonly LegFacts[]): Markup {
  const rows = costRows(facts, plan)
  return rows.length === 0 ? html`<p class="dim">There are none.</p>` : tableMarkup(costColumns, rows)
}

function leftOf(report: RunReport): Markup {
  return html`${strandedTexts(report).map((text) => html`<p>${text}</p>\n`)}`
}

function notDone({ plan }: RunReport): Markup {
  if (plan === undefined) return html`<p class="dim">There was no plan.</p>`
  if (plan.nonLegs.length === 0) return html`<p class="dim">Nothing was left out.</p>`
  return tableMarkup(nonLegColumns, plan.nonLegs)
}

function guardsOf({ plan }: RunReport): Markup {
  if (plan === undefined || plan.guards.length === 0) return html`<p class="dim">Nothing.</p>`
  return tableMarkup(guardColumns, plan.guards)
}

const REPORT_STYLE = `
:root { color-scheme: light dark; --back: #fff; --ink: #1a1c20; --dim: #666c76; --line: #d9dce1;
  --good: #1a7f4b; --wait: #9a6700; --bad: #b42318; --plain: #2f5fb3;
  --before: #9aa3b2; --target: #c58a1b; --after: #2f6fde; }
@media (prefers-color-scheme: dark) { :root { --back: #14161a; --ink: #e6e8eb; --dim: #9aa1ac; --line: #33373e;
  --good: #4cc38a; --wait: #e2b340; --bad: #ff7b72; --plain: #7aa7ff;
  --before: #5d6573; --target: #e0a63a; --after: #5b93ff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 76rem; background: var(--back); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1.1rem; margin: 2.25rem 0 .75rem; }
p { margin: .5rem 0; } .dim { color: var(--dim); }
.outcome { display: inline-block; padding: .1rem .55rem; border: 1px solid; border-radius: .3rem; font-weight: 600; }
.good { color: var(--good); } .wait { color: var(--wait); } .bad { color: var(--bad); } .plain { color: var(--plain); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1.25rem; margin: 1rem 0; }
dt { color: var(--dim); } dd { margin: 0; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .87rem; }
th, td { padding: .3rem .6rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { color: var(--dim); font-weight: 500; white-space: nowrap; }
td.amount { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; white-space: pre; text-align: right; }
th.amount { text-align: right; } tbody.leg td { border-bottom: 0; }
tbody.leg tr:last-child td { border-bottom: 1px solid var(--line); padding-top: 0; }
code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.chart { width: 100%; max-width: 760px; height: auto; display: block; } .axis { stroke: var(--line); stroke-width: 2; }
svg text { fill: var(--ink); font: 11px system-ui, sans-serif; } svg .figure { fill: var(--dim); font-size: 10px; }
rect.before, .key.before { fill: var(--before); background: var(--before); }
rect.target, .key.target { fill: var(--target); background: var(--target); }
rect.after, .key.after { fill: var(--after); background: var(--after); }
.key { display: inline-block; width: .7rem; height: .7rem; margin-left: .6rem; }
circle.start { fill: var(--before); } circle.person { fill: var(--target); } circle.moved { fill: var(--after); }
circle.end { fill: var(--good); } .moments { padding-left: 1.75rem; font-size: .87rem; }
@media print { :root { --back: #fff; --ink: #000; --dim: #444; --line: #999; } body { max-width: none; padding: 0; font-size: 11px; }
  .wide { overflow: visible; } h2 { break-after: avoid; } tbody.leg, li, svg { break-inside: avoid; }
  rect, .key { print-color-adjust: exact; -webkit-print-color-adjust: exact; } @page { size: A4; margin: 12mm; }
  table { font-size: 7.5px; } th, td { padding: .15rem .25rem; } th { white-space: normal; } h2 { margin: 1rem 0 .3rem; }
  .chart { max-width: 480px; } }
@media (max-width: 640px) { body { padding: 1rem .75rem 2rem; } dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .4rem; }
  td[colspan] > div { position: sticky; left: .75rem; width: max-content; max-width: calc(100vw - 7.5rem); overflow-wrap: anywhere; } }
`

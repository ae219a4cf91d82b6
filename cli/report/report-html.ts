// A run's report as one HTML page that stands by itself: no script, no request, every value escaped.
// Pure: what it shows is in the report.
import type { RunReport } from '../../core/contract/runs.ts'
import { legLook, outcomeWords } from '../narration/outcome-words.ts'
import { tableMarkup } from './amount-table.ts'
import { approvalText } from './approval-text.ts'
import { costColumns, costRows } from './costs.ts'
import { shown } from './figures.ts'
import { type LegFacts, legFactsOf } from './leg-facts.ts'
import { html, type Markup, trusted } from './markup.ts'
import { momentsOf, triggerText } from './moments.ts'
import { residueTexts } from './report-sentences.ts'
import { REPORT_STYLE } from './report-style.ts'
import { guardColumns, legColumns, nonLegColumns, positionColumns } from './report-tables.ts'
import { tieOutText } from './tie-out-text.ts'
import { timelineChart } from './timeline.ts'
import { totalText } from './total-text.ts'
import { weightsChart } from './weights-chart.ts'

/** Nothing may be fetched, whatever a label says. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

/** The whole page. Bounded: of very long lists it shows the first, and says how many more there are. */
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
${plan !== undefined && section('Positions', tableMarkup(positionColumns(plan.valuationAsset), plan.positions))}
${section('Legs', legsOf(facts, plan?.valuationAsset ?? 'the valuation asset'))}
${section('Costs', costsOf(report, facts))}
${report.residues !== undefined && section('Left on the way', leftOf(report))}
${section('What happened when', timelineChart(momentsOf(report)))}
${section('What was not done, and why', notDone(report))}
${section('What the guards say', guardsOf(report))}
${section('Tie-out', html`<p class="${report.tiesOut === false ? 'bad' : 'plain'}">${tieOutText(report)}</p>`)}
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
    ['total value', plan && `${totalText(plan)}; turnover of the plan ${shown(plan.turnover)}`],
    ['total value after', totalValueAfter && `${shown(totalValueAfter)} ${plan?.valuationAsset ?? ''}`],
    ['plan hash', approval?.planHash],
    ['approval', approval && approvalText(approval)],
  ]
  return html`<header><h1>${policy}</h1>
<p><span class="outcome ${look}">${outcome}</span> ${says}</p>
<dl>${rows.map(([name, text]) => text !== undefined && html`<dt>${name}</dt><dd>${text}</dd>\n`)}</dl></header>`
}

function legsOf(facts: readonly LegFacts[], valuationAsset: string): Markup {
  if (facts.length === 0) return html`<p class="dim">There were none.</p>`
  return tableMarkup(legColumns(valuationAsset), facts, ({ what, why, note, outcome, ids }) => {
    const idsOf = ids.map(([name, id]) => html` <span class="dim">${name}</span> <code>${id}</code>`)
    return html`<div>${what}. <span class="dim">${why}</span></div>${
      note !== '' && html`<div class="${legLook(outcome)}">${note}</div>`
    }<div>${idsOf}</div>`
  })
}

function costsOf({ plan }: RunReport, facts: readonly LegFacts[]): Markup {
  const rows = costRows(facts, plan)
  return rows.length === 0 ? html`<p class="dim">There are none.</p>` : tableMarkup(costColumns, rows)
}

function leftOf(report: RunReport): Markup {
  return html`${residueTexts(report).map((text) => html`<p>${text}</p>\n`)}`
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

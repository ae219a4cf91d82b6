// Writes the report of a run as one self-contained HTML page: the console's page of the run, saved. It runs no script,
// makes no request, and escapes every value. The page also contains its data as JSON, for programs. This file reads the
// style sheets once, when it is loaded.

import { readFileSync } from 'node:fs'
import { outcomeText } from '../../core/contract/outcome-names.ts'
import type { RunReport } from '../../core/contract/runs.ts'
import { runName } from '../../operations/words/run-name.ts'
import { none } from './html-table.ts'
import { dataBlock, html, type Markup, trusted } from './markup.ts'
import { happeningsOf, runBody, type ShownRun } from './run-body.ts'
import type { Happening } from './run-timeline.ts'
import { digitsSwitch } from './shown-figures.ts'

const styleOf = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')

/** Without comments and indentation. It is text of this repository, so it needs no escaping. */
const REPORT_STYLE = [styleOf('../../console/assets/console.css'), styleOf('./report.css')]
  .join('\n')
  .replace(/\/\*[\s\S]*?\*\//g, '')
  .replace(/\n\s*/g, '\n')
  .trim()

/** The page may load nothing, even if a label contains markup. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

/** The whole page. A very long list shows its first rows, and how many more exist. */
export function reportHtml(run: ShownRun): string {
  const { report } = run
  const { runId } = report
  const body = runBody(run, 'file')
  return `<!doctype html>\n${
    html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="color-scheme" content="light dark">
<title>${runName(report)}: ${outcomeText(report.outcome)} (${runId})</title>
<style>${trusted(REPORT_STYLE)}</style>
</head>
<body>
<main>
${digitsSwitch(body)}<h1>${runName(report)}</h1>
${body}
${dataOf(report, happeningsOf(run))}
</main>
<footer><p>Times are UTC. This page makes no requests. <code>sluice runs show ${runId} --json</code> prints all of the run.</p></footer>
</body>
</html>
`.text
  }`
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

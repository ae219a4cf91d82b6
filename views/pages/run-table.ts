// Builds the table of runs that several pages show: outcome, tie-out, policy and times of each run, and why it ended so. Pure.
import type { RunRow } from '../../operations/overview/overview.ts'
import { outcomeWords, whyNow } from '../../operations/words/outcome-words.ts'
import { table } from '../html/html-table.ts'
import { html, type Markup } from '../html/markup.ts'
import { runBadge, runLink } from '../html/outcome-badge.ts'
import { moment, said } from '../html/shown-figures.ts'

export function runTable(name: string, runs: readonly RunRow[]): Markup {
  return table(
    name,
    [
      { title: 'run', text: (run) => runLink(run), isHead: true },
      { title: 'outcome', text: ({ outcome, decision }) => runBadge(outcome, decision) },
      {
        title: 'ties out',
        text: ({ tiesOut }) => (tiesOut === undefined ? '' : tiesOut ? 'yes' : html`<b class="bad">NO</b>`),
      },
      { title: 'policy', text: ({ policy }) => html`<a href="/policies/${policy}">${policy}</a>` },
      { title: 'started', text: ({ startedAt }) => moment(startedAt) },
      { title: 'ended', text: ({ endedAt }) => moment(endedAt) },
    ],
    runs,
    ({ decision, outcome, why }) => {
      const says = whyNow({ outcome, why }, decision) ?? (decision && outcomeWords(outcome, decision).says)
      return says !== undefined && html`<p>${said(says)}</p>`
    },
  )
}

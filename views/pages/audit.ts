// Builds the audit page: the audits that were started here with their findings, the time through which scheduled audits
// have judged, and which runs tie out. Pure.

import { FINDING_NAMES } from '../../core/contract/code-names.ts'
import type { Finding, ReconcileReport } from '../../core/contract/reconcile.ts'
import { counted } from '../../core/printable.ts'
import type { AuditPage } from '../../operations/overview/overview.ts'
import { badge, none, section, table } from '../html/html-table.ts'
import { html, type Markup } from '../html/markup.ts'
import { named } from '../html/outcome-badge.ts'
import { moment, said } from '../html/shown-figures.ts'
import type { Act } from './acted.ts'
import { type FormSeal, form } from './forms.ts'
import { page } from './layout.ts'
import { runTable } from './run-table.ts'

export const AUDIT = 'audit'

export function auditPage(data: AuditPage, acts: readonly Act[], seal: FormSeal): string {
  const audits = acts.filter(({ what }) => what === AUDIT)
  const { judgedThrough, underWay, runs } = data
  return page({
    title: 'Audit',
    under: '/audit',
    topic: 'audit',
    everywhere: data,
    body: html`<p>An audit compares each movement at the service with the journal. It changes nothing.</p>
${form(seal, { action: '/audit', button: 'Audit now' })}
${section('judged', 'Judged so far', judgedThrough === undefined ? none('No audit of this journal has ended yet.') : html`<p>Every movement through ${moment(judgedThrough)}.</p>${underWay !== undefined && underWayText(underWay)}`)}
${section('audits', 'Audits of this console', audits.length === 0 ? none('None yet.') : html`${audits.map(auditOf)}`)}
${section('tie-outs', 'Tie-outs of runs', runs.length === 0 ? none('No run was tied out yet.') : runTable('Tie-outs of runs', runs))}`,
  })
}

/** An audit of many movements goes on over several calls, by itself. */
function underWayText({ begunAt, since, againFrom, againTo }: NonNullable<AuditPage['underWay']>): Markup {
  return html`<p>An audit of all that is dated after ${moment(since)} has been under way since ${moment(begunAt)}, and continues by itself within a quarter of an hour. Movements dated after ${moment(againFrom)} through ${moment(againTo)} are still to be judged again.</p>`
}

function auditOf({ id, at, end }: Act): Markup {
  if (end?.ended === 'done' && end.audit !== undefined) return auditReport(end.audit, at)
  return html`<p>${moment(at)}: <a href="/acts/${id}">${end === undefined ? 'under way' : end.ended === 'refused' ? `not done: ${end.error.message}` : 'ended'}</a></p>`
}

export function auditReport(
  { outcome, since, through, orders, withdrawals, entries, intents, findings, findingsTotal, open }: ReconcileReport,
  at: string,
): Markup {
  const isTied = findingsTotal + open.length === 0
  const isEmpty = orders + withdrawals + entries === 0 && isTied
  const [says, look] = isEmpty
    ? ['nothing to compare yet', 'plain']
    : isTied
      ? ['ties out', 'good']
      : ['does not tie out', 'bad']
  return html`<article class="card"><h3>${moment(at)} ${badge(says, look)}${!isEmpty && html` <code class="code">${outcome}</code>`}</h3>
<p>${counted(orders, 'order')}, ${counted(withdrawals, 'withdrawal')}, ${counted(entries, 'entry', 'entries')} of the ledger and ${counted(intents, 'intent')}, after ${moment(since)} through ${moment(through)}. What is younger is judged by a later audit.</p>
${findingTable('Findings', findings)}
${findingsTotal > findings.length && none(`and ${findingsTotal - findings.length} more findings`)}${findingTable('Reported before, and still open', open)}</article>`
}

function findingTable(title: string, findings: readonly Finding[]): Markup | false {
  return (
    findings.length > 0 &&
    table(
      title,
      [
        { title: 'finding', text: ({ finding }) => named(FINDING_NAMES[finding], finding), isHead: true },
        { title: 'message', text: ({ message }) => said(message) },
      ],
      findings,
    )
  )
}

// Builds the list of all requests, newest first, with filters and as CSV. Pure.

import { outcomeName } from '../../core/contract/outcome-names.ts'
import { statusText } from '../../core/contract/service-names.ts'
import { TABLE_STATES } from '../../operations/movements/export/filter.ts'
import type { Filters, MovementsPage } from '../../operations/movements/movements.ts'
import { ROW_OUTCOMES, stateTextOf } from '../../operations/movements/request-row.ts'
import { none, section, table } from '../html/html-table.ts'
import { html, type Markup } from '../html/markup.ts'
import { copyable, movementBadge, runBadge, runLink } from '../html/outcome-badge.ts'
import { moment, said } from '../html/shown-figures.ts'
import { page } from './layout.ts'

export function movementsPage(data: MovementsPage): string {
  const { filters, rows, older, unreadable } = data
  return page({
    title: 'Movements',
    under: '/movements',
    everywhere: data,
    body: html`${filterForm(filters)}
<p><a href="/movements.csv?${queryOf(filters)}" download>All of these as CSV</a>. Whether a movement that the service accepted completed, failed or came back is in the table for the books below, and on its own page.</p>
${section('movements', 'Requests, newest first', html`${rows.length === 0 ? none('No request matches.') : movementTable(data)}${older !== undefined && html`<p><a href="/movements?${queryOf({ ...filters, before: older })}">Older ones</a></p>`}`, { isLive: false })}
${unreadable.map((text) => html`<p class="bad">not in the list, as it cannot be read: ${text}</p>`)}
${tableForm(filters)}`,
  })
}

function movementTable({ rows }: MovementsPage): Markup {
  return table(
    'Movements',
    [
      {
        title: 'movement or run',
        text: nameOf,
        isHead: true,
      },
      { title: 'outcome', text: outcomeOf },
      { title: 'kind', text: ({ kind }) => kind },
      { title: 'asked at', text: ({ at }) => moment(at) },
      { title: 'policy', text: ({ policy }) => policy },
    ],
    rows,
    ({
      asked,
      name,
      ownId,
      run,
      policy,
      movementId,
      requestId,
    }) => html`${asked !== name && html`<p>${said(asked)}</p>`}
<p class="ids">${ownId !== undefined && html`<span><span class="dim">own id</span> <code>${ownId}</code></span>`}
${run !== undefined && html`<span><span class="dim">run</span> ${runOf(run, policy, rows)}</span>`}
${movementId !== undefined && html`<span><span class="dim">movement</span> <code>${movementId}</code></span>`}
${requestId !== undefined && html`<span><span class="dim">event</span> <code>${requestId}</code></span>`}</p>`,
  )
}

function nameOf({ id, kind, policy, at, name = id }: MovementsPage['rows'][number]): Markup {
  if (kind === 'run') return runLink({ runId: id, policy: policy ?? 'a run', startedAt: at })
  return html`<a href="/intents/${id}">${said(name)}</a> ${name !== id && copyable(id)}`
}

/** The run's own row tells when it began. Without that row the policy names it, since rows are not read one by one for names. */
function runOf(runId: string, policy: string | undefined, rows: MovementsPage['rows']): Markup {
  const row = rows.find(({ id, kind }) => kind === 'run' && id === runId)
  if (row !== undefined) return runLink({ runId, policy: row.policy ?? policy ?? 'a run', startedAt: row.at })
  return html`<a href="/runs/${runId}">${policy === undefined ? runId : `of ${policy}`}</a>${policy !== undefined && html` ${copyable(runId)}`}`
}

function outcomeOf(row: MovementsPage['rows'][number]): Markup {
  return row.kind === 'run' ? runBadge(stateTextOf(row)) : movementBadge(stateTextOf(row))
}

function filterForm({ kind, outcome, since, before, text, shadow }: Filters): Markup {
  const kinds = [
    ['', 'all'],
    ['convert', 'conversions'],
    ['withdraw', 'withdrawals'],
    ['run', 'runs'],
  ] as const
  return html`<form action="/movements" class="filters">
<p class="field"><label for="kind">Kind</label> <select id="kind" name="kind">${kinds.map(([value, name]) => html`<option value="${value}"${value === kind && html` selected`}>${name}</option>`)}</select></p>
${outcomeField('outcome', 'Outcome or state', ROW_OUTCOMES, outcome)}
<p class="field"><label for="since">Since (UTC)</label> <input id="since" name="since" value="${since}" maxlength="40" placeholder="2026-01-31"></p>
<p class="field"><label for="before">Before (UTC)</label> <input id="before" name="before" value="${before}" maxlength="40" placeholder="2026-02-01"></p>
<p class="field"><label for="text">Amount, payee or id</label> <input id="text" name="text" value="${text}" maxlength="256" placeholder="such as 200 USDC"></p>
<p class="field"><label for="shadow">Runs that only plan</label> <select id="shadow" name="shadow"><option value="">left out</option><option value="1"${shadow !== '' && html` selected`}>shown</option></select></p>
<button>Show</button></form>`
}

/** People choose by the words. A filter goes by the code, which stands beside words that several codes have. */
function outcomeField(id: string, label: string, codes: readonly string[], chosen = ''): Markup {
  const nameOf = (code: string) => outcomeName(code) ?? statusText(code)
  const names = codes.map(nameOf)
  const options = codes.map((code) => {
    const name = nameOf(code)
    const isShared = names.indexOf(name) !== names.lastIndexOf(name)
    return { code, text: isShared ? `${name} (${code})` : name }
  })
  const sorted = options.toSorted((one, other) => one.text.localeCompare(other.text, 'en'))
  return html`<p class="field"><label for="${id}">${label}</label> <select id="${id}" name="outcome"><option value="">all</option>${sorted.map(({ code, text }) => html`<option value="${code}"${code === chosen && html` selected`}>${text}</option>`)}</select></p>`
}

/** Asks for the table of `sluice movements export`, which has figures and references where this list has none. */
function tableForm({ since, before }: Filters): Markup {
  const field = (name: string, label: string, placeholder: string, value = '') =>
    html`<p class="field"><label for="books-${name}">${label}</label> <input id="books-${name}" name="${name}" value="${value}" maxlength="256" placeholder="${placeholder}"></p>`
  const rows = html`<p>One row for each conversion and withdrawal: what went out and came in, fee, rate, cost, payee, references and state. It may take a while, because it reads every figure at the service.</p>
<form action="/books.csv" class="filters">
<p class="field"><label for="books-kind">Kind</label> <select id="books-kind" name="kind"><option value="">both</option><option value="convert">conversions</option><option value="withdraw">withdrawals</option></select></p>
${field('since', 'Since (UTC)', '2026-01-01', since)}
${field('before', 'Before (UTC)', '2026-02-01', before)}
${field('policy', 'Policy', 'a name')}
${field('asset', 'Asset', 'such as USDC')}
${field('payee', 'Payee', 'alias, reference or id')}
${outcomeField('books-outcome', 'State', TABLE_STATES)}
<button>Download as CSV</button></form>`
  return section('books', 'The table for the books', rows, { isLive: false })
}

function queryOf(filters: Filters): string {
  return new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== '')).toString()
}

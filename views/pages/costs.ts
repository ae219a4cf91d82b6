// Builds the page of what moving cost: a row for each month and policy, for a period, and as CSV. Pure.

import type { Costs } from '../../operations/costs/read-costs.ts'
import type { CostRow } from '../../operations/costs/sum-costs.ts'
import type { Everywhere } from '../../place/reader.ts'
import { COST_LIST } from '../costs.ts'
import { none, section, table } from '../html/html-table.ts'
import { html, type Markup } from '../html/markup.ts'
import { moment } from '../html/shown-figures.ts'
import { page } from './layout.ts'

/** The form's texts: an empty text is the default. */
export interface CostFilters {
  readonly from: string
  readonly to: string
  readonly policy: string
}

interface CostsPage extends Costs, Everywhere {
  readonly filters: CostFilters
}

export function costsPage(data: CostsPage): string {
  const { filters, from, to, zone, rows, unshown, unshownTotal } = data
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== '')).toString()
  const more = unshownTotal - unshown.length
  return page({
    title: 'What it cost',
    under: '/costs',
    everywhere: data,
    body: html`${filterForm(filters)}
<p>From ${moment(from)} until right before ${moment(to)} (${zone}), in settled units. <a href="/costs.csv?${query}" download>Exact figures as CSV</a></p>
${section(
  'costs',
  'By month and policy',
  html`${rows.length === 0 ? none('Nothing moved, and no policy ran.') : costTable(rows)}
<p class="dim">Slippage in basis points is measured against the price that a conversion was planned by, and as an amount against the middle of the market. Tracking error is the worst of the month's plans. Settle seconds count from the start of a run to its end, without the wait for a person's decision. Runs that only plan are left out.</p>`,
  { isLive: false },
)}
${unshown.map(({ id, message }) => html`<p class="bad">its cost is missing: ${id}: ${message}</p>`)}
${more > 0 && html`<p class="bad">and ${more} more</p>`}`,
  })
}

function costTable(rows: readonly CostRow[]): Markup {
  const cells = COST_LIST.map(({ title, text, isAmount }, at) => ({
    title,
    text,
    ...(isAmount === true && { isAmount }),
    // A month is not broken in two.
    ...(at === 0 && { isHead: true, text: (row: CostRow) => html`<time>${text(row)}</time>` }),
  }))
  return table('What it cost, by month and policy', cells, rows)
}

function filterForm({ from, to, policy }: CostFilters): Markup {
  const field = (name: string, label: string, value: string, placeholder: string) =>
    html`<p class="field"><label for="${name}">${label}</label> <input id="${name}" name="${name}" value="${value}" maxlength="64" placeholder="${placeholder}"></p>`
  return html`<form action="/costs" class="filters">
${field('from', 'From (UTC)', from, 'this month')}
${field('to', 'Until right before', to, 'now')}
${field('policy', 'Policy', policy, 'all')}
<button>Show</button></form>`
}

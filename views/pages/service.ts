// Shows the lists of the service for this account: balances, orders, fills, withdrawals, deposits, contacts and the
// ledger. Pure.

import { CODE_WORDS } from '../../core/contract/service-names.ts'
import { type ServicePage, SHOWN_QUERIES } from '../../operations/overview/service.ts'
import { none, section, table } from '../html/html-table.ts'
import { html } from '../html/markup.ts'
import { named } from '../html/outcome-badge.ts'
import { moment, said } from '../html/shown-figures.ts'
import { page } from './layout.ts'

export function servicePage(data: ServicePage): string {
  const { query, columns, rows, isCut, readAt } = data
  const cells = columns.map(({ title, words, isAmount, isTime, isId }, index) => ({
    title,
    isAmount,
    text: (row: readonly string[]) => {
      const text = row[index] ?? ''
      if (isTime) return moment(text)
      if (isAmount) return text
      if (words !== undefined) return named(CODE_WORDS[words](text), text)
      return isId && text !== '' ? html`<code>${text}</code>` : said(text)
    },
  }))
  return page({
    title: 'Service',
    under: '/service/balances',
    everywhere: data,
    body: html`<nav aria-label="Lists of the service" class="tabs"><ul>${SHOWN_QUERIES.map((name) => html`<li><a href="/service/${name}"${name === query && html` aria-current="page"`}>${name}</a></li>\n`)}</ul></nav>
${section(
  'list',
  query,
  html`<p class="dim">As the service answered at ${moment(readAt)}, in settled units, newest first. <a href="/service/${query}">Ask it again</a></p>
${rows.length === 0 ? none('The list is empty.') : table(query, cells, rows)}
<p>${isCut && html`These are the first ${rows.length}. `}<a href="/service/${query}/csv" download>All of them as CSV</a></p>`,
  { isLive: false },
)}`,
  })
}

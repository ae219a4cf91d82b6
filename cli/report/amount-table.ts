// Tables of a page: amounts stand with their decimal points in one column, and nothing is cut.
import { alignOnPoint, type Column } from '../terminal/table.ts'
import { firstOf, MOST_ROWS, moreText } from './bounds.ts'
import { html, type Markup } from './markup.ts'
import { sayingColumns } from './report-tables.ts'

/** `below` is a line under each row, across all columns. Says how many rows are left out. */
export function tableMarkup<Row>(
  wanted: readonly Column<Row>[],
  all: readonly Row[],
  below?: (row: Row) => Markup,
): Markup {
  const { rows, more } = firstOf(all, MOST_ROWS)
  const columns = sayingColumns(wanted, rows)
  const cells = columns.map(({ text, isAmount }) => {
    const texts = rows.map(text)
    return isAmount ? alignOnPoint(texts) : texts
  })
  const lines = rows.map((row, line) => {
    const own = html`<tr>${columns.map((column, index) => cell(column, cells[index]?.[line] ?? ''))}</tr>`
    if (below === undefined) return html`${own}\n`
    return html`<tbody class="leg">${own}<tr><td></td><td colspan="${columns.length - 1}">${below(row)}</td></tr></tbody>\n`
  })
  return html`<div class="wide"><table><thead><tr>${columns.map(
    ({ title, isAmount }) => html`<th${isAmount === true && html` class="amount"`}>${title}</th>`,
  )}</tr></thead>
${below === undefined ? html`<tbody>${lines}</tbody>` : lines}</table></div>
${more > 0 && html`<p class="dim">${moreText(more)}</p>`}`
}

function cell<Row>({ isAmount }: Column<Row>, text: string): Markup {
  return isAmount ? html`<td class="amount">${text}</td>` : html`<td>${text}</td>`
}

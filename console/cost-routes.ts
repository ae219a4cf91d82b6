// Defines the routes of what moving cost: the page, and its exact figures as CSV.
import type { Context, Hono } from 'hono'
import { readCosts } from '../operations/costs/read-costs.ts'
import type { Reader } from '../place/reader.ts'
import { EXACT_COSTS } from '../views/costs.ts'
import { type CostFilters, costsPage } from '../views/pages/costs.ts'
import { csvRow, csvTitles } from '../views/text/csv.ts'
import type { Doors } from './doors.ts'

export function addCostRoutes(app: Hono<Doors>, reader: Reader): void {
  app.get('/costs', async (context) => {
    const filters = filtersOf(context)
    return context.html(costsPage({ ...(await read(reader, filters)), filters }))
  })

  app.get('/costs.csv', async (context) => {
    const { rows } = await read(reader, filtersOf(context))
    const lines = [csvTitles(EXACT_COSTS), ...rows.map((row) => csvRow(EXACT_COSTS, row))]
    return context.body(lines.map((line) => `${line}\r\n`).join(''), 200, {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="costs.csv"',
    })
  })
}

function read(reader: Reader, filters: CostFilters) {
  return readCosts(reader, Object.fromEntries(Object.entries(filters).filter(([, text]) => text !== '')))
}

function filtersOf({ req }: Context<Doors>): CostFilters {
  const text = (name: string) => (req.query(name) ?? '').trim()
  return { from: text('from'), to: text('to'), policy: text('policy') }
}

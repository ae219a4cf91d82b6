// Defines the routes of the statement: its page, which prints, and its download as CSV.

import type { Context, Hono } from 'hono'
import { readStatement, type StatementRequest } from '../operations/books/statement/make-statement.ts'
import { atJournal, type Reader } from '../place/journal/reader.ts'
import { STATEMENT_COLUMNS, statementFileRows } from '../views/books/statement-rows.ts'
import { statementPage } from '../views/pages/statement.ts'
import { csvRow, csvTitles } from '../views/text/csv.ts'
import type { Doors } from './doors.ts'

const FILTERS = ['from', 'to', 'zone', 'asset'] as const

export function addStatementRoutes(app: Hono<Doors>, reader: Reader): void {
  app.get('/statement', async (context) => {
    const asked = askedOf(context)
    // Without a period the page has only its form.
    const made = asked.from === undefined ? undefined : await readStatement(reader, asked)
    const everywhere = await atJournal(reader, async () => ({}))
    return context.html(statementPage({ asked, made, today: todayOf(reader), everywhere }))
  })

  app.get('/statement.csv', async (context) => {
    const made = await readStatement(reader, askedOf(context))
    const rows = statementFileRows(made).map((row) => csvRow(STATEMENT_COLUMNS, row))
    return context.body([csvTitles(STATEMENT_COLUMNS), ...rows].map((line) => `${line}\r\n`).join(''), 200, {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="statement.csv"',
    })
  })
}

function askedOf({ req }: Context<Doors>): StatementRequest {
  const given = FILTERS.map((name) => [name, (req.query(name) ?? '').trim()] as const)
  return Object.fromEntries(given.filter(([, text]) => text !== ''))
}

function todayOf({ context }: Reader): string {
  return new Date(context.clock.nowMs()).toISOString().slice(0, 'YYYY-MM-DD'.length)
}

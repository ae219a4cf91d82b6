// Defines the routes of the pages of events, people and costs, and the forms about dead letters and notices.

import type { Context, Hono } from 'hono'
import { readCosts } from '../operations/costs/read-costs.ts'
import { readEvents } from '../operations/overview/events.ts'
import { readActFilter } from '../operations/people/filter.ts'
import { readPeopleLog } from '../operations/people/people-log.ts'
import { consentOf } from '../place/consent.ts'
import { ExitCode } from '../place/exit-code.ts'
import type { Reader } from '../place/reader.ts'
import { EXACT_COSTS } from '../views/costs.ts'
import { type CostFilters, costsPage } from '../views/pages/costs.ts'
import { eventsPage } from '../views/pages/events.ts'
import type { FormSeal } from '../views/pages/forms.ts'
import { type PeopleFilters, peoplePage } from '../views/pages/people.ts'
import { resentText } from '../views/result-view.ts'
import { csvRow, csvTitles } from '../views/text/csv.ts'
import type { CaseParts } from './case-routes.ts'
import type { Doors } from './doors.ts'
import { type Form, readForm } from './form-fields.ts'
import { openPeopleLog } from './table-download.ts'

interface RecordParts extends Pick<CaseParts, 'reader' | 'begin'> {
  readonly sealOf: (context: Context<Doors>) => FormSeal
  /** Ends the downloads. */
  readonly signal: AbortSignal
}

const ACTS_SHOWN = 100

export function addRecordRoutes(app: Hono<Doors>, { reader, begin, sealOf, signal }: RecordParts): void {
  const { flags } = reader

  app.get('/events', async (context) => context.html(eventsPage(await readEvents(reader), sealOf(context))))

  app.get('/people', async (context) => {
    const filters = filtersOf(context)
    return context.html(peoplePage(await readPeopleLog(reader, readFilter(filters), ACTS_SHOWN), filters))
  })

  for (const [form, type] of [
    ['csv', 'text/csv'],
    ['jsonl', 'application/jsonl'],
  ] as const) {
    app.get(`/people.${form}`, async (context) => {
      const filter = readFilter(filtersOf(context))
      context.header('Content-Type', `${type}; charset=utf-8`)
      context.header('Content-Disposition', `attachment; filename="people.${form}"`)
      // A body that nobody reads would hold the journal.
      return context.req.method === 'HEAD'
        ? context.body(null)
        : context.body(await openPeopleLog(reader, filter, form, signal))
    })
  }

  app.post('/events/letters/:letter/resend', async (context) => {
    const letter = context.req.param('letter')
    const deed = letterDeed('put again', letter, await readForm(context))
    return begin(context, deed, async (given) => {
      const { resendLetter } = await import('../operations/events/resend-letter.ts')
      const sent = await resendLetter(letter, flags, given.context)
      return { facts: {}, says: resentText(sent), notes: [], exitCode: ExitCode.Done }
    })
  })

  app.post('/events/letters/:letter/drop', async (context) => {
    const letter = context.req.param('letter')
    const form = await readForm(context)
    // The record of a drop is its output alone, so a name is taken on AWS too.
    const word = { because: form.text('because'), by: form.text('by') }
    const ask = {
      action: `/events/letters/${encodeURIComponent(letter)}/drop`,
      hidden: { ...word, about: form.text('about') },
    }
    const withConsent = consentOf(form.text('yes'))
    return begin(context, { ...letterDeed('drop', letter, form), ask }, async (given) => {
      const { dropLetter } = await import('../operations/events/drop-letter.ts')
      const { about } = await dropLetter(letter, word, flags, withConsent, given.context)
      return { facts: {}, says: `dropped: ${about}`, notes: [], exitCode: ExitCode.Done }
    })
  })

  app.post('/events/notices/:notice/test', (context) => {
    const notice = context.req.param('notice')
    return begin(context, { what: `test notice ${notice}`, about: '/events' }, async (given) => {
      const { sendTestNotice } = await import('../operations/events/send-test-notice.ts')
      await sendTestNotice(notice, flags, given.context)
      return { facts: {}, says: 'a test was sent, and accepted', notes: [], exitCode: ExitCode.Done }
    })
  })
}

/** The page of the letters has shown the text of the letter. */
function letterDeed(verb: string, letter: string, form: Form) {
  return { what: `${verb}: ${form.text('about') || 'a dead letter'}`, subject: letter, about: '/events' }
}

function filtersOf({ req }: Context<Doors>): PeopleFilters {
  const text = (name: string) => (req.query(name) ?? '').trim()
  return { person: text('person'), did: text('did'), since: text('since'), before: text('before') }
}

function readFilter(filters: PeopleFilters) {
  return readActFilter(Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== '')))
}

export function addCostRoutes(app: Hono<Doors>, reader: Reader): void {
  app.get('/costs', async (context) => {
    const filters = costFiltersOf(context)
    return context.html(costsPage({ ...(await readFiltered(reader, filters)), filters }))
  })

  app.get('/costs.csv', async (context) => {
    const { rows } = await readFiltered(reader, costFiltersOf(context))
    const lines = [csvTitles(EXACT_COSTS), ...rows.map((row) => csvRow(EXACT_COSTS, row))]
    return context.body(lines.map((line) => `${line}\r\n`).join(''), 200, {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="costs.csv"',
    })
  })
}

function readFiltered(reader: Reader, filters: CostFilters) {
  return readCosts(reader, Object.fromEntries(Object.entries(filters).filter(([, text]) => text !== '')))
}

function costFiltersOf({ req }: Context<Doors>): CostFilters {
  const text = (name: string) => (req.query(name) ?? '').trim()
  return { from: text('from'), to: text('to'), policy: text('policy') }
}

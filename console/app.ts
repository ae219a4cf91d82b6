// Defines the routes of the console: its pages, its files, and the operation behind each form. Routes of cases, costs,
// policies, the queue and records are in files of their own. A page that can be followed live reads a topic.

import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import path from 'node:path'
import { type Context, Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { readStatement, type StatementRequest } from '../operations/books/statement/make-statement.ts'
import { readExportFilter } from '../operations/movements/export/filter.ts'
import { type Filters, MOST_ROWS, readMovements } from '../operations/movements/movements.ts'
import { RequestKind } from '../operations/movements/record-kind.ts'
import type { AccountNow } from '../operations/overview/account.ts'
import { readHalts } from '../operations/overview/overview.ts'
import { readService, SHOWN_QUERIES } from '../operations/overview/service.ts'
import type { DecisionInput } from '../operations/runs/decide.ts'
import { assertRecorded, findById } from '../operations/runs/run.ts'
import { findAccessFault } from '../place/aws/aws-access.ts'
import { consentOf } from '../place/consent.ts'
import { ExitCode } from '../place/exit-code.ts'
import type { Spell } from '../place/next-step.ts'
import { type ErrorCode, operationErrorOf } from '../place/operation-error.ts'
import { atJournal, findEverywhere, type Reader } from '../place/reader.ts'
import { isOnAws } from '../place/settings.ts'
import { STATEMENT_COLUMNS, statementFileRows } from '../views/books/statement-rows.ts'
import { viewOfDecision } from '../views/decided.ts'
import { html } from '../views/html/markup.ts'
import { reportHtml } from '../views/html/report-html.ts'
import { ASKED_COLUMNS, foreignText } from '../views/movements/request-columns.ts'
import { actPage } from '../views/pages/act.ts'
import type { Deed } from '../views/pages/acted.ts'
import { attentionPage } from '../views/pages/attention.ts'
import { AUDIT, auditPage } from '../views/pages/audit.ts'
import { decidePage } from '../views/pages/decide.ts'
import type { FormSeal } from '../views/pages/forms.ts'
import { haltPage } from '../views/pages/halt.ts'
import { page, plainPage } from '../views/pages/layout.ts'
import { movementsPage } from '../views/pages/movements.ts'
import { nextStep } from '../views/pages/next-step.ts'
import { overviewPage } from '../views/pages/overview.ts'
import { intentPage, runPage } from '../views/pages/run.ts'
import { servicePage } from '../views/pages/service.ts'
import { statementPage } from '../views/pages/statement.ts'
import { policyRunWords } from '../views/runs/policy-run-words.ts'
import { carriedNotes, viewOfHalt, viewOfResume } from '../views/switched.ts'
import { csvRow, csvTitles } from '../views/text/csv.ts'
import type { Acts } from './acts.ts'
import { addCaseRoutes, namedDeed } from './case-routes.ts'
import {
  type Doors,
  followNotice,
  formsOnly,
  headers,
  linksUnder,
  needsLink,
  openLink,
  ownHostOnly,
  sessionOnly,
  shortFormsOnly,
} from './doors.ts'
import { readForm } from './form-fields.ts'
import { type Given, perform } from './perform.ts'
import { addPolicyRoutes } from './policy-routes.ts'
import { addQueueRoutes } from './queue-routes.ts'
import { addCostRoutes, addRecordRoutes } from './record-routes.ts'
import type { Sessions } from './session.ts'
import { openServiceList, openTable } from './table-download.ts'
import type { TopicPoller } from './topic-reader.ts'
import type { Topics } from './topics.ts'

const FILTERS = ['from', 'to', 'zone', 'asset'] as const

interface Asset {
  readonly type: string
  readonly body: string
}

const FILES: readonly (readonly [name: string, type: string])[] = [
  ['console.css', 'text/css; charset=utf-8'],
  ['console.js', 'text/javascript; charset=utf-8'],
  ['go.js', 'text/javascript; charset=utf-8'],
  ['icon.svg', 'image/svg+xml'],
]

interface AppParts {
  readonly reader: Reader
  readonly poller: TopicPoller
  readonly topics: Topics
  readonly acts: Acts
  /** Reads the holdings of now, or why they cannot be read. */
  readonly readAccount: () => Promise<AccountNow>
  readonly sessions: Sessions
  readonly portOf: () => number
  /** Called with each connection that has shown a session. */
  readonly keep: (socket: Socket) => void
  readonly signal: AbortSignal
  /** Spells what a person can only do at a terminal. */
  readonly spell: Spell
}

/** A new sign-in may need a restart, because the SDK keeps what it once read from files of credentials. */
const SIGNED_OUT = html`<p>The console asks with the AWS credentials of the terminal that it was started in. Then load this
page again; where it still says so, start the console again.</p>`
/** The beginning of an error's `next` where only another try helps. */
const SAME_AGAIN = 'run the same command again'
/** Maximum live pages. Each keeps a connection. */
const MOST_STREAMS = 32
const TABLE_FILTERS = ['kind', 'outcome', 'policy', 'asset', 'payee', 'since', 'before'] as const
/** Time between two beats, by which a browser notices that the console has gone. */
const BEAT_MS = 15_000

export function createApp({
  reader,
  poller,
  topics,
  acts,
  readAccount,
  sessions,
  portOf,
  keep,
  signal,
  spell,
}: AppParts): Hono<Doors> {
  const { flags, context: own } = reader
  const sealOf = (context: Context<Doors>): FormSeal => ({
    token: sessions.formToken(context.get('session')),
    by: own.variables.USER ?? '',
    isNamed: !isOnAws(flags),
  })
  const begin = async (context: Context<Doors>, deed: Deed, run: Parameters<typeof perform>[2]) => {
    const { id } = await acts.begin(deed, (notes) => perform(own, spell, run, notes))
    poller.touch()
    return context.redirect(`/acts/${id}`, 303)
  }
  // On AWS the called function records the owner of the credentials, and takes no name.
  const by = (name: string) => (isOnAws(flags) ? {} : { by: name })

  /** The page has shown the terms of the decision, and sending its form is the consent. */
  const decision = (verb: 'approve' | 'reject', id: string, asked: DecisionInput) => async (given: Given) => {
    const { decide } = await import('../operations/runs/decide.ts')
    const { beginProgress, context } = given
    const face = { withConsent: consentOf(true), watch: policyRunWords.watch, beginProgress }
    const decided = await decide(verb, id, asked, flags, face, context)
    return { ...viewOfDecision(decided), exitCode: decided.exitCode }
  }

  const server = new Hono<Doors>({ strict: false })
  server.use(headers)
  server.use(ownHostOnly(portOf))
  server.get('/open/:token', openLink(sessions, portOf))
  server.get('/go/*', followNotice(portOf))
  for (const [path, { type, body }] of assetFiles()) {
    server.get(path, (context) => context.body(body, 200, { 'Content-Type': type }))
  }
  const app = server.basePath(sessions.path)
  app.use(linksUnder(sessions.path))
  app.use(sessionOnly(sessions, portOf, keep))
  app.use(shortFormsOnly)
  app.use(formsOnly(sessions))

  app.get('/', async (context) => context.html(overviewPage(await poller.read(topics.overview), spell)))

  app.get('/runs/:run', async (context) =>
    context.html(runPage(await poller.read(topics.run(context.req.param('run'))), sealOf(context))),
  )

  app.get('/runs/:run/report', async (context) => {
    const run = assertRecorded(await poller.read(topics.run(context.req.param('run'))))
    const { report, legs, machine, waitsUntil } = run
    const shown = { report, legs, machine, ...(waitsUntil !== undefined && { waitsUntil }) }
    context.header('Content-Disposition', `attachment; filename="${report.runId}.html"`)
    return context.html(reportHtml(shown))
  })

  app.get('/runs/:run/decide', async (context) => {
    const runId = context.req.param('run')
    const course = assertRecorded(await poller.read(topics.run(runId)))
    const seat = sealOf(context)
    const seal = { ...seat, by: (context.req.query('by') ?? '').trim() || seat.by }
    let may = false as boolean
    const end = await perform(own, spell, async (given) => {
      const { mayApprove } = await import('../operations/runs/decide.ts')
      may = await mayApprove(runId, by(seal.by || 'console'), flags, given.context)
      return { facts: {}, notes: [], exitCode: ExitCode.Done }
    })
    const check = may ? { ended: 'may approve' as const, notes: end.notes } : end
    return context.html(decidePage(course, check, seal, spell))
  })

  for (const [under, hash, kind] of [
    ['runs', 'planHash', RequestKind.Run],
    ['intents', 'termsHash', undefined],
  ] as const) {
    for (const verb of ['approve', 'reject'] as const) {
      app.post(`/${under}/:id/${verb}`, async (context) => {
        const id = context.req.param('id') ?? ''
        const form = await readForm(context)
        const asked = { because: form.text('because'), ...by(form.text('by')), [hash]: form.text(hash) }
        const named = await namedDeed(reader, verb, id, kind)
        return begin(context, { ...named, about: `/${under}/${id}` }, decision(verb, id, asked))
      })
    }
  }

  app.get('/intents/:intent', async (context) =>
    context.html(intentPage(await poller.read(topics.intent(context.req.param('intent'))), sealOf(context))),
  )

  addCaseRoutes(app, { reader, begin, by })
  addQueueRoutes(app, { reader, begin, by, sealOf, readAccount })
  addRecordRoutes(app, { reader, begin, sealOf, signal })

  app.get('/attention', async (context) =>
    context.html(attentionPage(await poller.read(topics.attention), sealOf(context), spell)),
  )

  app.get('/movements', async (context) => context.html(movementsPage(await readMovements(reader, filtersOf(context)))))

  app.get('/movements.csv', async (context) => {
    const { rows } = await readMovements(reader, filtersOf(context), MOST_ROWS)
    const lines = [csvTitles(ASKED_COLUMNS), ...rows.map((row) => csvRow(ASKED_COLUMNS, row))]
    return context.body(lines.map((line) => `${line}\r\n`).join(''), 200, {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="movements.csv"',
    })
  })

  app.get('/books.csv', async (context) => {
    const asked = TABLE_FILTERS.map((name) => [name, (context.req.query(name) ?? '').trim()] as const)
    const filter = readExportFilter(Object.fromEntries(asked.filter(([, text]) => text !== '')))
    context.header('Content-Type', 'text/csv; charset=utf-8')
    context.header('Content-Disposition', 'attachment; filename="books.csv"')
    // A body that nobody reads would hold the journal.
    return context.req.method === 'HEAD' ? context.body(null) : context.body(await openTable(reader, filter, signal))
  })

  addStatementRoutes(app, reader)
  addCostRoutes(app, reader)

  app.get('/find', async (context) => {
    const typed = (context.req.query('id') ?? '').trim()
    const found = await findById(reader, typed).catch((error: unknown) => {
      // It is no known id, so it may be an amount or a payee.
      if (operationErrorOf(error).code === 'refused' || operationErrorOf(error).code === 'usage') return undefined
      throw error
    })
    if (found === undefined) return context.redirect(`/movements?${new URLSearchParams({ text: typed })}`, 303)
    const { kind, id, foreign } = found
    if (foreign !== undefined) {
      const text = html`<p>${foreignText(foreign)}.</p>`
      return context.html(page({ title: id, body: text }))
    }
    return context.redirect(`/${kind === 'run' ? 'runs' : 'intents'}/${encodeURIComponent(id)}`, 303)
  })

  app.get('/service/:query', async (context) => {
    const query = SHOWN_QUERIES.find((name) => name === context.req.param('query'))
    if (query === undefined) return context.notFound()
    return context.html(servicePage(await readService(reader, query)))
  })

  app.get('/service/:query/csv', async (context) => {
    const query = SHOWN_QUERIES.find((name) => name === context.req.param('query'))
    if (query === undefined) return context.notFound()
    context.header('Content-Type', 'text/csv; charset=utf-8')
    context.header('Content-Disposition', `attachment; filename="${query}.csv"`)
    // A body that nobody reads would hold the service's rate limit.
    return context.req.method === 'HEAD'
      ? context.body(null)
      : context.body(await openServiceList(reader, query, signal))
  })

  app.get('/audit', async (context) =>
    context.html(auditPage(await poller.read(topics.audit), acts.all(), sealOf(context))),
  )

  app.post('/audit', (context) =>
    begin(context, { what: AUDIT, about: '/audit' }, async (given) => {
      const { auditExitCode, runAudit } = await import('../operations/journal/run-audit.ts')
      const audit = await runAudit({}, flags, given.beginProgress(), given.context)
      return { facts: audit, audit, notes: [], exitCode: auditExitCode(audit) }
    }),
  )

  app.get('/halt', async (context) => context.html(haltPage(await readHalts(reader), sealOf(context))))

  for (const verb of ['halt', 'resume'] as const) {
    app.post(`/${verb}`, async (context) => {
      const form = await readForm(context)
      const policy = form.text('policy')
      const because = form.text('because')
      const word = { ...by(form.text('by')), ...(because !== '' && { because }), ...(policy !== '' && { policy }) }
      const what = `${verb} ${policy === '' ? 'everything' : `policy ${policy}`}`
      const deed = { what, about: '/halt', ...(verb === 'halt' && { isUrgent: true as const }) }
      return begin(context, deed, async (given) => {
        const { haltSending, resumeExitCode, resumeSending } = await import('../operations/cases/switch-sending.ts')
        if (verb === 'halt')
          return { ...viewOfHalt(await haltSending(word, flags, given.context)), exitCode: ExitCode.Done }
        // Resumes only if the halt that the page showed is still in force, so that no other halt is lifted with it.
        const resumed = await resumeSending({ ...word, read: form.text('read') }, flags, given.context)
        const { carriedExitCode, carryOn } = await import('../operations/cases/carry-on.ts')
        const carried = await carryOn(resumed.decided, flags, given.beginProgress, given.context)
        const view = viewOfResume(resumed)
        return {
          ...view,
          notes: [...view.notes, ...carriedNotes(carried).map(spell)],
          exitCode: carriedExitCode(resumeExitCode(resumed), carried),
        }
      })
    })
  }

  addPolicyRoutes(app, { reader, poller, acts, topics, begin, by, sealOf })

  app.get('/acts/:act', async (context) => {
    const act = acts.find(context.req.param('act'))
    if (act === undefined) return context.notFound()
    return context.html(actPage(act, sealOf(context), await findEverywhere(reader), spell))
  })

  let streams = 0
  app.get('/live', (context) => {
    const topic = topics.named(context.req.query('topic') ?? '')
    if (topic === undefined) return context.notFound()
    if (streams >= MOST_STREAMS) return context.text('too many pages are open', 503)
    return streamSSE(context, async (stream) => {
      streams += 1
      const ended = Promise.withResolvers<void>()
      const end = () => ended.resolve()
      const unwatch = poller.watch(topic, () => void stream.writeSSE({ event: 'changed', data: '' }).catch(end))
      const beat = setInterval(() => void stream.write(': still here\n\n').catch(end), BEAT_MS)
      stream.onAbort(end)
      signal.addEventListener('abort', end)
      try {
        await stream.writeSSE({ event: 'live', data: '' })
        await ended.promise
      } finally {
        streams -= 1
        clearInterval(beat)
        unwatch()
        signal.removeEventListener('abort', end)
      }
    })
  })

  server.notFound((context) =>
    context.get('session') === undefined
      ? needsLink(context)
      : context.html(plainPage('This page does not exist', html`<p><a href="/">Overview</a></p>`), 404),
  )
  server.onError((error, context) => {
    const fault = operationErrorOf(error)
    const { cause, code, next, text } = fault
    const isSignedOut = findAccessFault(cause) !== undefined
    const isAgain = spell(next).startsWith(SAME_AGAIN)
    const body = html`<p class="bad">${spell(text)}</p>${isAgain ? html`<p>Load this page again.</p>` : nextStep(next, spell)}${isSignedOut && SIGNED_OUT}`
    return context.html(page({ title: 'This cannot be shown', body }), statusOf(code, context.req.path))
  })
  return server
}

/** By the path at which each file is served. */
function assetFiles(): ReadonlyMap<string, Asset> {
  const folder = path.resolve(import.meta.dirname, 'assets')
  return new Map(
    FILES.map(([name, type]) => [`/assets/${name}`, { type, body: readFileSync(path.join(folder, name), 'utf8') }]),
  )
}

function addStatementRoutes(app: Hono<Doors>, reader: Reader): void {
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

/** On the page of a run or an intent, a refusal means an unknown id. On other pages the service may have refused. */
function statusOf(code: ErrorCode, path: string): 400 | 404 | 502 {
  if (code === 'usage' || code === 'input') return 400
  return code === 'refused' && /\/(?:runs|intents)\/[^/]+$/.test(path) ? 404 : 502
}

function filtersOf({ req }: Context<Doors>): Filters {
  const text = (name: string) => (req.query(name) ?? '').trim()
  return {
    kind: text('kind'),
    outcome: text('outcome'),
    since: text('since'),
    before: text('before'),
    text: text('text'),
    shadow: text('shadow'),
  }
}

// Builds every page of the console from data alone, with one text wherever other people's text can be.

import type { AccountStatement } from '../../../../operations/books/statement/account-statement.ts'
import { COST_COLUMNS, type CostRow } from '../../../../operations/costs/sum-costs.ts'
import type { IntentCourse } from '../../../../operations/movements/intent-course.ts'
import type { Overview } from '../../../../operations/overview/overview.ts'
import type { RunCourse, UnrecordedRun } from '../../../../operations/runs/run.ts'
import { markOfHalt } from '../../../../operations/words/halt-words.ts'
import { html } from '../../../../views/html/markup.ts'
import { reportHtml } from '../../../../views/html/report-html.ts'
import { actPage } from '../../../../views/pages/act.ts'
import type { ActEnd } from '../../../../views/pages/acted.ts'
import { attentionPage } from '../../../../views/pages/attention.ts'
import { auditPage } from '../../../../views/pages/audit.ts'
import { costsPage } from '../../../../views/pages/costs.ts'
import { decidePage } from '../../../../views/pages/decide.ts'
import { eventsPage } from '../../../../views/pages/events.ts'
import { haltPage } from '../../../../views/pages/halt.ts'
import { plainPage } from '../../../../views/pages/layout.ts'
import { movementsPage } from '../../../../views/pages/movements.ts'
import { type OverviewPage, overviewPage } from '../../../../views/pages/overview.ts'
import { peoplePage } from '../../../../views/pages/people.ts'
import { planOf, policyPage } from '../../../../views/pages/policy.ts'
import { queuePage } from '../../../../views/pages/queue.ts'
import { intentPage, runPage } from '../../../../views/pages/run.ts'
import { servicePage } from '../../../../views/pages/service.ts'
import { statementPage } from '../../../../views/pages/statement.ts'
import { spell } from '../../../helpers/spell.ts'
import { rebalanced, withHostile } from '../../views/runs/sample-run.ts'
import { hostileFacts } from './hostile-facts.ts'

export const EVIL = `"'></td><script>alert(1)</script><img src=x onerror=alert(2)>\u202egnp.exe\u2066`
export const seal = { token: 'T0KEN', by: EVIL, isNamed: true }
export const everywhere = (text: string) => ({
  halts: [{ scope: '*', by: text, because: text, at: '2026-01-31T09:00:00Z' }],
  journal: text,
  service: text,
  stage: 'test',
})
/** The first of two resumes of every halt, by a person with the same text. */
const firstWordOn = ({ halts }: ReturnType<typeof everywhere>) =>
  new Map(halts.map((halt) => [markOfHalt(halt), { ...halt, until: '2026-02-01T09:00:00Z' }]))
const noted = (text: string) => ({ notes: [text] })

const column = { isAmount: false, isTime: false, isId: false }
const COLUMNS = [
  { title: 'alias', ...column },
  { title: 'amount', ...column, isAmount: true },
  { title: 'at', ...column, isTime: true },
  { title: 'id', ...column, isId: true },
  { title: 'status', ...column, words: 'status' as const },
  { title: 'sub type', ...column, words: 'subType' as const },
  { title: 'type', ...column, words: 'contact' as const },
]

export function statementOf(text: string): AccountStatement {
  return {
    ...{ account: text, assets: [], faults: [text], faultsTotal: 51, isProven: false, readAt: text, zone: 'UTC' },
    ...{ from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' },
  } as never
}

/** `text` is wherever other people's text can be, and `amount` wherever an amount is. */
function allPages(text: string, amount = '1'): readonly (readonly [name: string, page: string])[] {
  const all = everywhere(text)
  const report = text === '' ? rebalanced : withHostile(rebalanced, text)
  const intent: IntentCourse = {
    ...{ intentId: 'cv-1', kind: 'convert', state: 'ESCALATED', asked: text, createdAt: '2026-01-31T09:00:00Z' },
    name: text,
    ...{ run: 'run-1', movementId: text, unread: text },
    facts: hostileFacts(text),
    attention: {
      ...{ intentId: 'cv-1', kind: 'convert', state: 'ESCALATED', params: { note: text }, asked: text },
      ...{ attempt: 1, nonce: text, window: { since: text, until: text } },
      ...{ candidates: [{ id: text, status: text }], why: text, next: text },
      weighed: [text, 'ON_HOLD'].map((status) => ({
        ...{ id: text, amount, asset: text, at: text, status, terms: text, pro: [text], contra: [text] },
      })),
    },
  }
  const history = { name: 'x', status: 'FAILED', steps: [{ did: 'entered' as const, at: text, state: text }] }
  const machine = { name: 'sluice-rebalance', history } as const
  const course: RunCourse = { ...all, report: { ...report, outcome: 'AWAITING_APPROVAL' }, machine, legs: [intent] }
  const look: ActEnd = { ended: 'asks', question: text, yes: 'yes-1', ...noted(text) }
  const refused: ActEnd = { ended: 'refused', error: { code: 'refused', message: text, next: text }, ...noted(text) }
  const row = {
    ...{ policy: 'core', kind: 'rebalance', mode: 'live', schedule: text, nextStart: text, holder: 'run-1' },
    ...{ holderStartedAt: text, lastStartedAt: text },
    ...{ lastRun: 'run-1', lastOutcome: text, failuresInRow: 1, lastTradedAt: text, halted: text },
    ...{ scheduleSays: text, lastShadow: null },
  }
  const run = {
    ...{ runId: 'run-1', policy: 'core', kind: 'rebalance' as const, outcome: 'FAILED' as const },
    startedAt: text,
    why: text,
    tiesOut: false,
  }
  const needs = {
    ...{
      found: intent.attention === undefined ? [] : [intent.attention],
      other: text,
      unreadable: [text],
      cutOff: [text],
    },
    inNeed: [{ runId: text, policy: text, startedAt: text, why: text }],
    stalled: [{ intentId: 'wd-3', kind: 'withdraw', cause: 'refund due', asked: text, why: text }],
    onTheWay: [],
    doubts: [
      { intentId: 'cv-3', kind: 'convert', asked: text, since: text, until: text, isOverdue: false, said: text },
    ],
    unbegun: [{ runId: 'run-1', policy: text, startedAt: text, why: text }],
    unopened: [{ intentId: 'cv-9', kind: 'convert', state: text, entry: 1, why: text, error: text, at: text }],
    approvals: [
      {
        runId: 'run-1',
        policy: 'core',
        startedAt: text,
        planHash: text,
        expiresAt: text,
        payees: [text],
        approvedBy: [text],
        needed: 2,
      },
    ],
    movements: [
      {
        intentId: 'wd-1',
        kind: 'withdraw',
        termsHash: text,
        terms: [text],
        asked: text,
        expiresAt: text,
        missing: 2,
        approvedBy: [text],
        needed: 3,
        name: text,
        since: text,
      },
    ],
    halts: [{ ...all.halts[0], scope: text, by: text, because: text, at: text, breaker: true, resume: text }],
    left: {
      stranded: [{ policy: 'core', asset: text, amount, why: text }],
      carriedOn: [{ policy: 'core', asset: text, amount, by: text }],
    },
  } as unknown as Overview['needs']
  const holding = { asset: text, balance: amount, leaving: amount, arriving: text, value: amount }
  const targets = {
    ...{ policy: 'core', isShare: false, unit: text, band: { of: 'absolute' as const, bps: 100 } },
    rows: [{ asset: text, holding, target: text }],
  }
  const account = { at: text, holdings: [holding], unreadable: [text], totalValue: amount, targets: [targets] }
  const overview: OverviewPage = {
    ...{
      ...all,
      needs,
      sent: [{ intentId: 'wd-4', asked: text, asset: text, amount, since: text, value: amount }],
      runs: [run],
      underWay: [run],
      policies: [row],
      moving: [{ intentId: 'cv-2', kind: 'convert', state: 'ARMED', asked: text, name: text, createdAt: text }],
    },
    account,
    budgets: [{ field: text, unit: text, daily: amount, left: amount, isRolling: true }],
    turnovers: [{ policy: text, asset: text, today: amount, daily: amount }],
  }
  const policy = { kind: 'rebalance', mode: 'live', weights: { [text || 'BTC']: '1' }, guards: {} } as never
  const act = { id: '1', what: planOf('core'), about: '/policies/core', at: text, end: refused }
  const item = { href: '/runs/run-1', what: text, says: text }
  const groups = [{ title: text, look: 'bad' as const, todo: text, items: [item] }]
  const decided: ActEnd = { ended: 'done', exitCode: 1, facts: {}, says: text, groups, notes: [] }
  const asked = {
    kind: 'convert' as const,
    id: 'cv-1',
    at: text,
    asked: text,
    state: text,
    policy: text,
    movementId: text,
    requestId: text,
  }
  const letter = {
    ...{ letterId: 'letter-1', about: text, reason: text, sentAt: text, age: text, asksFor: text },
    whyNot: text,
  }
  const waits = {
    ...{ kind: 'convert' as const, id: 'cv-7', hash: text, what: text, policy: 'core' },
    ...{ amount, asset: text, worth: { value: amount, asset: text } },
    moves: [{ value: '1', gives: text, brings: text }],
    ...{ payees: [text], since: text, until: text, approvedBy: [text], needed: 2, terms: [text] },
  }
  const notice = { name: 'chat', to: { sns: [] }, about: ['halted' as const], policies: ['core'] }
  const deed = {
    ...{ at: text, by: text, did: 'approved' as const, kind: 'run' as const, about: text, policy: 'core' },
    ...{ what: text, because: text, detail: text, record: text },
  }
  return [
    ['overview', overviewPage(overview, spell)],
    ['overview, unread', overviewPage({ ...overview, account: { at: text, unread: text, next: text } }, spell)],
    ['run', runPage(course, seal)],
    [
      'run without a record',
      runPage(
        {
          ...all,
          unrecorded: {
            ...{ kind: 'run', id: 'run-1', as: '', asked: text, policy: text, startedAt: text, state: 'NOT_BEGUN' },
            ...{ isUnderWay: false, needsPerson: true, why: text, facts: [] },
            histories: [{ name: text, status: text, error: text, input: {}, steps: [] }],
          },
        } as UnrecordedRun,
        seal,
      ),
    ],
    ['intent', intentPage({ ...all, intent, machine }, seal)],
    ['decide', decidePage(course, { ended: 'may approve', ...noted(text) }, seal, spell)],
    ['decide, refused', decidePage(course, refused, seal, spell)],
    ['attention', attentionPage({ ...all, account: { at: text, unread: text, next: text }, needs }, seal, spell)],
    [
      'movements',
      movementsPage({
        ...all,
        filters: { kind: text, outcome: text, since: text, before: text, text, shadow: text },
        rows: [asked],
        older: text,
        unreadable: [text],
      }),
    ],
    [
      'service',
      servicePage({
        ...all,
        query: 'contacts',
        columns: COLUMNS,
        rows: [
          [text, amount === '1' ? text : amount, text, text, text, text, text],
          ['', '', '', '', 'PARTIALLY_FILLED', 'EXTERNAL_FIAT_BANK', 'EXTERNAL_CRYPTO'],
        ],
        isCut: true,
        readAt: text,
      }),
    ],
    [
      'queue',
      queuePage(
        { ...all, by: text, find: text, mine: [waits], others: [{ ...waits, id: 'cv-8', mayNot: text }] },
        seal,
      ),
    ],
    ['events', eventsPage({ ...all, found: { letters: [letter], hasMore: true, hidden: 1 }, notices: [notice] }, seal)],
    ['events, unread', eventsPage({ ...all, found: { unread: text }, notices: [] }, seal)],
    [
      'people',
      peoplePage(
        { ...all, acts: [deed], hasMore: true, broken: [{ record: text, message: text }], brokenTotal: 1 },
        { person: text, did: '', since: text, before: text },
      ),
    ],
    [
      'costs',
      costsPage({
        ...all,
        ...{ from: text, to: text, zone: text, unshown: [{ id: text, message: text }], unshownTotal: 2 },
        filters: { from: text, to: text, policy: text },
        rows: [
          {
            ...(Object.fromEntries(COST_COLUMNS.map((name) => [name, amount])) as CostRow),
            ...{ month: text, policy: text, valuationAsset: text, feesInAssets: text },
          },
        ],
      }),
    ],
    ['plain', plainPage(text, html`<p>${text}</p>`)],
    ['report', reportHtml({ report, legs: [intent] })],
    ['halt', haltPage({ ...all, policies: [text], firstWords: firstWordOn(all) }, seal)],
    ['audit', auditPage({ ...all, judgedThrough: text, runs: [run] }, [{ ...act, what: 'audit' }], seal)],
    [
      'policy',
      policyPage(
        { ...all, row, policy, takesRows: false, runs: [run], plans: [run], aliases: { 1: text } },
        [act],
        seal,
      ),
    ],
    [
      'policy of payouts',
      policyPage(
        { ...all, row, policy, takesRows: true, runs: [run], plans: [run], aliases: { 1: text } },
        [act],
        seal,
      ),
    ],
    ['statement', statementPage({ asked: {}, made: statementOf(text), today: '2026-02-01', everywhere: all })],
    ['act', actPage({ ...act, end: look, ask: { action: '/x', hidden: { note: text } } }, seal, all, spell)],
    ['act of several decisions', actPage({ ...act, end: decided }, seal, all, spell)],
  ]
}

/** Hidden fields send a text back exactly as it is, and no page shows them. Only their quotes are escaped. */
export function everyPage(text: string, amount?: string): readonly (readonly [name: string, page: string])[] {
  const hidden = /(<input type="hidden" name="(?!token")[^"]*" value=")[^"]*/g
  return allPages(text, amount).map(([name, page]) => [name, page.replace(hidden, '$1')] as const)
}

// Tests the pages of the console from data alone: their content, and that hostile texts stay text on all of them.

import { expect, test } from 'vitest'
import type { IntentCourse } from '../../../../operations/movements/intent-course.ts'
import type { RunCourse } from '../../../../operations/runs/run.ts'
import { markOfHalt } from '../../../../operations/words/halt-words.ts'
import { NOT_COMPARED, outcomeWords } from '../../../../operations/words/outcome-words.ts'
import { viewOfDecision } from '../../../../views/decided.ts'
import { actPage } from '../../../../views/pages/act.ts'
import type { ActEnd } from '../../../../views/pages/acted.ts'
import { attentionPage } from '../../../../views/pages/attention.ts'
import { auditReport } from '../../../../views/pages/audit.ts'
import { decidePage, type PlanCheck } from '../../../../views/pages/decide.ts'
import { haltPage } from '../../../../views/pages/halt.ts'
import { movementsPage } from '../../../../views/pages/movements.ts'
import { nextStep } from '../../../../views/pages/next-step.ts'
import { type OverviewPage, overviewPage } from '../../../../views/pages/overview.ts'
import { planOf, policyPage } from '../../../../views/pages/policy.ts'
import { queuePage } from '../../../../views/pages/queue.ts'
import { intentPage, runPage } from '../../../../views/pages/run.ts'
import { servicePage } from '../../../../views/pages/service.ts'
import { statementPage } from '../../../../views/pages/statement.ts'
import { viewOfPlan } from '../../../../views/runs/planned.ts'
import { spell } from '../../../helpers/spell.ts'
import { plan, rebalanced } from '../../views/runs/sample-run.ts'
import { EVIL, everyPage, everywhere, seal, statementOf } from './every-page.ts'

test.each(everyPage(EVIL))('hostile texts are text on the page %s, and its forms carry the token', (_name, page) => {
  // Tags without the quoted values of their attributes.
  const own = page.replace(/<style>.*?<\/style>|<script type="application\/json" id="run">[^<]*<\/script>/gs, '')
  const tags = (own.match(/<[a-z][^>]*>/gi) ?? []).map((tag) => tag.replace(/"[^"]*"/g, '""'))
  for (const tag of tags)
    expect(tag).not.toMatch(/^<(script(?! src="" defer>)|img|iframe|object|style)|\s(on[a-z]+|style|srcdoc)=|'/i)
  expect(page).not.toContain('javascript:')
  expect(page).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
  expect(page).toContain('\\u202egnp.exe')
  const forms = page.match(/<form method="post"/g) ?? []
  expect(page.match(/name="token" value="T0KEN"/g) ?? []).toHaveLength(forms.length)
})

/** NUL, a line end of a terminal, the halves of characters, a mark before any letter, and a pile of marks on one. */
const TORN = `\u0000\u0085\ud83d\u0301\udc00e${'\u0301'.repeat(5_000)}\ufeff`

test.each(everyPage(TORN))(
  'controls, halves of characters and piles of marks are shown as text on the page %s',
  (_name, page) => {
    expect(page.isWellFormed()).toBe(true)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may be in a page
    expect(page).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\ufeff]/)
    expect(page).not.toMatch(/\p{M}{9}/u)
    expect(page).toContain('\\u0000')
    expect(page).toContain('\\ud83d')
  },
)

test.each(everyPage('x'.repeat(10_000)))(
  'texts of 10,000 characters are cut and counted on the page %s',
  (_name, page) => {
    expect(page).not.toContain('x'.repeat(1_001))
    expect(page).toContain('(9000 characters more)')
  },
)

test.each(everyPage(EVIL))(
  'no two elements of the page %s have one id, and each label has its field',
  (_name, page) => {
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id)
    expect([...new Set(ids)]).toEqual(ids)
    for (const [, field] of page.matchAll(/<label for="([^"]*)"/g)) expect(ids).toContain(field)
  },
)

test('a run shows planned and actual rates, slippage, costs, and the change of its value', () => {
  const course: RunCourse = {
    ...everywhere('here'),
    halts: [],
    report: rebalanced,
    machine: { name: 'sluice-rebalance' },
    legs: [],
  }
  const page = runPage(course, seal)
  for (const text of [
    '64\u202f000',
    '63\u202f900',
    '15.6',
    'BTC is 6.4 % over its target',
    '9\u202f600.5 USD',
    '-10 USD',
    'approved by ada',
  ])
    expect(page).toContain(text)
  expect(page).toContain('the drawing needs a running serve')
})

test('a run whose execution has no record is shown with its state, its reason and its execution', () => {
  const page = new Map(everyPage('the key is revoked')).get('run without a record')
  for (const text of ['not begun, nothing was sent', 'the key is revoked.', 'none in the journal', 'href="/attention"'])
    expect(page).toContain(text)
})

test('a halt that one of two people has resumed shows who it was, why, and that another person is missing', () => {
  const all = everywhere('an alarm')
  const [halt = expect.fail()] = all.halts
  const word = { by: 'ada', because: 'checked', at: '2026-01-31T10:00:00Z', until: '2026-02-01T10:00:00Z' }
  const text = (mark: string) => haltPage({ ...all, policies: [], firstWords: new Map([[mark, word]]) }, seal)
  expect(text(markOfHalt(halt))).toMatch(
    /ada resumes it since .*: checked\. Missing: another person must resume it too/,
  )
  expect(text(markOfHalt({ ...halt, because: 'another alarm' }))).not.toContain('resumes it')
})

test('a plan that needs two people says who has approved it, and is checked for the person at this page', () => {
  const approval = {
    planHash: 'h',
    expiresAt: '2026-02-01T09:00:00Z',
    needed: 2,
    approvals: [{ by: 'ada', because: 'x', at: '2026-01-31T09:00:02Z' }],
  }
  const report = { ...rebalanced, outcome: 'AWAITING_APPROVAL' as const, approval }
  const look: ActEnd = {
    ended: 'refused',
    error: { code: 'refused', message: 'ada has approved it', next: 'x' },
    notes: [],
  }
  const course: RunCourse = { ...everywhere('here'), report, machine: { name: 'sluice-rebalance' }, legs: [] }
  const page = decidePage(course, look, { token: 't', by: 'bob', isNamed: true }, spell)
  expect(page).toMatch(/So far:\s1 of 2 approvals \(ada\); waits for another person/)
  expect(page).toMatch(/<form action="\/runs\/run-1\/decide".*name="by" value="bob"/s)
})

test.each([
  [[], 'It counts as one of 2 approvals. The run continues once another person has approved it too.'],
  [[{ by: 'ada', because: 'x', at: '2026-01-31T09:00:02Z' }], 'The run continues, and moves money as planned.'],
])('a plan that needs two people and has %j says what the next approval does', (approvals, says) => {
  const approval = { planHash: 'h', expiresAt: '2026-02-01T09:00:00Z', needed: 2, approvals }
  const report = { ...rebalanced, outcome: 'AWAITING_APPROVAL' as const, approval }
  const course: RunCourse = { ...everywhere('here'), report, machine: { name: 'sluice-rebalance' }, legs: [] }
  const holds: PlanCheck = { ended: 'may approve', notes: [] }
  expect(decidePage(course, holds, { token: 't', by: 'bob', isNamed: true }, spell)).toContain(says)
})

test('a plan that holds can be approved and rejected; any other plan can only be rejected', () => {
  const report = { ...rebalanced, outcome: 'AWAITING_APPROVAL' as const }
  const course: RunCourse = { ...everywhere('here'), report, machine: { name: 'sluice-rebalance' }, legs: [] }
  const holds: PlanCheck = { ended: 'may approve', notes: [] }
  const stale: ActEnd = {
    ended: 'refused',
    error: { code: 'refused', message: 'it no longer holds', next: 'run' },
    notes: [],
  }
  const forms = (page: string) =>
    [...page.matchAll(/method="post" action="\/runs\/run-1\/([a-z]+)"/g)].map(([, verb]) => verb)
  expect(forms(decidePage(course, holds, seal, spell))).toEqual(['approve', 'reject'])
  expect(forms(decidePage(course, stale, seal, spell))).toEqual(['reject'])
  expect(forms(decidePage({ ...course, report: rebalanced }, holds, seal, spell))).toEqual([])
})

test.each([
  ['approved', 'was approved, and continues by itself'],
  ['rejected', 'was rejected, and ends by itself'],
] as const)('a run that was %s says so, and offers the end of its wait and no other decision', (decision, says) => {
  const approval = { planHash: 'h', expiresAt: '2026-02-01T09:00:00Z', decision, by: 'ada' }
  const report = { ...rebalanced, outcome: 'AWAITING_APPROVAL' as const, approval }
  const all = { ...everywhere('here'), halts: [] }
  const course: RunCourse = { ...all, report, waitEnded: decision, machine: { name: 'sluice-rebalance' }, legs: [] }
  const done: ActEnd = { ended: 'done', exitCode: 0, facts: {}, notes: [] }
  for (const page of [runPage(course, seal), decidePage(course, done, seal, spell)]) {
    expect(page).toContain(says)
    expect([...page.matchAll(/method="post" action="([^"]*)"/g)].map(([, to]) => to)).toEqual(['/runs/run-1/again'])
    expect(page).not.toContain('waits for a person')
  }
})

test('an approved run that a halt holds leads to the halt, and an expired plan may only be rejected', () => {
  const approval = { planHash: 'h', expiresAt: '2026-02-01T09:00:00Z' }
  const report = { ...rebalanced, outcome: 'AWAITING_APPROVAL' as const, approval }
  const course: RunCourse = { ...everywhere('here'), report, machine: { name: 'sluice-rebalance' }, legs: [] }
  expect(course.halts.map(({ scope }) => scope)).toEqual(['*'])
  const held = runPage({ ...course, waitEnded: 'approved' }, seal)
  expect(held).toContain('Sending is halted. <a class="button" href="/halt">')
  expect(held).not.toContain('/runs/run-1/again')
  const late: ActEnd = { ended: 'refused', error: { code: 'refused', message: 'the time ended', next: 'x' }, notes: [] }
  const page = decidePage({ ...course, halts: [], waitEnded: 'expired' }, late, seal, spell)
  expect([...page.matchAll(/method="post" action="([^"]*)"/g)].map(([, to]) => to)).toEqual([
    '/runs/run-1/again',
    '/runs/run-1/reject',
  ])
})

test('a run that our own fault kept from beginning can be begun from its page', () => {
  const report = { ...rebalanced, outcome: 'OWN_FAULT' as const, legs: [] }
  const course: RunCourse = { ...everywhere('here'), report, machine: { name: 'sluice-rebalance' }, legs: [] }
  expect(runPage(course, seal)).toContain('action="/runs/run-1/again"')
})

const READY: IntentCourse = {
  ...{ intentId: 'wd-1', kind: 'withdraw', state: 'READY', asked: 'send 1 BTC', createdAt: '2026-01-31T09:00:00Z' },
  name: 'send 1 BTC to cold',
  policy: 'core',
  facts: [
    { fact: 'asked', at: '2026-01-31T09:00:00Z', what: 'send 1 BTC', notAfter: '2026-01-31T09:15:00Z' },
    { fact: 'held', why: 'the withdrawal wd-0 holds the lane' },
    { fact: 'open', state: 'READY', isUnderWay: true },
  ],
}

test.each([
  ['under way', READY, [], ['the withdrawal wd-0 holds the lane', 'From '], ['href="/halt">Resume', 'action="']],
  [
    'held by a halt of its policy',
    READY,
    [{ scope: 'core', by: 'ada', because: 'x', at: '2026-01-31T09:00:00Z' }],
    ['href="/halt">Resume…'],
    [],
  ],
  [
    'without an execution',
    {
      ...READY,
      facts: [...READY.facts.slice(0, 2), { fact: 'open' as const, state: 'READY' as const, isUnderWay: false }],
    },
    [],
    ['nothing continues it by itself', 'action="/intents/wd-1/again"'],
    [],
  ],
  ['that is done', { ...READY, state: 'DONE' }, [], [], ['It is held', 'action="/intents']],
] as const)(
  'the page of an intent %s says why it waits, and offers what ends the wait',
  (_name, intent, halts, says, not) => {
    const page = intentPage({ ...everywhere('here'), halts, intent, machine: { name: 'sluice-withdraw' } }, seal)
    const part = /id="outcome".*?<\/section>/s.exec(page)?.[0] ?? ''
    for (const text of says) expect(part).toContain(text)
    for (const text of not) expect(part).not.toContain(text)
  },
)

test('the page of an intent that waits for people shows its terms, and takes their decision', () => {
  const movement = {
    ...{ intentId: 'wd-1', kind: 'withdraw' as const, termsHash: 'HASH', terms: ['gives up at most 1 BTC'] },
    ...{ asked: 'send 1 BTC', expiresAt: '2026-01-31T09:15:00Z', isOver: false, missing: 1 },
    ...{ name: 'send 1 BTC to cold', since: '2026-01-31T09:00:00Z', approvedBy: [], needed: 1 },
  }
  const page = intentPage(
    { ...everywhere('here'), intent: READY, movement, machine: { name: 'sluice-withdraw' } },
    seal,
  )
  for (const text of [
    'gives up at most 1 BTC',
    'action="/intents/wd-1/approve"',
    'action="/intents/wd-1/reject"',
    'value="HASH"',
  ])
    expect(page).toContain(text)
})

test.each([
  ['approved', 'It is approved by bob at ', 'is then sent', 'its turn'],
  ['rejected', 'It is rejected by bob at ', 'Nothing moves', 'its end'],
] as const)(
  'the page of a movement that is %s no longer says that it waits for people',
  (decision, says, next, badge) => {
    const held = {
      fact: 'held',
      at: '2026-01-31T09:00:01Z',
      why: 'guards.approval waits for a person',
    }
    const words = [{ decision, by: 'bob', at: '2026-01-31T09:05:00Z', because: 'as agreed' }]
    const shown = (facts: readonly object[]) =>
      intentPage(
        {
          ...{
            ...everywhere('here'),
            halts: [],
            decided: { decision, words },
            machine: { name: 'sluice-withdraw' as const },
          },
          intent: { ...READY, facts: facts as IntentCourse['facts'] },
        },
        seal,
      )
    const before = shown([held])
    for (const text of [says, 'as agreed', next]) expect(before).toContain(text)
    // Another hold after the decision is why it waits now.
    const after = shown([held, { ...held, at: '2026-01-31T09:06:00Z', why: 'the lane is busy' }])
    expect(after).toContain('the lane is busy')
    expect(after).toContain(badge)
  },
)

test('the page of a movement that ended without its goal says why', () => {
  const ended = { ...READY, state: 'REJECTED', outcome: 'REJECTED', why: 'bob said no: too early' }
  const page = intentPage({ ...everywhere('here'), intent: ended, machine: { name: 'sluice-withdraw' } }, seal)
  expect(page).toContain('<p>bob said no: too early.</p>')
})

test('the page of a plan that was asked for shows the plan', () => {
  const planned = {
    ...{ plan, runId: 'rb-1', outcome: 'SHADOWED', why: outcomeWords('SHADOWED').says },
    isShadow: false,
  }
  const { says = '' } = viewOfPlan({ ...planned, verb: 'rebalance' })
  const end: ActEnd = { ended: 'done', exitCode: 0, facts: plan, says, plan, notes: [] }
  const page = actPage(
    { id: '1', what: planOf('core'), about: '/policies/core', at: '2026-01-31T09:00:00Z', end },
    seal,
    undefined,
    spell,
  )
  expect(page).toContain(
    '<span class="badge plain">only planned</span> nothing was sent; the plan would move 9\u202f600.5 USD in 2 legs',
  )
  // The account may hold other assets too.
  expect(page).toContain('value of the policy&#39;s assets</dt><dd>100\u202f000 USD')
  expect(page).not.toMatch(/total value|nothing was to move/)
  expect(page).toContain('Legs as planned')
  expect(page).not.toContain('valuationAsset')
})

test.each(everyPage('text'))(
  'each table of the page %s stands on a card, whose colour its edges fade into',
  (name, page) => {
    // A report is a page of its own, with one colour.
    if (name === 'report') return
    for (const { index } of page.matchAll(/<div class="wide"/g)) {
      const before = page.slice(0, index)
      const [open, closed] = [before.split('<section').length, before.split('</section>').length]
      expect([index, open > closed]).toEqual([index, true])
    }
  },
)

test('a printed statement names the service and its stage, which the printed page shows nowhere else', () => {
  const everywhereElse = { ...everywhere('here'), service: 'https://api.example.com' }
  const made = statementOf('here')
  const page = statementPage({ asked: {}, made, today: '2026-02-01', everywhere: everywhereElse })
  expect(page.slice(page.indexOf('<main'))).toContain('https://api.example.com, stage test')
})

test('an act names amounts and times as other pages do, in its outcome, its question and its refusal', () => {
  const text = 'keeps 24374.8 EUR since 2026-01-31T09:00:00.642Z'
  const act = { id: '1', what: 'run core', about: '/', at: '2026-01-31T09:00:00Z' }
  const ask = { action: '/x', hidden: {} }
  for (const end of [
    { ended: 'done', exitCode: 1, facts: { outcome: 'HALTED', why: text }, notes: [] },
    { ended: 'asks', question: text, yes: 'yes-1', notes: [] },
    { ended: 'refused', error: { code: 'refused', message: text, next: 'x' }, notes: [] },
  ] satisfies ActEnd[])
    expect(actPage({ ...act, ask, end }, seal, undefined, spell)).toContain(
      'keeps 24\u202f374.8 EUR since 2026-01-31 09:00:00',
    )
})

test('an approval that something stands against is shown as given, and no longer waits for a person', () => {
  const why = 'its turnover of 51225.57 USD is more than 1000: a person decides until 2026-02-01T09:00:00Z'
  const approval = { planHash: 'h', expiresAt: '2026-02-01T09:00:00Z', decision: 'approved', by: 'ada' } as const
  const result = { ...rebalanced, outcome: 'AWAITING_APPROVAL', why, approval } as const
  const { notes } = viewOfDecision({ end: 'run ended', result, request: { policy: 'core' }, exitCode: 4 })
  const end: ActEnd = { ended: 'done', exitCode: 4, facts: result, notes }
  const page = actPage(
    { id: '1', what: 'approve', about: '/', at: '2026-01-31T09:00:00Z', end },
    seal,
    undefined,
    spell,
  )
  expect(page).toContain('approved, continues')
  expect(page).not.toMatch(/waits for approval|a person decides/)
})

test('a plan whose balances prove nothing during a doubt is not said to hold', () => {
  const report = { ...rebalanced, outcome: 'AWAITING_APPROVAL' as const }
  const course: RunCourse = { ...everywhere('here'), report, machine: { name: 'sluice-rebalance' }, legs: [] }
  const check: PlanCheck = { ended: 'may approve', notes: [`${NOT_COMPARED}, because wd-1 is in doubt`] }
  expect(decidePage(course, { ...check, notes: [] }, seal, spell)).toContain('and it holds')
  expect(decidePage(course, check, seal, spell)).not.toContain('and it holds')
})

test('a question of an act is answered by yes, or by going back', () => {
  const end: ActEnd = { ended: 'asks', question: 'settle it as done?', yes: 'yes-1', notes: [] }
  const act = { id: '1', what: 'resolve wd-1', about: '/intents/wd-1', at: '2026-01-31T09:00:00Z', end }
  const page = actPage({ ...act, ask: { action: '/intents/wd-1/resolve', hidden: {} } }, seal, undefined, spell)
  expect(page).toContain('<a href="/intents/wd-1">No, go back</a>')
  expect(page).not.toContain('Continue')
})

test('the page of a payouts policy says that a file starts it, and never an event', () => {
  const policy = { kind: 'payouts', mode: 'live', assets: ['USD'] } as never
  const row = { policy: 'salaries', halted: null, holder: null, mode: 'live', kind: 'payouts' } as never
  const all = { ...everywhere('here'), row, policy, runs: [], plans: [], aliases: {} }
  const page = policyPage({ ...all, takesRows: true }, [], seal)
  expect(page).toContain('It runs when a person gives it a file of payouts.')
  expect(page).not.toContain('by an event')
  expect(policyPage({ ...all, takesRows: false }, [], seal)).toContain('by an event')
})

const QUIET: OverviewPage = {
  sent: [],
  ...everywhere('here'),
  halts: [],
  needs: {
    ...{
      found: [],
      stalled: [],
      onTheWay: [],
      doubts: [],
      inNeed: [],
      unopened: [],
      unbegun: [],
      approvals: [],
      movements: [],
      halts: [],
    },
    ...{ left: { stranded: [], carriedOn: [] }, unreadable: [], cutOff: [], other: undefined },
  },
  ...{ runs: [], underWay: [], policies: [], moving: [], budgets: [], turnovers: [] },
  account: { at: '2026-01-31T09:00:00Z', holdings: [], unreadable: [], totalValue: '0', targets: [] },
}

const SHOWN_POLICY = {
  ...{ policy: 'trial', kind: 'rebalance', mode: 'shadow', schedule: 'cron(0 7 ? * MON-FRI *)', nextStart: null },
  ...{ scheduleSays: 'At 07:00, Monday through Friday (UTC)', holder: null, holderStartedAt: null, lastRun: null },
  ...{ lastStartedAt: null, lastOutcome: null, failuresInRow: 0, lastTradedAt: null, halted: null },
  lastShadow: { runId: 'rb-2', startedAt: '2026-01-30T07:00:00Z', outcome: 'SHADOWED' },
}

test('the overview says that a policy ran in shadow mode, with the run, and its schedule in words', () => {
  const page = overviewPage({ ...QUIET, policies: [SHOWN_POLICY] }, spell)
  expect(page).toContain('in shadow mode, <span class="badge plain">only planned</span>')
  expect(page).toContain('<a href="/runs/rb-2" title="rb-2">30 Jan 07:00</a>')
  expect(page).toContain('At 07:00, Monday through Friday (UTC)')
  expect(page).not.toContain('never ran')
  expect(page).not.toContain('cron(')
  expect(overviewPage({ ...QUIET, policies: [{ ...SHOWN_POLICY, lastShadow: null }] }, spell)).toContain('never ran')
})

const MOVING = {
  ...{ intentId: 'wd-1', kind: 'withdraw', asked: 'send 1 BTC', name: 'send 1 BTC', createdAt: '2026-01-31T09:00:00Z' },
}
const ASKED = {
  ...{ intentId: 'wd-1', kind: 'withdraw' as const, termsHash: 'H', terms: [], asked: 'send 1 BTC', isOver: false },
  ...{ expiresAt: '2026-02-01T09:00:00Z', missing: 2, name: 'send 1 BTC to cold', since: '2026-01-31T09:00:00Z' },
  ...{ approvedBy: ['ada'], needed: 3 },
}
const HALT = { scope: '*', by: 'ada', because: 'x', at: '2026-01-31T09:00:00Z' }

test.each([
  ['that waits for people', [ASKED], [], 'waits for 2 people to approve it, nothing has been sent'],
  ['held by a halt', [], [HALT], 'waits for the end of a halt, nothing has been sent'],
  ['without a known wait', [], [], 'nothing has been sent'],
])('the overview says of a movement %s that nothing has been sent', (_what, movements, halts, says) => {
  const moving = [{ ...MOVING, state: 'READY' }]
  const page = overviewPage({ ...QUIET, halts, moving, needs: { ...QUIET.needs, movements } }, spell)
  expect(page).toContain(`<span class="badge wait">${says}</span> <code class="code">READY</code>`)
})

const WAITS = {
  ...{
    hash: 'H',
    policy: 'core',
    since: HALT.at,
    until: HALT.at,
    payees: [],
    approvedBy: [],
    needed: 1,
    terms: [],
    moves: [],
  },
}

test('the queue shows the most that a movement spends, and its value beside, and of a plan its value', () => {
  const worth = { value: '64123.987', asset: 'USD' }
  const movement = {
    ...WAITS,
    kind: 'convert' as const,
    id: 'cv-1',
    what: 'sell 1 BTC',
    amount: '1',
    asset: 'BTC',
    worth,
  }
  const plan = { ...WAITS, kind: 'run' as const, id: 'rb-1', what: 'core, 31 Jan 09:00', worth }
  const data = { ...everywhere('here'), by: 'ada', find: '', mine: [movement, plan], others: [] }
  const rows = queuePage(data, seal)
    .split('<tr>')
    .filter((row) => row.includes('64\u202f123.98'))
  expect(rows).toHaveLength(2)
  expect(rows[0]).toMatch(
    /<td class="amount" data-title="at most">1<\/td><td class="unit" data-title="of">BTC<\/td><td class="amount" data-title="worth">.*<td class="unit" data-title="in">USD<\/td>/,
  )
  // The plan has no amount of its own, and leaves no empty line.
  expect(rows[1]).toContain('<td class="amount" data-title="at most"></td>')
})

const sold = (value: string, asset: string) => ({ value, gives: `1.5 ${asset}`, brings: '90000 USDC' })

test.each([
  ['its only one', [sold('9', 'BTC')], 'Sells 1.5 BTC, buys 90\u202f000 USDC.'],
  ['a withdrawal', [{ value: '9', gives: '10 ETH' }], 'Sends 10 ETH, fee included.'],
  [
    'the three of the most value of five',
    [sold('8', 'A1'), sold('9', 'B1'), sold('1', 'C1'), sold('2', 'D1'), sold('10', 'E1')],
    'Sells 1.5 E1, buys 90\u202f000 USDC; sells 1.5 B1, buys 90\u202f000 USDC; sells 1.5 A1, buys 90\u202f000 USDC; and 2 more.',
  ],
])('the queue names the movements of a plan in its row: %s', (_what, moves, says) => {
  const plan = { ...WAITS, kind: 'run' as const, id: 'rb-1', what: 'core, 31 Jan 09:00', moves }
  const page = queuePage({ ...everywhere('here'), by: 'ada', find: '', mine: [plan], others: [] }, seal)
  expect(page.slice(0, page.indexOf('What is decided on'))).toContain(`<p>${says}</p>`)
})

const REPORT = {
  ...{ outcome: 'TIES_OUT' as const, since: HALT.at, through: HALT.at, youngSince: HALT.at, allFrom: HALT.at },
  ...{ waiting: 0, orders: 0, fills: 0, withdrawals: 0, entries: 0, intents: 0, foreign: 0 },
  ...{ findingsTotal: 0, findings: [], open: [] },
}

test.each([
  ['nothing', {}, 'nothing to compare yet', 'ties out'],
  ['only intents that moved nothing', { intents: 3 }, 'nothing to compare yet', 'ties out'],
  ['one order', { orders: 1 }, 'ties out', 'nothing to compare'],
  [
    'an open finding',
    { open: [{ finding: 'unclaimed_movement' as const, message: 'm' }] },
    'does not tie out',
    'ties out',
  ],
  ['only a finding', { findingsTotal: 1 }, 'does not tie out', 'nothing to compare'],
])('an audit that compared %s says so', (_what, changes, says, not) => {
  const text = auditReport({ ...REPORT, ...changes }, HALT.at).text
  expect(text).toContain(`>${says}</span>`)
  expect(text).not.toContain(not)
})

test.each([
  ['service', 'href="/service/ledger/csv" download'],
  ['statement', 'A shorter period shows its own'],
  ['overview without policies', 'Whoever keeps that file can add one'],
])('the page %s has no command in the place of a link', (name, says) => {
  const pages: Readonly<Record<string, string>> = {
    service: servicePage({
      ...everywhere('here'),
      query: 'ledger',
      columns: [],
      rows: [['1']],
      isCut: true,
      readAt: 'x',
    }),
    statement: statementPage({
      ...{ asked: {}, made: { ...statementOf('x'), faults: Array.from({ length: 51 }, () => 'x') } },
      ...{ today: '2026-02-01', everywhere: everywhere('here') },
    }),
    'overview without policies': overviewPage(QUIET, spell),
  }
  expect(pages[name]).toContain(says)
  expect(pages[name]).not.toContain('<code>sluice')
})

test('the balances of a proof are grouped, with every digit', () => {
  const proof = {
    ...{ isProven: true, openingDay: '2025-12-31', openingBalance: '1234567.123456789', closingDay: '2026-01-31' },
    ...{ closingBalance: '100000', entries: 2, change: '1' },
  }
  const asset = { asset: 'EUR', opening: '1234567.123456789', closing: '100000', lines: [], actions: [], proof }
  const made = { ...statementOf('x'), assets: [asset] }
  const page = statementPage({ asked: {}, made, today: '2026-02-01', everywhere: everywhere('here') })
  expect(page).toContain('from 1\u202f234\u202f567.123456789 at the end of 2025-12-31 to 100\u202f000 at the end')
})

test('the figures of a proof that fails are grouped too', () => {
  const why = 'the balance history goes from 99749.25 to 179756.698847: -1234.5 is not explained'
  const proof = { isProven: false, openingBalance: '1', closingBalance: '1', entries: 0, change: '0', why }
  const asset = { asset: 'EUR', opening: '1', closing: '1', lines: [], actions: [], proof }
  const made = { ...statementOf('x'), isProven: false, assets: [asset] }
  const page = statementPage({ asked: {}, made, today: '2026-02-01', everywhere: everywhere('here') })
  expect(page).toContain('from 99\u202f749.25 to 179\u202f756.698847: -1\u202f234.5 is not explained')
})

test('a statement begins with all assets and their sums, and only those that moved have a section of their own', () => {
  const proof = { isProven: true, openingBalance: '5', closingBalance: '5', entries: 0, change: '0' }
  const still = { asset: 'SOL', opening: '5', closing: '5', lines: [], actions: [], proof }
  const lines = [
    { kind: 'deposits', in: '1.5', out: '0', count: 1 },
    { kind: 'conversions', in: '2', out: '3.25', count: 2 },
  ] as const
  const moved = { ...still, asset: 'EUR', closing: '5.25', lines }
  const made = { ...statementOf('x'), assets: [moved, still] }
  const page = statementPage({ asked: {}, made, today: '2026-02-01', everywhere: everywhere('here') })
  const table = page.slice(page.indexOf('id="all-assets"'), page.indexOf('id="asset-EUR"'))
  for (const text of ['3.5', '3.25', '5.25', '>SOL<', 'href="#asset-EUR"']) expect(table).toContain(text)
  expect(page).not.toContain('id="asset-SOL"')
  const alone = statementPage({
    ...{ asked: {}, today: '2026-02-01', everywhere: everywhere('here') },
    made: { ...made, assets: [still] },
  })
  expect(alone).toContain('id="asset-SOL"')
  expect(alone).not.toContain('id="all-assets"')
})

test('the page of an act shows at which service and stage it acts', () => {
  const act = { id: '1', what: 'run core', about: '/', at: HALT.at }
  const live = { ...everywhere('here'), service: 'https://api.example.com', stage: 'live' }
  expect(actPage(act, seal, live, spell)).toContain('stage live: real money</span> https://api.example.com')
})

test('each movement that may be that of a doubt has its facts, what speaks for and against it, and a button', () => {
  const candidate = {
    ...{ id: 'w-1', amount: '100', asset: 'USDC', at: HALT.at, status: 'COMPLETED', terms: 'INTERNAL' },
    ...{ pro: ['its total is the 100 USDC that was asked for'], contra: ['it was there before the send'] },
  }
  const attention = {
    ...{ intentId: 'wd-1', kind: 'withdraw' as const, state: 'ESCALATED' as const, params: {}, asked: 'send 100 USDC' },
    ...{
      attempt: 1,
      candidates: [],
      weighed: [candidate, { ...candidate, id: 'w-2' }],
      why: 'two rows',
      next: 'nothing',
    },
  }
  const page = (state: 'ESCALATED' | 'ARMED') =>
    attentionPage(
      { ...everywhere('here'), account: QUIET.account, needs: { ...QUIET.needs, found: [{ ...attention, state }] } },
      seal,
      spell,
    )
  const shown = page('ESCALATED')
  for (const text of [
    '100',
    'USDC',
    'completed</td>',
    'INTERNAL',
    'For it:',
    'Against it:',
    'it was there before the send.',
  ])
    expect(shown).toContain(text)
  expect([...shown.matchAll(/name="movement" value="([^"]*)"/g)].map(([, id]) => id)).toEqual(['w-1', 'w-2'])
  expect(page('ARMED')).not.toContain('name="movement"')
})

const SENT: IntentCourse = {
  ...{ intentId: 'wd-1', kind: 'withdraw', state: 'DONE', asked: 'send 1 EUR', createdAt: HALT.at, facts: [] },
  name: 'send 1 EUR to the bank',
  waits: { readAt: HALT.at, nextAt: '2026-01-31T10:00:00Z', isBank: true, why: 'the withdrawal is pending' },
}

test('a withdrawal that the service calls failed without its refund is not said to need nobody', () => {
  const waits = { ...SENT.waits, why: 'the withdrawal ended as FAILED', isRefundDue: true } as const
  const page = (course: IntentCourse) =>
    intentPage({ ...everywhere('here'), halts: [], intent: course, machine: { name: 'sluice-withdraw' } }, seal)
  expect(page(SENT)).toContain('It needs nobody meanwhile')
  const due = page({ ...SENT, waits } as IntentCourse)
  expect(due).toContain('A person is needed: ask the operator')
  for (const untrue of ['needs nobody', 'for the bank']) expect(due).not.toContain(untrue)
})

test('the overview names what is sent and not confirmed with its payee and value, and never calls it at rest', () => {
  const sent = { intentId: 'wd-1', asked: 'send 5000 EUR to the bank', asset: 'EUR', amount: '5000', since: HALT.at }
  const account = { at: HALT.at, holdings: [], unreadable: [], totalValue: '0', targets: [] }
  const page = overviewPage({ ...QUIET, account, sent: [{ ...sent, value: '5400' }] }, spell)
  for (const text of ['EUR to the bank', 'sent and not confirmed', '5\u202f400']) expect(page).toContain(text)
  expect(page).not.toContain('Nothing is on its way')
  expect(overviewPage({ ...QUIET, account }, spell)).toContain('Nothing is on its way')
})

test('a run whose legs all wait for a bank says so, with the next check and a button that checks now', () => {
  const report = { ...rebalanced, outcome: 'RUNNING' as const, legs: [] }
  const all = { ...everywhere('here'), halts: [] }
  const course = (legs: readonly IntentCourse[]) => ({
    ...all,
    report,
    machine: { name: 'sluice-sweep' as const },
    legs,
  })
  const page = runPage(course([SENT, SENT]), seal)
  expect(page).toContain('<span class="badge wait">waits for a bank</span>')
  expect(page).toContain('2 of 2 legs are sent, and wait for the bank')
  expect(page).toMatch(/The next check is at <time[^>]*>2026-01-31 10:00:00/)
  expect(page).toContain('action="/runs/run-1/check"')
  const mixed = runPage(course([SENT, READY]), seal)
  expect(mixed).toContain('1 of 2 legs is sent')
  expect(mixed).toContain('<span class="badge wait">under way</span>')
  expect(runPage(course([READY]), seal)).not.toContain('/check"')
})

test('of a run with more legs than its page reads, the page says that it speaks of the first ones', () => {
  const all = { ...everywhere('here'), halts: [] }
  const report = { ...rebalanced, outcome: 'RUNNING' as const }
  expect(report.legs.length).toBeGreaterThan(1)
  const page = runPage({ ...all, report, machine: { name: 'sluice-sweep' as const }, legs: [SENT] }, seal)
  expect(page).toContain('1 of the first 1 leg is sent')
  expect(page).toContain('<span class="badge wait">under way</span>')
})

test.each([
  ['alone', {}, 'action="/intents/withdraw/wd-1/check"'],
  ['as a leg', { run: 'run-1' }, 'action="/runs/run-1/check"'],
])('a payout %s that waits for a bank says when it is checked, and is checked by a button', (_how, more, form) => {
  const intent = { ...SENT, ...more }
  const page = intentPage({ ...everywhere('here'), intent, machine: { name: 'sluice-withdraw' } }, seal)
  expect(page).toContain('<span class="badge wait">sent, waits for the bank</span>')
  expect(page).toContain(form)
})

const WAITING = {
  ...{ runId: 'rb-1', policy: 'core', startedAt: '2026-01-31T09:00:00Z', planHash: 'H', payees: [] },
  ...{ approvedBy: [], needed: 1 },
}

test.each([
  { waitEnded: undefined, says: 'waits for a person until', path: '/runs/rb-1/decide' },
  { waitEnded: 'approved', says: 'was approved, and continues by itself', path: '/runs/rb-1' },
  { waitEnded: 'rejected', says: 'was rejected, and ends by itself', path: '/runs/rb-1' },
] as const)('the overview says that a run whose decision is $waitEnded $says', ({ waitEnded, says, path }) => {
  const approval = { ...WAITING, expiresAt: '2026-02-01T09:00:00Z', ...(waitEnded !== undefined && { waitEnded }) }
  const page = overviewPage({ ...QUIET, needs: { ...QUIET.needs, approvals: [approval] } }, spell)
  expect(page).toContain(`href="${path}">core, 31 Jan 09:00</a>`)
  expect(page).toContain(says)
  expect(page.includes('waits for a person until')).toBe(waitEnded === undefined)
})

test('the overview says of a plan that waits what it turns over and whom it pays', () => {
  const worth = { value: '11319.208', asset: 'USD' }
  const approval = { ...WAITING, expiresAt: '2026-02-01T09:00:00Z', worth, payees: ['cold', 'b', 'c', 'd'] }
  const page = overviewPage({ ...QUIET, needs: { ...QUIET.needs, approvals: [approval] } }, spell)
  expect(page).toContain('11\u202f319.2</span>')
  expect(page).toContain(' USD of turnover, to cold, b, c, 1 more, waits for a person until')
})

test('the overview, Attention and the queue say how many of the approvals are given', () => {
  const given = { approvedBy: ['ada'], needed: 2 }
  const approval = { ...WAITING, expiresAt: '2026-02-01T09:00:00Z', ...given }
  const needs = { ...QUIET.needs, approvals: [approval], movements: [ASKED] }
  const waits = { ...WAITS, ...given, kind: 'run' as const, id: 'rb-1', what: 'core, 31 Jan 09:00' }
  const pages = [
    overviewPage({ ...QUIET, needs }, spell),
    attentionPage({ ...everywhere('here'), account: QUIET.account, needs }, seal, spell),
    queuePage({ ...everywhere('here'), by: 'bob', find: '', mine: [waits], others: [] }, seal),
  ]
  for (const page of pages) expect(page).toContain('has 1 of 2 approvals (ada)')
  for (const page of pages.slice(0, 2)) expect(page).toContain('has 1 of 3 approvals (ada), and ')
})

test('a person who has approved a plan already reads so, and is not asked again', () => {
  const note = 'ada has approved it already, and another person must approve it too'
  const approval = {
    planHash: 'H',
    expiresAt: HALT.at,
    needed: 2,
    approvals: [{ by: 'ada', because: 'x', at: HALT.at }],
  }
  const report = { ...rebalanced, outcome: 'AWAITING_APPROVAL' as const, approval }
  const check = { ended: 'done' as const, exitCode: 0 as const, facts: {}, notes: [note] }
  const page = decidePage(
    { ...everywhere('here'), report, legs: [], machine: { name: 'sluice-rebalance' } },
    check,
    seal,
    spell,
  )
  expect(page).toContain(note)
  expect(page).not.toContain('It was decided before')
  expect(page).not.toContain('Approve this plan')
})

test.each([
  ['overview', 'Overview'],
  ['run', 'Movements'],
  ['intent', 'Movements'],
  ['decide', 'To decide'],
  ['policy', undefined],
  ['act', undefined],
])('the menu marks on the page %s the entry %s', (name, entry) => {
  const [, page = ''] = everyPage('x').find(([each]) => each === name) ?? []
  const [nav = ''] = /<nav aria-label="Pages">.*?<\/nav>/s.exec(page) ?? []
  expect(/aria-current="page">([^<]*)/.exec(nav)?.[1]).toBe(entry)
})

test('the list of movements calls a movement by what it asks, with its id beside, and says the whole request once', () => {
  const row = { kind: 'withdraw' as const, id: 'wd-1', at: HALT.at, state: 'DONE' }
  const asked = 'send 100 USDC, fee included, to "Cold" (id 1)'
  const rows = [
    { ...row, asked, name: 'send 100 USDC to Cold' },
    { ...row, kind: 'convert' as const, id: 'cv-1', asked: 'sell 1 BTC for USD', name: 'sell 1 BTC for USD' },
  ]
  const filters = { kind: '', outcome: '', since: '', before: '', text: '', shadow: '' }
  const page = movementsPage({ ...everywhere('here'), filters, rows, unreadable: [] })
  expect(page).toContain('<a href="/intents/wd-1">send 100 USDC to Cold</a> <code class="id">wd-1</code>')
  expect(page).toContain('<p>send 100 USDC, fee included, to &#34;Cold&#34; (id 1)</p>')
  expect(page.split('sell 1 BTC for USD')).toHaveLength(2)
})

test('the page of a run that only planned says so once', () => {
  const report = { ...rebalanced, outcome: 'SHADOWED' as const }
  const page = runPage({ ...everywhere('here'), report, legs: [], machine: { name: 'sluice-rebalance' } }, seal)
  expect(page).toContain(
    '<span class="badge plain">only planned</span> <code class="code">SHADOWED</code> nothing was sent.',
  )
  expect(page).not.toContain('planned only')
})

test('a run stands among those under way or among the last runs, never among both', () => {
  const run = (runId: string) => ({
    ...{
      runId,
      policy: 'core',
      kind: 'rebalance' as const,
      outcome: 'SETTLED' as const,
      startedAt: '2026-01-31T09:00:00Z',
    },
  })
  const [open, ended] = [{ ...run('rb-1'), outcome: 'RUNNING' as const }, run('rb-2')]
  const page = overviewPage({ ...QUIET, underWay: [open], runs: [open, ended] }, spell)
  for (const { runId } of [open, ended]) expect(page.split(`<code class="id">${runId}</code>`)).toHaveLength(2)
  const alone = overviewPage({ ...QUIET, underWay: [open], runs: [open] }, spell)
  expect(alone).toContain('The last runs are all under way.')
  expect(alone).not.toContain('No policy has run yet')
})

test('the settings of a policy name the contact beside its id, and say none where a part is empty', () => {
  const rules = [{ asset: 'BTC', contactId: 'contact/1' }]
  const policy = { kind: 'sweep', mode: 'live', rules, guards: {}, band: { of: 'absolute', bps: 100 } } as never
  const row = { policy: 'home', halted: null, holder: null } as never
  const all = { ...everywhere('here'), row, policy, runs: [], plans: [], takesRows: false }
  const page = policyPage({ ...all, aliases: { 'contact/1': 'cold' } }, [], seal)
  expect(page).toContain('asset BTC, contactId contact/1 (last planned as &#34;cold&#34;)')
  expect(page).toContain('<dt>guards</dt><dd>none of its own, beside those of the deployment</dd>')
  expect(page).toContain('1 % of the value of the policy&#39;s assets')
  expect(policyPage({ ...all, aliases: {} }, [], seal)).toContain('contactId contact/1</dd>')
})

test.each([
  ['2026-02-10', '2026-02-01', '2026-01-01'],
  ['2026-01-01', '2026-01-01', '2025-12-01'],
])('a statement without a period offers on %s the month from %s and the one before', (today, from, before) => {
  const page = statementPage({ asked: {}, made: undefined, today, everywhere: everywhere('here') })
  expect(page).toContain(`href="/statement?from=${from}">this month so far`)
  expect(page).toContain(`href="/statement?from=${before}&amp;to=${from}">the month before`)
})

test('a withdrawal that exists and came to no end is not called done where it needs a person', () => {
  const known = { intentId: 'wd-1', kind: 'withdraw', state: 'DONE', candidates: [] }
  const found = [{ ...known, why: 'movement 7 did not complete' }] as never
  const page = overviewPage({ ...QUIET, needs: { ...QUIET.needs, found } }, spell)
  expect(page).toContain('<span class="badge bad">end not known</span> <code class="code">DONE</code>')
})

test.each([
  [{ do: 'list-cases' }, '/attention'],
  [{ do: 'show-run', id: 'rb-1', why: 'its current state' }, '/runs/rb-1'],
  [{ do: 'show-movement', id: 'cv-1' }, '/find?id=cv-1'],
  [{ do: 'run', verb: 'rebalance', policy: 'core' }, '/policies/core'],
  [{ do: 'list-letters' }, '/events'],
  [{ do: 'resume', policy: 'core' }, '/halt'],
  [{ do: 'list-policies' }, '/'],
] as const)('an error whose next step is %o leads to the page %s', (step, path) => {
  const { text } = nextStep(step, spell)
  expect(text).toContain(`href="${path}"`)
  expect(text).not.toContain('<code>')
})

test.each([
  ['sign in to AWS again', 'no step, and is shown as a text', false],
  [{ do: 'run', verb: 'rebalance' }, 'a step without a page, and is shown as its command', true],
  [{ do: 'serve' }, 'a step without a page, and is shown as its command', true],
] as const)('the next step %o is %s', (next, _what, isCode) =>
  expect(nextStep(next, spell).text.includes('<code>')).toBe(isCode),
)

test('a doubt needs nobody, on the overview as on Attention, and a waiting movement needs a person on both', () => {
  const doubts = [
    {
      intentId: 'cv-3',
      kind: 'convert',
      asked: 'sell 1 BTC for USD',
      since: HALT.at,
      until: HALT.at,
      isOverdue: false,
    },
  ] as const
  const pagesOf = (needs: OverviewPage['needs']) =>
    [
      overviewPage({ ...QUIET, needs }, spell),
      attentionPage({ ...everywhere('here'), account: QUIET.account, needs }, seal, spell),
    ] as const
  for (const page of pagesOf({ ...QUIET.needs, doubts })) {
    expect(page).toContain('Nothing needs a person.')
    expect(page).toContain('sell 1 BTC for USD')
  }
  const [overview, attention] = pagesOf({ ...QUIET.needs, movements: [ASKED] })
  for (const page of [overview, attention]) {
    expect(page).not.toContain('Nothing needs a person.')
    expect(page).toContain('send 1 BTC to cold')
    expect(page).toContain('<code class="id">wd-1</code>')
  }
  expect(overview).toMatch(/waits for a person since <time[^>]*>2026-01-31 09:00:00/)
})

test('the reason of a halt is marked as optional, and that of a decision is needed', () => {
  expect(haltPage({ ...everywhere('here'), policies: [], firstWords: new Map() }, seal)).toMatch(
    /Why \(optional\)<\/label>\n<input id="halt-because" name="because" maxlength="500" autocomplete="off">.*Why<\/label>/s,
  )
})

test('the distance from a target is the first figure of its row, where a narrow screen shows it', () => {
  const holding = { asset: 'BTC', balance: '1', leaving: '0', arriving: '0', value: '60' }
  const targets = {
    ...{ policy: 'core', isShare: true, unit: 'USD', band: { of: 'relative' as const, bps: 500 } },
    rows: [{ asset: 'BTC', holding, target: '0.5' }],
  }
  const account = { at: HALT.at, holdings: [holding], unreadable: [], totalValue: '60', targets: [targets] }
  const card = /<article.*?<\/article>/s.exec(overviewPage({ ...QUIET, account }, spell))?.[0] ?? ''
  expect([...card.matchAll(/<th scope="col"[^>]*>([^<]*)/g)].map(([, title]) => title).slice(0, 2)).toEqual([
    'asset',
    'off by %',
  ])
  expect(card).toContain('Band: 5 % of each target.')
})

test('every page leads to the statement and to the costs', () => {
  for (const path of ['/statement', '/costs']) expect(overviewPage(QUIET, spell)).toContain(`<li><a href="${path}">`)
})

test('a notice without an address says where its address comes from, and who sets it', () => {
  const { text } = nextStep({ do: 'set-notice', notice: 'chat' }, spell)
  expect(text).toMatch(/notice <b>chat<\/b> has no address yet.*gives\s+one under the name/s)
})

test.each([
  [
    { at: 'T', unread: 'no answer', next: 'wait' },
    'Nothing in the journal needs a person. The service could not be asked',
  ],
  [
    { at: 'T', unread: '401', next: 'issue a new key', isKeyRefused: true as const },
    'The service refuses the key that reads the account',
  ],
])('no page says that nothing needs a person where the account shows %o', (account, says) => {
  for (const shown of [
    overviewPage({ ...QUIET, account }, spell),
    attentionPage({ ...everywhere('here'), account, needs: QUIET.needs }, seal, spell),
  ]) {
    expect(shown).toContain(says)
    expect(shown).not.toContain('Nothing needs a person.')
  }
})

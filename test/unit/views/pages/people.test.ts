// Tests the page of the log of people: how it names what an act is about, and what it offers to take away.
import { expect, test } from 'vitest'
import { type Act, Did } from '../../../../operations/people/act.ts'
import { peoplePage } from '../../../../views/pages/people.ts'
import { ACT_TEXTS, rowOfBroken } from '../../../../views/people-texts.ts'

const act: Act = {
  ...{
    at: '2026-11-24T10:00:00.000Z',
    by: 'ada',
    did: Did.Approved,
    kind: 'run',
    about: 'rb-1a2b',
    policy: 'balanced',
  },
  ...{ what: null, because: null, detail: null, record: 'D#rb-1a2b#f' },
}
const FILTERS = { person: 'ada', did: '', since: '', before: '' }
const shown = (acts: readonly Act[]) =>
  peoplePage(
    { acts, hasMore: false, broken: [], brokenTotal: 0, halts: [], journal: 'here', service: 'there', stage: 'test' },
    FILTERS,
  )

test('the log of people names a run by its policy and time, with its id beside', () => {
  const page = shown([{ ...act, startedAt: '2026-11-24T09:00:00.000Z' }])
  expect(page).toContain('run <a href="/runs/rb-1a2b">balanced, 24 Nov 09:00</a> <code class="id">rb-1a2b</code>')
})

test('the log of people names a movement by what it asks for, and a run with its turnover', () => {
  const what = 'send 12.5 USDC to ops'
  const movement = shown([{ ...act, kind: 'withdraw', about: 'wd-1', what }])
  expect(movement).toContain('<a href="/intents/wd-1">send 12.5 USDC to ops</a> <code class="id">wd-1</code>')
  const run = shown([{ ...act, startedAt: '2026-11-24T09:00:00.000Z', what: 'turnover 119.25 USD' }])
  expect(run).toContain('<code class="id">rb-1a2b</code>, turnover 119.25 USD')
})

test('the log of people names a run by its id alone where its record cannot be read', () => {
  expect(shown([{ ...act, policy: null }])).toContain('run <a href="/runs/rb-1a2b">rb-1a2b</a>')
})

test('the page People offers what its filters show as CSV and as JSON Lines', () => {
  const page = shown([act])
  expect(page).toContain('<a href="/people.csv?person=ada" download>')
  expect(page).toContain('<a href="/people.jsonl?person=ada" download>')
})

test('a broken record is a row of the export', () => {
  const row = ACT_TEXTS.jsonl.line(rowOfBroken({ record: 'H#*#1', message: 'the record H#*#1 is missing' }))
  expect(JSON.parse(row)).toMatchObject({ did: 'unreadable', record: 'H#*#1', detail: 'the record H#*#1 is missing' })
})

// Tests the log of people: which acts it reads from which records, in which order, and what it reports of missing ones.
import { expect, test } from 'vitest'
import { asNotVerified } from '../../../../core/contract/person.ts'
import { ASKED_AT_KEY, ASKED_KEY, IntentKind, recordKey } from '../../../../core/contract/records.ts'
import { ResumedBy } from '../../../../core/contract/service-settings.ts'
import { createAskers } from '../../../../core/journal/askers.ts'
import { createHalts } from '../../../../core/journal/halts.ts'
import { createJournal } from '../../../../core/journal/journal.ts'
import type { StoredRecord } from '../../../../core/journal/record-store.ts'
import { momentOf } from '../../../../core/journal/request-keys.ts'
import { resolveIntent } from '../../../../core/journal/resolution.ts'
import { createDecisions } from '../../../../core/runs/approval/decisions.ts'
import { createRequesters } from '../../../../core/runs/approval/requesters.ts'
import { createPolicyRecords } from '../../../../core/runs/record/policy-record.ts'
import { findReleasable } from '../../../../core/runs/release.ts'
import type { Act, BrokenRecord } from '../../../../operations/people/act.ts'
import { type ActFilters, readActFilter } from '../../../../operations/people/filter.ts'
import { walkActs } from '../../../../operations/people/walk-acts.ts'
import { decisionKey, otherKey } from '../../../helpers/decision-key.ts'
import { armed, CONVERSION } from '../../../helpers/intents.ts'
import { createMemoryStore } from '../../../helpers/memory-store.ts'

let ids = 0
const [ADA = '', BOB = '', EVE = ''] = ['ada', 'bob', 'eve'].map(asNotVerified)
const newId = () => `stamp-${++ids}`
const at = (hour: number) => new Date(Date.UTC(2026, 0, 31, hour)).toISOString()
const TERMS = { kind: IntentKind.Convert, intentId: 'cv-1', termsHash: 'f'.repeat(64) } as const

/** A day of people: every kind of act, one an hour. */
async function day() {
  const store = createMemoryStore()
  const journal = createJournal(store, newId)
  const decisions = createDecisions(store, newId, decisionKey)
  const requesters = createRequesters(store, newId)
  const policies = createPolicyRecords(store, newId)
  const [halts, byTwo] = [undefined, ResumedBy.TwoPeople].map((rule) => createHalts(store, newId, { resumedBy: rule }))
  const request = { policy: 'balanced' } as never
  await requesters.record('rb-1', { kind: 'person', by: ADA, at: at(1) }, request)
  await requesters.record('rb-2', { kind: 'schedule', by: at(1), at: at(1) }, request)
  const word = { by: 'arn:aws:sts::1:assumed-role/Ops/bob', because: 'fits' }
  await decisions.add('rb-1', 'a'.repeat(64), { decision: 'approved', ...word, at: at(2) })
  await decisions.add('rb-1', 'a'.repeat(64), { decision: 'rejected', by: EVE, because: 'late', at: at(3) })
  await decisions.addOfMovement(TERMS, { decision: 'approved', by: ADA, because: 'known', at: at(4) })
  await halts?.halt({ scope: '*', by: ADA, because: 'an audit', at: at(5) })
  await halts?.resume({ scope: '*', by: EVE, because: 'done', at: at(6) })
  await halts?.trip({ scope: 'balanced', by: 'breaker', because: 'three failures', at: at(6) })
  await byTwo?.resume({ scope: 'balanced', by: ADA, because: 'mended', at: at(7) })
  await byTwo?.resume({ scope: 'balanced', by: BOB, because: 'seen', at: at(8) })
  await halts?.halt({ scope: 'balanced', by: BOB, because: 'again', at: at(9) })
  const params = { ...CONVERSION.params, policy: 'balanced', run: 'rb-1' }
  const opened = await journal.open({ ...CONVERSION, params, intentId: 'cv-1', createdAt: at(0), notAfter: at(23) })
  await journal.advance(opened, armed(opened, 'order-1'))
  const examine = async () => undefined
  const found = { by: ADA, because: 'asked the bank', at: at(10), movementId: 'order-1' }
  await resolveIntent({ intentId: 'cv-1', kind: IntentKind.Convert }, found, examine, journal)
  await journal.keepForeign(IntentKind.Withdraw, 'wd-9', { by: EVE, because: 'the other desk', at: at(11) })
  const memory = await policies.find('balanced')
  await policies.advance(memory, { residues: { USDT: '12.5' } })
  const { carryOut } = await findReleasable('balanced', policies)
  await carryOut({ by: BOB, because: 'sold by hand', at: at(12) })
  return store
}

/** `without`: keys of records that the table lacks. */
async function logOf(records: ReadonlyMap<string, StoredRecord>, filters: ActFilters = {}, without: string[] = []) {
  const broken: BrokenRecord[] = []
  const journal = {
    decisionKey,
    readRecord: async (key: string) => (without.includes(key) ? undefined : records.get(key)),
    async *walkRequests(lists: readonly string[]) {
      const isListed = (record: StoredRecord) => lists.some((list) => String(record[ASKED_KEY]).includes(`#${list}#`))
      const listed = [...records.values()].filter(isListed)
      const entries = listed.map((record) => ({ key: record.pk, at: momentOf(String(record[ASKED_AT_KEY])) }))
      yield* entries.sort((left, right) => (left.at < right.at ? 1 : -1))
    },
  }
  const acts: Act[] = []
  const sources = { journal, nowMs: Date.parse(at(13)), onBroken: (each: BrokenRecord) => broken.push(each) }
  for await (const act of walkActs(sources, readActFilter(filters))) acts.push(act)
  return { acts, broken }
}

test('the log has each act of people once, latest first, and none of schedules or breakers', async () => {
  const { acts, broken } = await logOf((await day()).records)
  expect(broken).toEqual([])
  const shown = acts.map(({ at: time, by, did, kind, about }) => [
    Date.parse(time) - Date.parse(at(0)),
    by,
    did,
    kind,
    about,
  ])
  const hour = (count: number) => count * 3_600_000
  expect(shown).toEqual([
    [hour(12), BOB, 'released', 'policy', 'balanced'],
    [hour(11), EVE, 'declared-foreign', 'withdraw', 'wd-9'],
    [hour(10), ADA, 'resolved', 'convert', 'cv-1'],
    [hour(9), BOB, 'halted', 'policy', 'balanced'],
    [hour(8), BOB, 'resumed', 'policy', 'balanced'],
    [hour(7), ADA, 'first-resume', 'policy', 'balanced'],
    [hour(6), EVE, 'resumed', 'everything', null],
    [hour(5), ADA, 'halted', 'everything', null],
    [hour(4), ADA, 'approved', 'convert', 'cv-1'],
    [hour(3), EVE, 'rejected', 'run', 'rb-1'],
    [hour(2), 'arn:aws:sts::1:assumed-role/Ops/bob', 'approved', 'run', 'rb-1'],
    [hour(1), ADA, 'asked', 'run', 'rb-1'],
  ])
})

test('an act says why, and of which plan, terms, movement or balances', async () => {
  const { acts } = await logOf((await day()).records)
  const details = acts.flatMap(({ because, detail }) => (detail === null ? [] : [[because, detail]]))
  expect(details).toEqual([
    ['sold by hand', 'left on the way: 12.5 USDT'],
    ['asked the bank', 'it is movement order-1'],
    ['known', `terms ${'f'.repeat(64)}`],
    ['late', `plan ${'a'.repeat(64)}`],
    ['fits', `plan ${'a'.repeat(64)}`],
  ])
})

test.each<[ActFilters, number]>([
  [{ person: 'BOB' }, 4],
  [{ person: 'mallory' }, 0],
  [{ did: 'halted' }, 2],
  [{ since: at(9) }, 4],
  [{ before: at(3) }, 2],
  [{ since: at(5), before: at(9) }, 4],
])('the filter %j lets %i acts pass', async (filters, count) => {
  const { acts, broken } = await logOf((await day()).records, filters)
  expect(acts).toHaveLength(count)
  expect(broken).toEqual([])
})

test('a missing version of a halt is reported, and hides no other act', async () => {
  const missing = recordKey.pastHalt('balanced', 1)
  const { acts, broken } = await logOf((await day()).records, {}, [missing])
  expect(broken).toEqual([{ record: missing, message: `the record ${missing} is missing` }])
  expect(acts.map(({ did }) => did)).not.toContain('first-resume')
  expect(acts).toHaveLength(11)
})

test('a listed record that is missing is reported', async () => {
  const missing = recordKey.requester('rb-1')
  const { acts, broken } = await logOf((await day()).records, {}, [missing])
  expect(broken).toEqual([{ record: missing, message: `the record ${missing} is missing` }])
  expect(acts).toHaveLength(11)
})

test('a decision without the signature of the key, or in the name of somebody who signed no request, is reported and listed', async () => {
  const store = createMemoryStore()
  const [plan, word] = ['a'.repeat(64), { decision: 'approved', because: 'fits', at: at(2) } as const]
  await createDecisions(store, newId, otherKey).add('rb-1', plan, { ...word, by: ADA })
  const bob = 'arn:aws:sts::1:assumed-role/Ops/bob'
  await createJournal(store, newId).keepForeign(IntentKind.Withdraw, 'wd-9', { by: bob, because: 'theirs', at: at(3) })
  const { acts, broken } = await logOf(store.records)
  expect(acts.map(({ by }) => by)).toEqual([bob, ADA])
  expect(broken.map(({ record }) => record)).toEqual([
    recordKey.foreign(IntentKind.Withdraw, 'wd-9'),
    recordKey.decisions('rb-1', plan),
  ])
})

test('a halt stands where its earlier version cannot be kept, and the log reports the version', async () => {
  const store = createMemoryStore()
  const failing = {
    ...store,
    create: (record: StoredRecord) =>
      record.pk === recordKey.pastHalt('*', 1) ? Promise.reject(new Error('no answer')) : store.create(record),
  }
  const halts = createHalts(failing, newId)
  await halts.halt({ scope: '*', by: ADA, because: 'first', at: at(1) })
  await halts.halt({ scope: '*', by: BOB, because: 'second', at: at(2) })
  expect(await halts.findOf('*')).toMatchObject([{ by: BOB }])
  const { acts, broken } = await logOf(store.records)
  expect(acts).toMatchObject([{ by: BOB, did: 'halted' }])
  expect(broken).toMatchObject([{ record: 'H#*#1' }])
})

test('a movement and a run that another service started are in the log, with the call to look up', async () => {
  const store = createMemoryStore()
  const journal = createJournal(store, newId)
  const open = (intentId: string, hour: number, more: object = {}) =>
    journal.open({
      ...CONVERSION,
      params: { ...CONVERSION.params, ...more },
      intentId,
      createdAt: at(hour),
      notAfter: at(23),
    })
  await open('payroll-7', 1)
  await open(`convert-${'a'.repeat(26)}`, 2, { requestId: 'an-event' })
  await open('a'.repeat(40), 3)
  await open('asked-for', 4)
  const asker = { by: ADA, at: at(4), requestHash: 'f'.repeat(64) }
  await createAskers(store, newId).record(IntentKind.Convert, 'asked-for', asker)
  const { acts, broken } = await logOf(store.records)
  expect(broken).toEqual([])
  expect(acts.map(({ about, by, did }) => [about, did, by])).toEqual([
    ['asked-for', 'asked', ADA],
    ['payroll-7', 'asked', 'not recorded: started by StartExecution, on AWS see CloudTrail'],
  ])
  expect((await logOf(store.records, { person: 'ada' })).acts).toHaveLength(1)
  expect((await logOf(store.records, { did: 'halted' })).acts).toEqual([])
})

test('an unknown kind of act is refused with the known ones', () => {
  expect(() => readActFilter({ did: 'slept' })).toThrow(/did: expected one of asked, planned, approved/)
})

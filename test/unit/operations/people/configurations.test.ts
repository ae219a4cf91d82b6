// Tests the versions of treasury.json in the log of people: who changed which bound by which deployment, and that a
// deleted or replaced version is named.
import { expect, test } from 'vitest'
import { ASKED_AT_KEY, recordKey } from '../../../../core/contract/records.ts'
import type { StoredRecord } from '../../../../core/journal/record-store.ts'
import { momentOf } from '../../../../core/journal/request-keys.ts'
import { createConfigurationLog, type Deployed } from '../../../../core/people/configurations.ts'
import { parseTreasury } from '../../../../core/treasury/config.ts'
import type { Act, BrokenRecord } from '../../../../operations/people/act.ts'
import { readActFilter } from '../../../../operations/people/filter.ts'
import { walkActs } from '../../../../operations/people/walk-acts.ts'
import { decisionKey } from '../../../helpers/decision-key.ts'
import { createMemoryStore, type MemoryStore } from '../../../helpers/memory-store.ts'

let stamps = 0
const newId = () => `stamp-${++stamps}`
const atHour = (hour: number) => Date.UTC(2026, 0, 31, hour)
const ADA = 'arn:aws:sts::111122223333:assumed-role/Deploys/ada (not verified)'
const STACK = 'arn:aws:cloudformation:eu-west-1:111122223333:stack/SluiceWorkflow/one'

function treasury(largest: string, more: object = {}, above = '1000') {
  const core = { kind: 'rebalance', weights: { BTC: '0.5', USDC: '0.5' }, approval: { above } }
  return parseTreasury(
    JSON.stringify({
      service: { url: 'https://service.example', stage: 'test' },
      guards: { total: { largest } },
      policies: { core },
      ...more,
    }),
  )
}

const onAws = (by: string | undefined, of: Deployed['treasury']): Deployed => ({
  ...{ treasury: of, release: '0.9.0', by, commit: 'a'.repeat(40), stack: STACK },
})

/** Three versions: at a desk, and two deployments, of which the last claims nobody. */
async function threeVersions(): Promise<MemoryStore> {
  const store = createMemoryStore()
  const log = createConfigurationLog(store, newId)
  await log.record({ treasury: treasury('1000'), release: '0.9.0', by: 'eve (not verified)' }, atHour(1))
  await log.record(onAws(ADA, treasury('5000')), atHour(2))
  await log.record(onAws(undefined, treasury('400', { concurrency: 'shared' })), atHour(3))
  return store
}

async function logOf(records: ReadonlyMap<string, StoredRecord>) {
  const broken: BrokenRecord[] = []
  const journal = {
    decisionKey,
    readRecord: async (key: string) => records.get(key),
    async *walkRequests() {
      const newest = records.get(recordKey.configuration)
      if (newest !== undefined) yield { key: newest.pk, at: momentOf(String(newest[ASKED_AT_KEY])) }
    },
  }
  const acts: Act[] = []
  const sources = { journal, nowMs: atHour(5), onBroken: (each: BrokenRecord) => broken.push(each) }
  for await (const act of walkActs(sources, readActFilter({}))) acts.push(act)
  return { acts, broken }
}

test('the log says who changed which bound by which deployment, before and after', async () => {
  const { acts, broken } = await logOf((await threeVersions()).records)
  expect(broken).toEqual([])
  const rows = acts.map(({ at, by, did, about, policy }) => [new Date(at).getUTCHours(), by, did, about, policy])
  expect(rows).toEqual([
    [3, 'not recorded', 'configured', '3', null],
    [3, 'not recorded', 'loosened', 'concurrency', null],
    [3, 'not recorded', 'tightened', 'guards.total.largest', null],
    [2, ADA, 'configured', '2', null],
    [2, ADA, 'loosened', 'guards.total.largest', null],
    [1, 'eve (not verified)', 'configured', '1', null],
  ])
  expect(acts[4]?.detail).toBe('the largest movement in value: from 1000 to 5000 (version 2 of treasury.json)')
  expect(acts[3]?.detail).toContain(`release 0.9.0, commit ${'a'.repeat(40)}, by stack ${STACK}`)
  expect(acts[3]?.detail).toContain('CloudTrail has who deployed it, as ExecuteChangeSet')
  expect(acts[5]?.detail).toContain('the first version that was recorded; release 0.9.0, at a desk')
})

test('a bound of a policy is under the name of the policy', async () => {
  const store = await threeVersions()
  const changed = treasury('400', { concurrency: 'shared' }, '9000')
  await createConfigurationLog(store, newId).record(onAws(ADA, changed), atHour(4))
  const { acts } = await logOf(store.records)
  expect(acts.find(({ did, policy }) => did === 'loosened' && policy === 'core')).toMatchObject({
    about: 'policies.core.approval.above',
    by: ADA,
  })
})

test('the same configuration again is no new version, and addresses of alarms are not kept', async () => {
  const store = await threeVersions()
  const log = createConfigurationLog(store, newId)
  const same = treasury('400', { concurrency: 'shared' })
  expect(await log.record(onAws('bob (not verified)', same), atHour(4))).toBe('known')
  expect(store.records.get(recordKey.configuration)).toMatchObject({ version: 3 })
  const page = ['https://pager.example/hook/secret-of-the-receiver']
  await log.record(onAws(ADA, treasury('400', { concurrency: 'shared', alarms: { page } })), atHour(4))
  expect(store.records.get(recordKey.configuration)).toMatchObject({ version: 4, changes: [] })
  expect(JSON.stringify([...store.records.values()])).not.toContain('secret-of-the-receiver')
})

test.each<[string, string]>([
  [recordKey.pastConfiguration(1), 'the record Y#configuration#1 is missing'],
  [recordKey.configuration, 'the record Y#configuration is missing, and its earlier versions are there'],
])('the deleted version %s is named', async (deleted, message) => {
  const records = new Map((await threeVersions()).records)
  records.delete(deleted)
  expect((await logOf(records)).broken).toEqual([{ record: deleted, message }])
})

test('a version that was replaced by another configuration does not fit the next one, and is named', async () => {
  const records = new Map((await threeVersions()).records)
  const key = recordKey.pastConfiguration(2)
  const kept = records.get(key)
  if (kept === undefined) throw new TypeError('the version was just kept')
  records.set(key, { ...kept, was: { ...(kept.was as object), configuration: 'b'.repeat(64) } })
  const { broken } = await logOf(records)
  expect(broken).toMatchObject([
    { record: key, message: expect.stringContaining('was not written over the version 2') },
  ])
})

test('an earlier version that was put in the place of the newest is named, and one under another number', async () => {
  const store = await threeVersions()
  const second = store.records.get(recordKey.pastConfiguration(2))?.was as StoredRecord
  const first = store.records.get(recordKey.pastConfiguration(1))
  await createConfigurationLog(store, newId).record(onAws(ADA, treasury('5000')), atHour(4))
  const back = new Map(store.records).set(recordKey.configuration, second)
  expect((await logOf(back)).broken).toEqual([
    {
      record: recordKey.configuration,
      message: 'the record Y#configuration has version 2, and a version 3 of it was there',
    },
  ])
  if (first === undefined) throw new TypeError('the version was just kept')
  const key = recordKey.pastConfiguration(2)
  const moved = new Map(store.records).set(key, { ...first, pk: key })
  expect((await logOf(moved)).broken).toMatchObject([
    { record: key, message: 'the record Y#configuration#2 keeps another version: 1 of Y#configuration' },
  ])
})

test('a deleted newest version is reported once, recorded anew, and named by the log for ever', async () => {
  const store = await threeVersions()
  const records = store.records as Map<string, StoredRecord>
  records.delete(recordKey.configuration)
  const log = createConfigurationLog(store, newId)
  const seen = () => log.record(onAws(ADA, treasury('400')), atHour(4))
  await expect(seen()).rejects.toThrow(
    'Y#configuration is missing, and its earlier versions are there; it was recorded anew as version 4',
  )
  expect(await seen()).toBe('known')
  await log.record(onAws(ADA, treasury('600')), atHour(5))
  const { acts, broken } = await logOf(store.records)
  expect(broken).toEqual([{ record: 'Y#configuration#3', message: 'the record Y#configuration#3 is missing' }])
  const versions = acts.filter(({ did }) => did === 'configured')
  expect(versions.map(({ about }) => about)).toEqual(['5', '4', '2', '1'])
  expect(versions[1]?.detail).toContain('recorded anew after the version before was deleted')
})

test('of two processes that record at once, one writes the next version', async () => {
  const store = await threeVersions()
  const logs = [createConfigurationLog(store, newId), createConfigurationLog(store, newId)]
  const outcomes = await Promise.all(logs.map((log) => log.record(onAws(ADA, treasury('1')), atHour(4))))
  expect(outcomes.sort()).toEqual(['known', 'recorded'])
  expect((await logOf(store.records)).broken).toEqual([])
})

test('a configuration that is too large to be kept is recorded, and the next one says that it cannot be compared', async () => {
  const assets = Array.from({ length: 600 }, (_, index) => `ASSET-${index}`)
  const sweep = { kind: 'sweep', mode: 'shadow', rules: [{ contactId: 'c-1', assets }] }
  const policies = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`sweep-${index}`, sweep]))
  const store = createMemoryStore()
  const log = createConfigurationLog(store, newId)
  await log.record(onAws(ADA, treasury('1', { policies })), atHour(1))
  await log.record(onAws(ADA, treasury('2')), atHour(2))
  const { acts, broken } = await logOf(store.records)
  expect(broken).toEqual([])
  expect(acts[0]?.detail).toContain('the version before is too large to be compared')
})

test('a configuration whose letters take three bytes each fits into a record of DynamoDB', async () => {
  const allowedContacts = Array.from({ length: 200 }, (_, index) => `${'漢'.repeat(90)}${index}`)
  const core = {
    ...{ kind: 'sweep', mode: 'shadow', rules: [{ contactId: 'c-1', assets: ['BTC'] }] },
    guards: { allowedContacts: ['c-1', ...allowedContacts.slice(1)] },
  }
  const policies = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`sweep-${index}`, core]))
  const store = createMemoryStore()
  await createConfigurationLog(store, newId).record(onAws(ADA, treasury('1', { policies })), atHour(1))
  const record = JSON.stringify(store.records.get(recordKey.configuration))
  expect(Buffer.byteLength(record)).toBeLessThan(400_000)
})

// Records of runs and policies as the store has them. They read as they were written. Wrong content, and an unknown or
// missing format, are refused before any decision uses them.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { RECORD_FORMAT, recordKey } from '../../../core/contract/records.ts'
import { runReport } from '../../../core/contract/runs.ts'
import { Defect } from '../../../core/errors.ts'
import { createPolicyTerms } from '../../../core/guards/policy-terms.ts'
import { withoutKeys } from '../../../core/journal/record-format.ts'
import type { StoredRecord } from '../../../core/journal/record-store.ts'
import { createApprovedLegs } from '../../../core/runs/approval/approved-leg.ts'
import { createPolicyRecords } from '../../../core/runs/record/policy-record.ts'
import { reportOfRun, runOfRecord } from '../../../core/runs/record/run-record.ts'
import { createRuns } from '../../../core/runs/record/runs.ts'
import { decisionKey } from '../../helpers/decision-key.ts'
import { createMemoryStore } from '../../helpers/memory-store.ts'
import { runWorld } from '../../helpers/run-world.ts'

/** Runs that were approved, left something stranded, waited, withdrew or are in doubt. */
const STORED: readonly StoredRecord[] = JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/records.json`, 'utf8'))
const isRun = ({ pk }: StoredRecord) => pk.startsWith(recordKey.run(''))
const storedRuns = STORED.filter(isRun)
const storedPolicies = STORED.filter((record) => !isRun(record))

/** Without the fields that every record has for the store. */
const fieldsOf = (record: StoredRecord) => withoutKeys(record)

async function storeOf(record: StoredRecord) {
  const store = createMemoryStore()
  await store.create(record)
  return store
}

/** A record of the kind, with changed content. */
function spoilt(change: object, isWanted = isRun): StoredRecord {
  const record = STORED.find(isWanted)
  if (record === undefined) throw new TypeError('there is no such record')
  return { ...structuredClone(record), ...change }
}

describe('a record', () => {
  test.each(storedRuns.map((record) => [record.outcome, record]))('of a run that is %s reads whole', (_, record) => {
    const run = runOfRecord(record as StoredRecord)
    expect(run).toEqual(fieldsOf(record as StoredRecord))
    expect(runReport.safeParse(reportOfRun(run)).success).toBe(true)
  })

  test.each(storedPolicies.map((record) => [record]))('of a policy reads whole: %j', async (record) => {
    const records = createPolicyRecords(await storeOf(record), () => 'id-1')
    expect(await records.find(String(record.policy))).toEqual(fieldsOf(record))
  })

  test.each(STORED.map((record) => [record.pk, record]))('is written back as it was: %s', async (pk, stored) => {
    const record = stored as StoredRecord
    const store = await storeOf(record)
    if (isRun(record)) await createRuns(store, () => 'id-1').advance(runOfRecord(record), {})
    else {
      const records = createPolicyRecords(store, () => 'id-1')
      await records.advance(await records.find(String(record.policy)), {})
    }
    expect(store.records.get(String(pk))).toEqual({ ...record, stamp: 'id-1', version: record.version + 1 })
  })
})

test('the writes of a new run and its policy carry the format', async () => {
  const { ports, store } = runWorld()
  const [run] = storedRuns
  const {
    version: _version,
    requestHash: _hash,
    phases: _phases,
    results: _results,
    ...begun
  } = runOfRecord(run as StoredRecord)
  await ports.runs.open(begun)
  await ports.policies.advance(await ports.policies.find('weekly'), { failuresInRow: 1 })
  expect([...store.records.values()].map(({ pk, format }) => [pk, format])).toEqual([
    ['R#run-1', 1],
    ['P#weekly', 1],
  ])
})

test('a field of a later release is kept, wherever it is, when the record is written back', async () => {
  const later = { note: 'later' }
  const record = spoilt(later, ({ plan }) => plan !== undefined)
  Object.assign(record.plan as object, later)
  Object.assign(record.asPlanned as object, later)
  Object.assign(record.request as object, later)
  const store = await storeOf(record)
  const run = await createRuns(store, () => 'id-1').advance(runOfRecord(record), { why: 'looked at' })
  expect(run).toMatchObject({ ...later, plan: later, asPlanned: later, request: later })
  expect(store.records.get(record.pk)).toMatchObject({ ...later, plan: later, asPlanned: later, why: 'looked at' })
})

describe('a record is refused', () => {
  test.each([
    ['a text for a count', { entry: 'secret-1' }, /^the record R#run-1\.entry: expected/],
    ['no phases', { phases: undefined }, /R#run-1\.phases: expected/],
    ['a phase without legs', { phases: [{ phase: 1 }] }, /\.phases\.0\.legs: expected/],
    ['another outcome', { outcome: 'secret-1' }, /\.outcome: expected/],
    ['an invalid figure', { basis: { A: 'secret-1' } }, /\.basis\.A: expected/],
    ['a policy of no kind', { asPlanned: { kind: 'secret-1' } }, /\.asPlanned\.kind: expected/],
  ])('of a run with %s, naming the record and the field and no value', (_, change, message) => {
    const read = () => runOfRecord(spoilt(change))
    expect(read).toThrow(Defect)
    expect(read).toThrow(message)
    expect(read).not.toThrow(/secret-1/)
  })

  test.each([
    ['a text for a count', { failuresInRow: 'secret-1' }, /^the record P#weekly\.failuresInRow: /],
    ['an invalid figure', { residues: { USD: 'secret-1' } }, /\.residues\.USD: expected/],
    ['contacts that are a list', { contacts: ['secret-1'] }, /\.contacts: expected/],
  ])('of a policy with %s, naming the record and the field and no value', async (_, change, message) => {
    const store = await storeOf(spoilt(change, ({ pk }) => pk === recordKey.policy('weekly')))
    const reading = createPolicyRecords(store, () => 'id-1').find('weekly')
    await expect(reading).rejects.toThrow(Defect)
    await expect(reading).rejects.toThrow(message)
    await expect(reading).rejects.not.toThrow(/secret-1/)
  })

  test.each([
    ['of a format that this release does not know', RECORD_FORMAT + 1, 'format 2'],
    ['without a format', undefined, 'no format that is a number'],
  ])('%s, by every reader', async (_, format, which) => {
    const change = { format }
    const message = new RegExp(`the record (R#run-1|P#weekly) has ${which}, and this release knows format 1`)
    const run = spoilt(change)
    expect(() => runOfRecord(run)).toThrow(message)
    const policy = await storeOf(spoilt(change, ({ pk }) => pk === recordKey.policy('weekly')))
    await expect(createPolicyRecords(policy, () => 'id-1').find('weekly')).rejects.toThrow(message)
    const store = await storeOf(run)
    const terms = createPolicyTerms({}, store, createApprovedLegs(store, {}, decisionKey))
    await expect(terms.find({ policy: 'weekly', run: 'run-1' }, 'leg-1')).rejects.toThrow(message)
  })
})

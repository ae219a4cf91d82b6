// Runs restored from an export: unchanged where they cannot have continued, and otherwise at an end that no later entry plans
// again.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { createJournal } from '../../../../core/journal/journal.ts'
import { chained } from '../../../../core/journal/record-chain.ts'
import type { StoredRecord } from '../../../../core/journal/record-store.ts'
import { fieldsOfRun, type RunRecord, runOfRecord } from '../../../../core/runs/record/run-record.ts'
import { loadTreasury } from '../../../../core/treasury/config.ts'
import { holdExport } from '../../../../operations/journal/export/hold-export.ts'
import { checkExport } from '../../../../operations/journal/export/read-export.ts'
import { type Pass, type Restored, restoreExport } from '../../../../operations/journal/export/restore-export.ts'
import { writeExport } from '../../../../operations/journal/export/write-export.ts'
import { isFinalRun } from '../../../../operations/journal/run-evidence.ts'
import { temporaryFolder } from '../../../helpers/folders.ts'
import { createMemoryStore, type MemoryStore } from '../../../helpers/memory-store.ts'

const FIXTURE = new URL('../../runs/fixtures/records.json', import.meta.url)
const STORED = (JSON.parse(readFileSync(FIXTURE, 'utf8')) as readonly StoredRecord[]).filter(({ pk }) =>
  pk.startsWith('R#'),
)
/** A run with two phases of legs, and a run without legs. */
const WITH_LEGS = storedRun(({ phases }) => phases.length > 0)
const WITHOUT = storedRun(({ phases }) => phases.length === 0)

function storedRun(fits: (run: RunRecord) => boolean): RunRecord {
  const found = STORED.map(runOfRecord).find(fits)
  if (found === undefined) throw new TypeError('the fixture has no such run')
  return found
}

const recordOf = (run: RunRecord, version = 5): StoredRecord =>
  chained(
    { ...fieldsOfRun(run), pk: `R#${run.runId}`, version, format: 1, stamp: `s-${version}` } as StoredRecord,
    undefined,
  )
const runOf = (outcome: string, from = WITHOUT) => ({ ...from, runId: 'month-end', outcome }) as RunRecord

let dir: string
beforeEach(() => {
  dir = temporaryFolder()
})

let exports = 0
async function exported(records: readonly StoredRecord[]) {
  const connection = {
    async *scanPart() {
      yield* records
    },
    findPin: async () => ({ account: 'account-1', stage: 'test' }),
    store: { read: async () => undefined },
    table: { tableName: 'sluice-journal', client: { describeTable: async () => ({ Table: { TableId: 'table-1' } }) } },
  }
  const nowMs = () => Date.parse('2026-11-23T00:00:00Z')
  exports += 1
  const into = path.join(dir, String(exports))
  await writeExport(connection as unknown as Parameters<typeof writeExport>[0], {
    dir: into,
    nowMs,
    onPart: () => undefined,
  })
  const { manifest } = await checkExport(into)
  if (manifest === undefined) throw new TypeError('the export is whole')
  return { dir: into, manifest }
}

function connectionOver(store: MemoryStore) {
  let ids = 0
  const journal = createJournal(store, () => `new-${ids++}`)
  return { journal, store, readRecord: store.read, treasury: loadTreasury() }
}

/** The passes of `journal rebuild --export --write`. */
async function restore(store: MemoryStore, records: readonly StoredRecord[], passes: readonly Pass[] = ALL) {
  const taken = await exported(records)
  const restored: Restored[] = []
  for (const pass of passes) {
    const onRestored = (one: Restored) => restored.push(one)
    await restoreExport(connectionOver(store), taken, { pass, mayWrite: true, onRestored })
  }
  return restored
}
const ALL: readonly Pass[] = ['ended', 'underWay', 'claims']

const inStore = async (store: MemoryStore) => {
  const record = await store.read('R#month-end')
  return record && runOfRecord(record)
}

test.each(['SETTLED', 'PARTLY_SETTLED', 'NOTHING_MOVED', 'FAILED', 'NEEDS_ATTENTION'])(
  'a run with legs that ended %s comes back as it was, with its legs and its version',
  async (outcome) => {
    const store = createMemoryStore()
    const was = runOf(outcome, WITH_LEGS)
    expect(await restore(store, [recordOf(was)])).toMatchObject([{ write: 'as it was', isAsItWas: true }])
    expect(await inStore(store)).toEqual({ ...was, version: 5 })
  },
)

test.each<[string, RunRecord]>([
  ['RUNNING with legs', runOf('RUNNING', WITH_LEGS)],
  ['RUNNING without legs', runOf('RUNNING')],
  ['AWAITING_APPROVAL', runOf('AWAITING_APPROVAL')],
  ['FAILED without legs, which a later entry may begin again', runOf('FAILED')],
  ['HALTED without legs', runOf('HALTED')],
  ['OWN_FAULT without legs', runOf('OWN_FAULT')],
])('a run that was %s comes back at an end that plans nothing', async (_what, was) => {
  const store = createMemoryStore()
  await restore(store, [recordOf(was)])
  const run = await inStore(store)
  const end = was.phases.length > 0 ? 'FAILED' : 'NEEDS_ATTENTION'
  expect(run).toMatchObject({ outcome: end, why: 'rebuilt from its executions', phases: was.phases })
  // A second restore changes nothing.
  const before = new Map(store.records)
  expect(await restore(store, [recordOf(was)])).toEqual([])
  expect(store.records).toEqual(before)
})

test('a run that the table knows as ended without legs, and the export with legs, comes back with them', async () => {
  for (const outcome of ['FAILED', 'HALTED', 'GUARDED', 'ALREADY_RUNNING', 'OWN_FAULT']) {
    const store = createMemoryStore()
    await store.create(recordOf(runOf(outcome), 2))
    const settled = runOf('SETTLED', WITH_LEGS)
    const taken = await exported([recordOf(settled)])
    expect(await holdExport(connectionOver(store), taken)).toMatchObject([{ finding: 'BEHIND', about: 'R#month-end' }])
    await restoreExport(connectionOver(store), taken, { pass: 'ended', mayWrite: true, onRestored: () => undefined })
    const run = await inStore(store)
    expect(run).toMatchObject({ outcome: 'SETTLED', phases: settled.phases, version: 3 })
  }
})

test('a run that is further in the table than in the export, or at a final end, stays unchanged', async () => {
  for (const [known, version] of [
    [runOf('RUNNING', WITH_LEGS), 6],
    [runOf('FAILED'), 6],
    [runOf('SETTLED', WITH_LEGS), 3],
    [runOf('NEEDS_ATTENTION'), 3],
  ] as const) {
    const store = createMemoryStore()
    await store.create(recordOf(known, version))
    const before = new Map(store.records)
    expect(await restore(store, [recordOf(runOf('RUNNING', WITH_LEGS))])).toEqual([])
    expect(store.records).toEqual(before)
  }
})

test('a run whose record was edited in the export is not restored unchanged', async () => {
  const store = createMemoryStore()
  const edited = { ...recordOf(runOf('SETTLED', WITH_LEGS)), why: 'edited' }
  await restore(store, [edited])
  expect(await inStore(store)).toMatchObject({ outcome: 'FAILED', why: 'rebuilt from its executions' })
})

test('after a cut-off at any write, a second restore completes it', async () => {
  const runs = ['SETTLED', 'RUNNING', 'FAILED', 'AWAITING_APPROVAL'].map((outcome, nth) =>
    recordOf({ ...runOf(outcome, nth % 2 === 0 ? WITH_LEGS : WITHOUT), runId: `run-${nth}` } as RunRecord),
  )
  for (let cutOffAt = 0; cutOffAt < runs.length; cutOffAt += 1) {
    let writes = 0
    const store = createMemoryStore(() => (writes++ === cutOffAt ? 'refused' : undefined))
    await restore(store, runs)
    await restore(store, runs)
    const found = [...store.records.values()].map(runOfRecord)
    expect(found).toHaveLength(runs.length)
    expect(found.every((run) => isFinalRun(run) || run.outcome === 'NEEDS_ATTENTION')).toBe(true)
  }
})

// An export restores lost records: records at their end come back unchanged, records under way go to a person, and a record
// that says as much is not replaced.
import { beforeEach, describe, expect, test } from 'vitest'
import { FOREIGN, recordKey } from '../../../../core/contract/records.ts'
import { createJournal } from '../../../../core/journal/journal.ts'
import { createLanes } from '../../../../core/journal/lanes.ts'
import { chained } from '../../../../core/journal/record-chain.ts'
import type { StoredRecord } from '../../../../core/journal/record-store.ts'
import { checkExport } from '../../../../operations/journal/export/read-export.ts'
import { type Pass, type Restored, restoreExport } from '../../../../operations/journal/export/restore-export.ts'
import { writeExport } from '../../../../operations/journal/export/write-export.ts'
import { temporaryFolder } from '../../../helpers/folders.ts'
import { armed, CONVERSION, WITHDRAWAL } from '../../../helpers/intents.ts'
import { createMemoryStore } from '../../../helpers/memory-store.ts'

const TIMES = { createdAt: '2026-01-01T00:00:00.000Z', notAfter: '2026-01-01T01:00:00.000Z' }
const TIMING = { tokenSeconds: 30, leewaySeconds: 60, visibilitySeconds: 60, orderVisibilitySeconds: 60 }

let dir: string
beforeEach(() => {
  dir = temporaryFolder()
})

function newJournal() {
  const store = createMemoryStore()
  let ids = 0
  const newId = () => `id-${++ids}`
  const journal = createJournal(store, newId)
  return { store, newId, journal, lanes: createLanes(store, journal, newId) }
}
type Kept = ReturnType<typeof newJournal>

async function exported({ store }: Kept, edit = (record: StoredRecord) => record) {
  const records = [...store.records.values()].map((record) => edit(chained(record, undefined)))
  const connection = {
    async *scanPart() {
      yield* records
    },
    findPin: async () => undefined,
    store: { read: async () => undefined },
    table: { tableName: 'sluice-journal', client: { describeTable: async () => ({ Table: { TableId: 'table-1' } }) } },
  }
  const exporting = { dir, nowMs: () => Date.parse('2026-02-01T00:00:00Z'), onPart: () => undefined }
  await writeExport(connection as unknown as Parameters<typeof writeExport>[0], exporting)
  const { manifest } = await checkExport(dir)
  if (manifest === undefined) throw new Error('no manifest')
  return { dir, manifest }
}

async function restore({ journal, store }: Kept, from: Awaited<ReturnType<typeof exported>>): Promise<Restored[]> {
  const all: Restored[] = []
  const connection = { journal, store, readRecord: store.read, treasury: { timing: TIMING } }
  for (const pass of ['ended', 'underWay', 'claims'] satisfies Pass[]) {
    const restoration = { pass, mayWrite: true, onRestored: (restored: Restored) => all.push(restored) }
    await restoreExport(connection as unknown as Parameters<typeof restoreExport>[0], from, restoration)
  }
  return all
}

async function filled({ journal }: Kept, intentId: string, orderId: string) {
  const ready = await journal.open({ intentId, ...CONVERSION, ...TIMES })
  const sent = await journal.advance(ready, armed(ready, orderId))
  await journal.claim('convert', orderId, intentId)
  return journal.advance(sent, { state: 'DONE', ref: orderId })
}

describe('into an empty journal', () => {
  test('a DONE intent comes back with its claim, its attempt and its version', async () => {
    const was = newJournal()
    const done = await filled(was, 'one', 'order-1')
    const is = newJournal()
    await restore(is, await exported(was))
    expect(await is.journal.find('one', 'convert')).toEqual(done)
    expect(await is.journal.findClaim('convert', 'order-1')).toBe('one')
  })

  test('a READY or ARMED intent may have moved since: a person decides, and its lane is closed', async () => {
    const was = newJournal()
    await was.journal.open({ intentId: 'ready', ...CONVERSION, ...TIMES })
    const ready = await was.journal.open({ intentId: 'armed', ...WITHDRAWAL, ...TIMES })
    await was.journal.advance(ready, armed(ready, 'none'))
    const is = newJournal()
    await restore(is, await exported(was))
    expect(await is.journal.find('ready', 'convert')).toMatchObject({ state: 'ESCALATED', outcome: 'NEEDS_ATTENTION' })
    expect(await is.journal.find('armed', 'withdraw')).toMatchObject({ state: 'ESCALATED', params: WITHDRAWAL.params })
    expect(await is.lanes.findLost('USDC')).toBe('armed')
    // The READY intent cannot be sent again, even with the same parameters.
    expect(await is.journal.open({ intentId: 'ready', ...CONVERSION, ...TIMES })).toMatchObject({ state: 'ESCALATED' })
  })

  test('a claim whose holder is missing from the export makes that id DONE, and it is refused for good', async () => {
    const was = newJournal()
    await was.journal.claim('convert', 'order-7', 'younger')
    await was.journal.claim('withdraw', 'row-1', FOREIGN)
    const is = newJournal()
    await restore(is, await exported(was))
    expect(await is.journal.find('younger', 'convert')).toMatchObject({ state: 'DONE', ref: 'order-7' })
    await expect(is.journal.open({ intentId: 'younger', ...CONVERSION, ...TIMES })).rejects.toThrow('other parameters')
    expect(await is.journal.findClaim('withdraw', 'row-1')).toBe(FOREIGN)
  })

  test('a record at its end that was edited before counts as uncertain', async () => {
    const was = newJournal()
    await was.journal.open({ intentId: 'one', ...CONVERSION, ...TIMES }, { state: 'REJECTED', outcome: 'REJECTED' })
    const is = newJournal()
    const from = await exported(was, (record) =>
      record.pk === recordKey.intent('convert', 'one') ? { ...record, why: 'edited' } : record,
    )
    await restore(is, from)
    expect(await is.journal.find('one', 'convert')).toMatchObject({ state: 'ESCALATED' })
  })

  test('approvals, requesters of runs, lanes, the memory of policies and the account do not come back', async () => {
    const was = newJournal()
    for (const pk of ['D#run#hash', 'Q#run', 'L#a#USDC', 'P#first', 'W#reconcile', 'A#account', 'A#journal', 'X#usdc'])
      await was.store.create({ pk, version: 1, format: 1, stamp: 's' })
    await was.store.create({ pk: 'B#*#2026-01-01#USDC', version: 1, format: 1, stamp: 's', reserved: {} })
    const is = newJournal()
    await restore(is, await exported(was))
    expect([...is.store.records.keys()]).toEqual(['B#*#2026-01-01#USDC'])
  })
})

describe('into a journal that was restored', () => {
  test('records at their end, and records younger than the export, stay unchanged', async () => {
    const was = newJournal()
    await was.journal.open({ intentId: 'ready', ...CONVERSION, ...TIMES })
    await filled(was, 'one', 'order-1')
    const is = newJournal()
    const ready = await is.journal.open({ intentId: 'ready', ...CONVERSION, ...TIMES })
    const younger = await is.journal.advance(ready, armed(ready, 'order-2'))
    const other = await filled(is, 'one', 'order-1')
    expect(await restore(is, await exported(was))).toEqual([])
    expect([await is.journal.find('ready', 'convert'), await is.journal.find('one', 'convert')]).toEqual([
      younger,
      other,
    ])
  })

  test('an older record is brought to its end, and a second restore writes nothing', async () => {
    const was = newJournal()
    await filled(was, 'one', 'order-1')
    const is = newJournal()
    await is.journal.open({ intentId: 'one', ...CONVERSION, ...TIMES })
    const from = await exported(was)
    await restore(is, from)
    expect(await is.journal.find('one', 'convert')).toMatchObject({ state: 'DONE', ref: 'order-1', version: 2 })
    expect(await restore(is, from)).toEqual([])
  })
})

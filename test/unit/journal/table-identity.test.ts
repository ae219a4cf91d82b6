// A restored or foreign table is neither read nor written as the journal, until a person declares it.
import { expect, test } from 'vitest'
import { JOURNAL_FORM, recordKey } from '../../../core/contract/records.ts'
import { Defect, OwnFault, Transient } from '../../../core/errors.ts'
import { putRecord } from '../../../core/journal/record-store.ts'
import {
  acceptTable,
  createDeclaration,
  createOwnTable,
  declareTable,
  guardList,
  guardStore,
} from '../../../core/journal/table-identity.ts'
import { createMemoryStore } from '../../helpers/memory-store.ts'

const AT = '2026-11-23T00:00:00.000Z'
let stamps = 0
const newId = () => `stamp-${++stamps}`

function table() {
  const store = createMemoryStore()
  const asked = { tableId: 'first', times: 0, fails: false, isRestored: false, nowMs: 1_000 }
  const assertOwnTable = createOwnTable({
    store,
    readTable: async () => {
      asked.times += 1
      if (asked.fails) throw new Transient('no answer')
      return { tableId: asked.tableId, isRestored: asked.isRestored }
    },
    clock: { nowMs: () => asked.nowMs, sleep: async () => undefined },
  })
  return { store, asked, assertOwnTable, guarded: guardStore(store, assertOwnTable) }
}

const pin = (store: ReturnType<typeof createMemoryStore>) =>
  putRecord({ store, newId }, recordKey.account, { account: 'account-1', stage: 'test' })

test.each([false, true])(
  'a table that names no journal is refused, though it has an account (restored: %s)',
  async (isRestored) => {
    const { store, asked, assertOwnTable } = table()
    await pin(store)
    asked.isRestored = isRestored
    await expect(assertOwnTable()).rejects.toThrow(OwnFault)
    expect([...store.records.keys()]).toEqual([recordKey.account])
  },
)

test.each([
  ['is of an earlier form', { form: JOURNAL_FORM - 1 }],
  ['is of a later form', { form: JOURNAL_FORM + 1 }],
])('a journal that %s is neither read, written nor accepted, even in its own table', async (_what, form) => {
  const { store, guarded } = table()
  await putRecord({ store, newId }, recordKey.journal, { tableId: 'first', at: AT, ...form })
  await expect(guarded.read('I#convert#one')).rejects.toThrow(/^the journal .* begin a new state directory/)
  await expect(guarded.create({ pk: 'I#convert#one', version: 1, format: 1, stamp: 's' })).rejects.toThrow(OwnFault)
  await expect(acceptTable(store, newId, { tableId: 'first', at: AT })).rejects.toThrow(OwnFault)
  expect([...store.records.values()]).toMatchObject([{ pk: recordKey.journal, version: 1 }])
})

test('a journal whose record lacks the form is neither read, written nor accepted', async () => {
  const { store, guarded } = table()
  await putRecord({ store, newId }, recordKey.journal, { tableId: 'first', at: AT })
  await expect(guarded.read('I#convert#one')).rejects.toThrow(Defect)
  await expect(guarded.create({ pk: 'I#convert#one', version: 1, format: 1, stamp: 's' })).rejects.toThrow(Defect)
  await expect(acceptTable(store, newId, { tableId: 'first', at: AT })).rejects.toThrow(Defect)
  expect([...store.records.values()]).toMatchObject([{ pk: recordKey.journal, version: 1 }])
})

test('an empty table is nobody’s journal until somebody declares it', async () => {
  const { store, assertOwnTable } = table()
  await expect(assertOwnTable()).rejects.toThrow(OwnFault)
  expect(store.records.size).toBe(0)
  await declareTable(store, newId, { tableId: 'first', at: AT })
  await assertOwnTable()
})

test('a table with another id is neither read nor written, and its id is read again each time', async () => {
  const { store, asked, guarded } = table()
  await declareTable(store, newId, { tableId: 'another', at: AT })
  await expect(guarded.read('I#one')).rejects.toThrow(/was restored or replaced/)
  await expect(guarded.create({ pk: 'I#one', version: 1, format: 1, stamp: 's' })).rejects.toThrow(OwnFault)
  await expect(guarded.replace({ pk: 'I#one', version: 2, format: 1, stamp: 's' }, 1)).rejects.toThrow(OwnFault)
  expect([...store.records.keys()]).toEqual([recordKey.journal])
  expect(asked.times).toBe(3)
})

test('a process reads the id once, and again after a minute, so it notices a restore under the same name', async () => {
  const { store, asked, guarded } = table()
  await declareTable(store, newId, { tableId: 'first', at: AT })
  await Promise.all([guarded.read('I#one'), guarded.read('I#two')])
  asked.nowMs += 59_000
  await guarded.read('I#one')
  expect(asked.times).toBe(1)
  asked.tableId = 'restored'
  asked.nowMs += 2_000
  await expect(guarded.read('I#one')).rejects.toThrow(OwnFault)
  expect(asked.times).toBe(2)
})

test('a table that is unreachable for a moment counts as it was, for five minutes and no longer', async () => {
  const { store, asked, assertOwnTable } = table()
  await declareTable(store, newId, { tableId: 'first', at: AT })
  await assertOwnTable()
  asked.fails = true
  asked.nowMs += 299_000
  await assertOwnTable()
  asked.nowMs += 2_000
  await expect(assertOwnTable()).rejects.toThrow(Transient)
})

test('a person’s declaration makes another table the journal’s own', async () => {
  const { store, assertOwnTable } = table()
  await declareTable(store, newId, { tableId: 'lost', at: AT })
  await expect(assertOwnTable()).rejects.toThrow(OwnFault)
  await acceptTable(store, newId, { tableId: 'first', at: AT, by: 'ada', because: 'verified' })
  await assertOwnTable()
})

test('a table with another id lists nothing, although its list is empty', async () => {
  const { store, assertOwnTable } = table()
  await declareTable(store, newId, { tableId: 'another', at: AT })
  const list = guardList(async (_name: string, _limit: number) => ({ ids: [], isCutOff: false }), assertOwnTable)
  await expect(list('OPEN', 10)).rejects.toThrow(OwnFault)
})

test('a table is declared once it names its table, or has its account', async () => {
  const [empty, named, pinned] = [table(), table(), table()]
  await declareTable(named.store, newId, { tableId: 'another', at: AT })
  await pin(pinned.store)
  const isDeclared = ({ store }: ReturnType<typeof table>) => createDeclaration(store)()
  expect(await Promise.all([empty, named, pinned].map(isDeclared))).toEqual([false, true, true])
})

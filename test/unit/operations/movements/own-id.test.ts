// The own id of a request is shown only where the record's id follows from it.
import { expect, test } from 'vitest'
import { IntentKind, recordKey } from '../../../../core/contract/records.ts'
import { createAskers } from '../../../../core/journal/askers.ts'
import { createRequesters } from '../../../../core/runs/approval/requesters.ts'
import { idMadeOf } from '../../../../operations/movements/intent-id.ts'
import { findOwnId } from '../../../../operations/movements/own-id.ts'
import { createMemoryStore } from '../../../helpers/memory-store.ts'

let stamps = 0
const newId = () => `stamp-${++stamps}`
const AT = '2026-01-31T00:00:00.000Z'

test.each([
  ['convert', 'cv', IntentKind.Convert],
  ['withdraw', 'wd', IntentKind.Withdraw],
] as const)('the own id of %s is found, and another id in the record is not believed', async (verb, _stem, kind) => {
  const store = createMemoryStore()
  const askers = createAskers(store, newId)
  const asker = { by: 'ada', at: AT, requestHash: 'f'.repeat(64) }
  const [mine, other, bare] = ['same', 'other', 'bare'].map((id) => idMadeOf(verb, id)) as [string, string, string]
  await askers.record(kind, mine, { ...asker, ownId: 'same' })
  await askers.record(kind, other, { ...asker, ownId: 'same' })
  await askers.record(kind, bare, asker)
  const journal = { readRecord: store.read }
  expect(await findOwnId(kind, mine, journal)).toBe('same')
  expect(await findOwnId(kind, other, journal)).toBeUndefined()
  expect(await findOwnId(kind, bare, journal)).toBeUndefined()
})

test('the own id of a run is found, of either verb', async () => {
  const store = createMemoryStore()
  const requesters = createRequesters(store, newId)
  for (const verb of ['rebalance', 'sweep'] as const) {
    const runId = idMadeOf(verb, 'friday')
    await requesters.record(runId, { kind: 'person', by: 'ada', at: AT, ownId: 'friday' }, { policy: 'core' })
    expect(await findOwnId('run', runId, { readRecord: store.read })).toBe('friday')
  }
})

test('no record is read for legs, and for what schedules and services start', async () => {
  const readRecord = (key: string) => Promise.reject(new TypeError(`${key} was read`))
  for (const id of ['a'.repeat(40), 'core-0123456789abcdef0123456789', 'payroll-7'])
    expect(await findOwnId('convert', id, { readRecord })).toBeUndefined()
  await expect(findOwnId('convert', idMadeOf('convert', 'x'), { readRecord })).rejects.toThrow(
    recordKey.asked(IntentKind.Convert, idMadeOf('convert', 'x')),
  )
})

// A person asks for a single movement on AWS: who asked first is recorded, and nothing is started.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { askMovementRequest } from '../../../core/contract/people.ts'
import { IntentKind, recordKey } from '../../../core/contract/records.ts'
import { createAskers } from '../../../core/journal/askers.ts'
import { createJournal } from '../../../core/journal/journal.ts'
import { recordAsker } from '../../../functions/request-run/request-run.ts'
import { CONVERSION } from '../../helpers/intents.ts'
import { manualClock } from '../../helpers/manual-clock.ts'
import { createMemoryStore } from '../../helpers/memory-store.ts'

const INTENT = `cv-${'a1'.repeat(16)}`
const ASKED = { kind: IntentKind.Convert, intent: INTENT, requestHash: 'f'.repeat(64), ownId: 'same' }

function setUp() {
  const store = createMemoryStore()
  const journal = createJournal(store, randomUUID)
  const ports = { askers: createAskers(store, randomUUID), journal, clock: manualClock() }
  return { store, journal, ask: (by: string) => recordAsker(ASKED, by, ports) }
}

test('the first person who asks is recorded with the own id, and a second one changes nothing', async () => {
  const { ask, store } = setUp()
  expect(await ask('ana')).toEqual({ outcome: 'RECORDED', by: 'ana' })
  expect(await ask('bob')).toEqual({ outcome: 'RECORDED', by: 'ana' })
  expect([...store.records.keys()]).toEqual([recordKey.asked(IntentKind.Convert, INTENT)])
  expect(store.records.get(recordKey.asked(IntentKind.Convert, INTENT))).toMatchObject({ by: 'ana', ownId: 'same' })
})

test('nobody becomes the asker of an intent that has begun without a record', async () => {
  const { ask, journal, store } = setUp()
  const at = '2026-01-01T00:00:00.000Z'
  await journal.open({ ...CONVERSION, intentId: INTENT, createdAt: at, notAfter: at })
  expect(await ask('eve')).toEqual({ outcome: 'BEGUN' })
  expect(store.records.has(recordKey.asked(IntentKind.Convert, INTENT))).toBe(false)
})

test.each([
  [{ intent: 'a-service-chose-this' }],
  [{ intent: `rb-${'a1'.repeat(16)}` }],
  [{ ownId: 'a\u0000b' }],
  [{ ownId: 'x'.repeat(201) }],
  [{ requestHash: 'none' }],
  [{ by: 'somebody else' }],
])('the request with %j is refused', (change) => {
  expect(askMovementRequest.safeParse(ASKED).success).toBe(true)
  expect(askMovementRequest.safeParse({ ...ASKED, ...change }).success).toBe(false)
})

// Claims: ids are unique only within their kind, and claims from before they carried one still count.

import { beforeEach, describe, expect, test } from 'vitest'
import { FOREIGN, FOREIGN_OF_EITHER_KIND } from '../../../core/contract/records.ts'
import { createJournal, type Journal } from '../../../core/journal/journal.ts'
import { CONVERSION, WITHDRAWAL } from '../../helpers/intents.ts'
import { createMemoryStore, type MemoryStore } from '../../helpers/memory-store.ts'

let store: MemoryStore
let journal: Journal
beforeEach(async () => {
  let ids = 0
  store = createMemoryStore()
  journal = createJournal(store, () => `id-${++ids}`)
  const times = { createdAt: '2026-01-01T00:00:00Z', notAfter: '2026-01-01T00:15:00Z' }
  for (const kind of ['convert', 'withdraw'] as const)
    await journal.open({ ...(kind === 'convert' ? CONVERSION : WITHDRAWAL), intentId: `${kind}-1`, ...times })
})

/** As it was written before claims carried a kind. */
const claimOfBefore = (movementId: string, intentId: string) =>
  store.create({ pk: `C#${movementId}`, version: 1, stamp: 'before', intentId })

test('an order and a withdrawal of the same id are claimed apart', async () => {
  expect(await journal.claim('convert', '1000001', 'convert-1')).toBeUndefined()
  expect(await journal.findClaim('withdraw', '1000001')).toBeUndefined()
  expect(await journal.claim('withdraw', '1000001', 'withdraw-1')).toBeUndefined()
  expect(await journal.findClaim('convert', '1000001')).toBe('convert-1')
  expect(await journal.findClaim('withdraw', '1000001')).toBe('withdraw-1')
})

test('a movement that is claimed goes to no other intent of its kind', async () => {
  await journal.claim('withdraw', '1000001', 'withdraw-1')
  expect(await journal.claim('withdraw', '1000001', 'withdraw-2')).toBe('withdraw-1')
})

describe('a claim from before claims carried a kind', () => {
  test('counts for the kind of its holder, and not for the other', async () => {
    await claimOfBefore('1000001', 'convert-1')
    expect(await journal.findClaim('convert', '1000001')).toBe('convert-1')
    expect(await journal.claim('convert', '1000001', 'convert-2')).toBe('convert-1')
    expect(await journal.findClaim('withdraw', '1000001')).toBeUndefined()
    expect(await journal.claim('withdraw', '1000001', 'withdraw-1')).toBeUndefined()
    expect(await journal.findClaim('convert', '1000001')).toBe('convert-1')
  })

  test('may be made again by its holder, as a step does that is entered again', async () => {
    await claimOfBefore('1000001', 'withdraw-1')
    expect(await journal.claim('withdraw', '1000001', 'withdraw-1')).toBeUndefined()
    expect(await journal.findClaim('withdraw', '1000001')).toBe('withdraw-1')
  })

  test('that declared a movement foreign may mean either kind: it is told so, and binds no intent whose movement is proven', async () => {
    await claimOfBefore('1000001', FOREIGN)
    for (const kind of ['convert', 'withdraw'] as const) {
      expect(await journal.findClaim(kind, '1000001')).toBe(FOREIGN_OF_EITHER_KIND)
      expect(await journal.claim(kind, '1000001', `${kind}-1`)).toBeUndefined()
    }
  })

  test('that declared a movement foreign may be said again by a person, with its kind', async () => {
    await claimOfBefore('1000001', FOREIGN)
    const word = { by: 'ada', because: 'paid by hand', at: '2026-02-01T13:00:00Z' }
    expect(await journal.claim('withdraw', '1000001', FOREIGN, word)).toBeUndefined()
    expect(await journal.findClaim('withdraw', '1000001')).toBe(FOREIGN)
    expect(store.records.get('C#withdraw#1000001')).toMatchObject(word)
  })
})

// Tests the record of a person's resolution beside other writers: at most one movement for the intent, and no claim on
// another's movement. The evidence is examined elsewhere; here it never objects.
import { describe, expect, test } from 'vitest'
import { Transient } from '../../../core/errors.ts'
import type { Resolution } from '../../../core/journal/intent.ts'
import { createJournal, type Journal } from '../../../core/journal/journal.ts'
import type { RecordStore } from '../../../core/journal/record-store.ts'
import { findResolvable, resolveIntent } from '../../../core/journal/resolution.ts'
import { armed, CONVERSION } from '../../helpers/intents.ts'
import { createMemoryStore, type MemoryStore } from '../../helpers/memory-store.ts'

const anything = async () => undefined
const word = (by: string, movementId?: string): Resolution => ({
  ...{ by, because: 'seen', at: '2026-01-01T01:00:00Z' },
  ...(movementId !== undefined && { movementId }),
})
const resolve = (journal: Journal, by: string, movementId?: string) =>
  resolveIntent({ intentId: 'intent-1', kind: 'convert' }, word(by, movementId), anything, journal)

let ids = 0
const newId = () => `id-${++ids}`

async function prepared(state: 'ARMED' | 'ESCALATED'): Promise<{ store: MemoryStore; journal: Journal }> {
  const store = createMemoryStore()
  const journal = createJournal(store, newId)
  const times = { createdAt: '2026-01-01T00:00:00Z', notAfter: '2026-01-01T00:15:00Z' }
  const ready = await journal.open({ ...CONVERSION, intentId: 'intent-1', ...times })
  const sent = await journal.advance(ready, armed(ready, 'order-1'))
  const evidence = [{ id: 'x' }, { id: 'y' }]
  if (state === 'ESCALATED')
    await journal.advance(sent, { state, outcome: 'NEEDS_ATTENTION', why: 'two rows', evidence })
  return { store, journal }
}

describe.each(['ARMED', 'ESCALATED'] as const)('of an intent that is %s', (state) => {
  test('a movement makes it DONE and claimed, with who, when and why', async () => {
    const { journal } = await prepared(state)
    const done = await resolve(journal, 'ada', 'x')
    expect(done).toMatchObject({ state: 'DONE', ref: 'x', resolution: word('ada', 'x') })
    expect(await journal.findClaim('convert', 'x')).toBe('intent-1')
  })

  test('no movement makes it REJECTED, with who, when and why', async () => {
    const { journal } = await prepared(state)
    const none = await resolve(journal, 'ada')
    expect(none).toMatchObject({ state: 'REJECTED', outcome: 'REJECTED', resolution: word('ada') })
    expect(none.why).toBe('ada settled at 2026-01-01T01:00:00Z that nothing moved: seen')
  })

  test('a movement of another intent is refused, and the intent stays in doubt', async () => {
    const { journal } = await prepared(state)
    await journal.claim('convert', 'x', 'intent-2')
    await expect(resolve(journal, 'ada', 'x')).rejects.toThrow('movement x is already claimed by intent intent-2')
    expect(await journal.find('intent-1', 'convert')).toMatchObject({ state: 'ESCALATED' })
    expect(await resolve(journal, 'ada', 'y')).toMatchObject({ state: 'DONE', ref: 'y' })
  })
})

test('nobody can resolve an intent without a doubt', async () => {
  const { journal } = await prepared('ESCALATED')
  await resolve(journal, 'ada', 'x')
  await expect(resolve(journal, 'ada')).rejects.toThrow('intent-1 is DONE: nothing is in doubt about it')
  const unknown = findResolvable({ intentId: 'intent-9', kind: 'convert' }, undefined, anything, journal)
  await expect(unknown).rejects.toThrow('the journal has no convert intent intent-9')
})

/** A store whose every call waits until its process may continue. After `calls` the process dies. */
function gate(store: RecordStore, turns: Turns, process: string, calls: number): RecordStore {
  let done = 0
  const inTurn = async <T>(act: () => Promise<T>): Promise<T> => {
    await turns.next(process)
    done += 1
    if (done > calls) throw new Transient('the process died')
    return act()
  }
  return {
    read: (pk) => inTurn(() => store.read(pk)),
    create: (record) => inTurn(() => store.create(record)),
    replace: (record, version) => inTurn(() => store.replace(record, version)),
  }
}

/** Lets waiting processes continue, one call at a time, in the order of the seed. */
class Turns {
  readonly #waiting: (() => void)[] = []

  next(_process: string): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  async run(work: readonly Promise<unknown>[], pick: (count: number) => number): Promise<void> {
    let over = false
    const all = Promise.allSettled(work).then(() => {
      over = true
    })
    while (!over) {
      // Every promise that can continue has continued, so all others wait here.
      await new Promise((resolve) => setImmediate(resolve))
      this.#waiting.splice(pick(this.#waiting.length), 1)[0]?.()
    }
    await all
  }
}

/** A small generator of repeatable numbers from a seed. */
function picker(seed: number): (count: number) => number {
  let state = seed * 2_654_435_761
  return (count) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) | 0
    return count === 0 ? 0 : (state >>> 8) % count
  }
}

describe.each<[string, readonly (readonly [string, string | undefined])[]]>([
  [
    'two people choose two movements',
    [
      ['ada', 'x'],
      ['grace', 'y'],
    ],
  ],
  [
    'one person chooses a movement, and one says none',
    [
      ['ada', 'x'],
      ['grace', undefined],
    ],
  ],
  [
    'three people choose the same, another, and none',
    [
      ['ada', 'x'],
      ['grace', 'y'],
      ['joan', undefined],
    ],
  ],
])('%s at once, and die anywhere', (_, words) => {
  test('the intent ends with at most one movement, and claims no other', async () => {
    const ends = new Set<unknown>()
    for (let seed = 1; seed <= 300; seed += 1) {
      const pick = picker(seed)
      const { store, journal } = await prepared(seed % 2 === 0 ? 'ARMED' : 'ESCALATED')
      const turns = new Turns()
      const work = words.map(([by, movementId]) => {
        const calls = pick(4) === 0 ? pick(6) : 100
        return resolve(createJournal(gate(store, turns, by, calls), newId), by, movementId)
      })
      await turns.run(work, pick)
      const claims = [...store.records.values()].filter(({ pk }) => pk.startsWith('C#')).map(({ pk }) => pk)
      const intent = await journal.find('intent-1', 'convert')
      ends.add(intent?.state)
      if (intent?.state === 'DONE') expect(claims, `seed ${seed}`).toEqual([`C#convert#${intent.ref}`])
      else if (intent?.state === 'REJECTED') expect(claims, `seed ${seed}`).toEqual([])
      else expect(claims.length, `seed ${seed}`).toBeLessThanOrEqual(1)
      // A repetition of the chosen resolution finishes it.
      const chosen = intent?.resolution?.movementId
      if (intent?.state === 'ESCALATED' && chosen !== undefined)
        expect(await resolve(journal, 'joan', chosen)).toMatchObject({ state: 'DONE', ref: chosen })
    }
    expect(ends.has('DONE')).toBe(true)
  })
})

test('once a movement is chosen, nobody chooses another or none', async () => {
  const { store, journal } = await prepared('ESCALATED')
  const intent = await journal.find('intent-1', 'convert')
  if (!intent) throw new Error('the intent is not there')
  // The state that a process leaves which died between the choice and the claim.
  await journal.advance(intent, { state: 'ESCALATED', resolution: word('ada', 'x') })
  for (const other of ['y', undefined])
    await expect(resolve(journal, 'grace', other)).rejects.toThrow('ada has chosen movement x already')
  expect(store.records.has('C#convert#y')).toBe(false)
})

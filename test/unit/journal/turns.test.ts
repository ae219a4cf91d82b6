// Processes share the service's rate limit, and a turn is delayed by a minute at most.
import { describe, expect, it } from 'vitest'
import { recordKey } from '../../../core/contract/records.ts'
import { CALLS_OF_ATTEMPT, createTurns } from '../../../core/journal/turns.ts'
import type { ReportedLimit } from '../../../core/service/ports.ts'
import { manualClock } from '../../helpers/manual-clock.ts'
import { createMemoryStore } from '../../helpers/memory-store.ts'

const WINDOW_MS = 10_000
/** Attempts may take 60 of these: twelve attempts. */
const LIMIT = 100

function setUp() {
  const clock = manualClock()
  const store = createMemoryStore()
  let ids = 0
  const process = () => createTurns({ store, newId: () => `id-${++ids}` }, clock)
  const limit = (more: Partial<ReportedLimit> = {}): ReportedLimit => ({
    ...{ limit: LIMIT, left: LIMIT, endsAtMs: clock.nowMs() + WINDOW_MS, windowMs: WINDOW_MS },
    ...more,
  })
  /** @returns how many of `many` processes were given a turn */
  async function crowd(many: number, limit: ReportedLimit): Promise<number> {
    let given = 0
    for (let nth = 0; nth < many; nth += 1) if (await process().take(limit)) given += 1
    return given
  }
  return { clock, store, process, limit, crowd }
}

describe('turns at the service', () => {
  it('are given to as many attempts as a part of the limit has room for, whichever process asks', async () => {
    const { crowd, limit } = setUp()
    expect(await crowd(100, limit())).toBe((0.6 * LIMIT) / CALLS_OF_ATTEMPT)
  })

  it('are given again in the next window, also by processes that do not know of it', async () => {
    const { clock, crowd, limit } = setUp()
    const first = limit()
    expect(await crowd(100, first)).toBe(12)
    clock.advance(WINDOW_MS)
    expect(await crowd(100, first)).toBe(12)
    // A process that knows the end of that window counts into it, and not into a window of its own.
    expect(await crowd(100, limit({ endsAtMs: clock.nowMs() + 4_000 }))).toBe(0)
    clock.advance(4_000)
    expect(await crowd(100, limit())).toBe(12)
  })

  it('cost nothing if the service reports no limit, or if far more is left than a thousand attempts use', async () => {
    const { crowd, store, limit } = setUp()
    expect(await setUp().process().take(undefined)).toBe(true)
    expect(await crowd(100, limit({ limit: 1_000_000, left: 10_000 }))).toBe(100)
    expect(store.records.size).toBe(0)
  })

  it('are not given if others have used up the amount that an attempt needs', async () => {
    const { clock, process, limit } = setUp()
    expect(await process().take(limit({ left: CALLS_OF_ATTEMPT - 1 }))).toBe(false)
    expect(await process().take(limit({ left: 0, endsAtMs: clock.nowMs() - 1 }))).toBe(true)
  })

  it('are given to one attempt in a window, however low the limit is', async () => {
    const { crowd, limit } = setUp()
    expect(await crowd(5, limit({ limit: 3, left: 5 }))).toBe(1)
  })

  it('are never delayed by more than a minute because of a record', async () => {
    const { clock, crowd, store, limit } = setUp()
    for (const fields of [{ endsAtMs: clock.nowMs() + 60_001, taken: 1_000 }, { endsAtMs: 'soon', taken: [] }, {}]) {
      const version = (store.records.get(recordKey.turns)?.version ?? 0) + 1
      const record = { pk: recordKey.turns, version, format: 1, stamp: 's', ...fields }
      await (version === 1 ? store.create(record) : store.replace(record, version - 1))
      expect(await crowd(1, limit())).toBe(1)
    }
  })

  it('go to no more attempts than there is room for when many ask at the same moment', async () => {
    const { process, limit } = setUp()
    const given = await Promise.all(Array.from({ length: 100 }, () => process().take(limit())))
    expect(given.filter(Boolean).length).toBeGreaterThan(0)
    expect(given.filter(Boolean).length).toBeLessThanOrEqual(12)
  })
})

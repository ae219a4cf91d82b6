// Computes in virtual time how writers of one hot record get into each other's way. The code that reads and writes the
// record is the product's. Only the time of the calls is assumed.
import { createBudgets } from '../../core/journal/budgets.ts'
import type { RecordStore, StoredRecord } from '../../core/journal/record-store.ts'
import { createTurns } from '../../core/journal/turns.ts'
import { parseDecimal } from '../../core/money/decimal.ts'
import { seededRandom } from '../simulation/choices.ts'
import { createMemoryStore } from './memory-store.ts'

/** Milliseconds of one call of the journal, as docs/scale.md assumes. */
const CALL_MS = 8
/** Milliseconds from a reservation to DONE: a check, the halts, ARM, the send and the claim. */
const DONE_AFTER_MS = 500
/** Function environments at work. Each remembers the intents that it has seen end. */
const ENVIRONMENTS = 32
const NOON_MS = Date.parse('2026-01-01T12:00:00Z')
/** Bytes of a write unit of DynamoDB. A failed conditional write takes units too. */
const UNIT_BYTES = 1_024

class VirtualTime {
  nowMs = NOON_MS
  readonly #due: { readonly atMs: number; readonly wake: () => void }[] = []

  sleep(ms: number): Promise<void> {
    return new Promise((wake) => {
      const atMs = this.nowMs + ms
      let at = this.#due.length
      while (at > 0 && (this.#due[at - 1]?.atMs ?? 0) > atMs) at -= 1
      this.#due.splice(at, 0, { atMs, wake })
    })
  }

  async run(): Promise<void> {
    for (;;) {
      // All that was woken runs until it waits again.
      await new Promise(setImmediate)
      const next = this.#due.shift()
      if (next === undefined) return
      this.nowMs = next.atMs
      next.wake()
    }
  }
}

export interface Contention {
  /** Writes that were tried for each one that was asked for, of the record alone. */
  readonly tries: number
  /** Write units a second. */
  readonly units: number
  /** Share of those who gave up. */
  readonly gaveUp: number
  /** Milliseconds for which 99 of 100 waited at most. */
  readonly p99Ms: number
}

interface World {
  readonly time: VirtualTime
  readonly store: RecordStore
}

/** Resolves to whether the writer got what it asked for. */
type Ask = (nth: number) => Promise<boolean>

/** `rate`: writers a second, who come by chance (Poisson); the seed gives the same ones again. */
async function contend(rate: number, writers: number, make: (world: World) => Ask): Promise<Contention> {
  const time = new VirtualTime()
  const table = createMemoryStore()
  let [tries, units, gaveUp] = [0, 0, 0]
  const waits: number[] = []
  const called = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    await time.sleep(CALL_MS / 2)
    const result = await call()
    await time.sleep(CALL_MS / 2)
    return result
  }
  const write = (record: StoredRecord, call: () => Promise<'written' | 'stale'>) => {
    tries += 1
    units += Math.ceil(JSON.stringify(record).length / UNIT_BYTES)
    return called(call)
  }
  const store: RecordStore = {
    read: (pk) => called(() => table.read(pk)),
    create: (record) => write(record, () => table.create(record)),
    replace: (record, version) => write(record, () => table.replace(record, version)),
  }
  const ask = make({ time, store })
  const random = seededRandom(1)
  let atMs = 0
  for (let nth = 0; nth < writers; nth += 1) {
    atMs -= (Math.log(1 - random()) / rate) * 1_000
    void time.sleep(atMs).then(async () => {
      const fromMs = time.nowMs
      if (!(await ask(nth).catch(() => false))) gaveUp += 1
      waits.push(time.nowMs - fromMs)
    })
  }
  await time.run()
  const p99Ms = waits.toSorted((left, right) => left - right)[Math.floor(waits.length * 0.99)] ?? 0
  return { tries: tries / writers, units: units / (atMs / 1_000), gaveUp: gaveUp / writers, p99Ms }
}

/** Reservations in one day's budget in value, by movements that are DONE soon after. */
export function contendForBudget(rate: number, writers: number): Promise<Contention> {
  return contend(rate, writers, ({ time, store }) => {
    const doneAtMs = new Map<string, number>()
    const find = async (intentId: string) => {
      await time.sleep(CALL_MS)
      const isDone = (doneAtMs.get(intentId) ?? Number.POSITIVE_INFINITY) <= time.nowMs
      return { intentId, state: isDone ? 'DONE' : 'ARMED' } as never
    }
    let ids = 0
    const environments = Array.from({ length: ENVIRONMENTS }, () =>
      createBudgets(store, { find }, () => `00000000-0000-4000-8000-${String(ids++).padStart(12, '0')}`),
    )
    const [one, limit] = [parseDecimal('1234.56', 'amount'), parseDecimal('1000000000', 'limit')]
    return async (nth) => {
      const span = { fromMs: NOON_MS, toMs: NOON_MS + 165_000 }
      const budget = { scope: '*', assetSymbol: 'value:USD', span, isRolling: false }
      // As long as the id of a leg.
      const intentId = `leg-${String(nth).padStart(36, '0')}`
      const left = await environments[nth % ENVIRONMENTS]?.reserve(budget, `convert#${intentId}`, one, limit)
      doneAtMs.set(intentId, time.nowMs + DONE_AFTER_MS)
      return left === undefined
    }
  })
}

/** Turns at a service whose limit has room for all of them, and is not ample. */
export function contendForTurns(rate: number, writers: number): Promise<Contention> {
  return contend(rate, writers, ({ time, store }) => {
    let ids = 0
    const turns = createTurns(
      { store, newId: () => `stamp-${ids++}` },
      { nowMs: () => time.nowMs, sleep: (ms) => time.sleep(ms) },
    )
    return () => {
      const windowMs = 1_000
      const endsAtMs = Math.ceil((time.nowMs + 1) / windowMs) * windowMs
      return turns.take({ limit: 9_999, left: 9_000, endsAtMs, windowMs })
    }
  })
}

// Counts the runs of each policy that have ended badly, from the records as they are written. Judges the policy's breaker by
// them: it must trip at the run that makes the row full, and not before. People release what has tripped.
import type { StoredRecord } from '../../../core/journal/record-store.ts'
import type { Stage } from '../stage.ts'
import { put } from '../switches.ts'

/** How a run ends that held its policy and moved nothing, or cannot say what it moved. */
const BAD: ReadonlySet<unknown> = new Set(['NOTHING_MOVED', 'FAILED', 'OWN_FAULT', 'NEEDS_ATTENTION'])
const OPEN: ReadonlySet<unknown> = new Set([undefined, 'RUNNING', 'AWAITING_APPROVAL'])
const GOOD: ReadonlySet<unknown> = new Set(['SETTLED', 'NOTHING_TO_DO'])
const RELEASES_MS = [900_000, 3_000_000]

/** The bad ends of a policy's runs. */
interface Row {
  /** The runs of the present row that certainly count. */
  certain: number
  /** Bad ends of all kinds since the start, whether they count or not. */
  bad: number
  readonly trips: Set<string>
}

export class BreakerWatch {
  readonly #stage: Stage
  /** Number of bad runs in a row that trips the breaker. */
  readonly #failures: number
  readonly #nameOf: (policy: string) => string
  readonly #rows = new Map<string, Row>()
  /** The last written outcome of each entry of a run. */
  readonly #ends = new Map<string, unknown>()
  readonly #violations: string[] = []

  /** `nameOf`: the last name of a policy that is renamed under way. Its runs under both names are one row. */
  constructor(stage: Stage, failures: number, nameOf: (policy: string) => string) {
    this.#stage = stage
    this.#failures = failures
    this.#nameOf = nameOf
    for (const atMs of RELEASES_MS)
      stage.scheduler.later(atMs, () => this.release(), { text: () => 'a person releases each breaker' })
  }

  note(record: StoredRecord): void {
    if (record.pk.startsWith('T#')) this.#noteTrip(record.pk)
    if (!record.pk.startsWith('R#')) return
    const { runId, policy, outcome } = record
    const end = `${runId} ${record.entry}`
    if (this.#ends.get(end) === outcome) return
    const before = this.#ends.get(end)
    this.#ends.set(end, outcome)
    const row = this.#rowOf(String(policy))
    if (GOOD.has(outcome)) row.certain = 0
    else if (BAD.has(before) && !BAD.has(outcome)) row.certain -= 1
    // A run is counted at its first end, whatever becomes of its legs later.
    if (!BAD.has(outcome) || !OPEN.has(before)) return
    row.bad += 1
    // A run that began no leg of its own may have left them to another run, and then counts for nothing.
    // A new name takes over the longer of two rows, not both.
    if (!this.#hasOwnLeg(String(runId)) || this.#nameOf(String(policy)) !== policy) return
    row.certain += 1
    if (row.certain < this.#failures) return
    if (this.#tripped(String(policy)) === undefined)
      this.#violations.push(`${policy} has failed ${this.#failures} times in a row, and its breaker has not tripped`)
  }

  /** A person releases the breakers that have tripped. */
  release(): void {
    const tripped = [...this.#rows.values()].flatMap(({ trips }) => [...trips].map(policyOfTrip))
    for (const policy of new Set(tripped)) {
      const trip = this.#tripped(policy)
      if (trip !== undefined)
        put(this.#stage.journal, `H#${policy}`, {
          released: { trip, by: 'ada', because: 'audit', at: '2026-01-01T00:00:00.000Z' },
        })
    }
  }

  /**
   * Returns what is wrong with the trips, once nothing moves any more. With faults a step may count a run, and stop, and a
   * second one may end the run otherwise: its policy is then halted too early.
   */
  judge(hasFaults: boolean): string[] {
    if (hasFaults) return this.#violations
    const early = [...this.#rows].filter(([, { bad, trips }]) => bad < trips.size * this.#failures)
    return [
      ...this.#violations,
      ...early.map(
        ([policy, { bad, trips }]) => `the breaker of ${policy} tripped ${trips.size} times after ${bad} bad runs`,
      ),
    ]
  }

  #noteTrip(pk: string): void {
    const row = this.#rowOf(policyOfTrip(pk))
    row.trips.add(pk)
    // The next row begins after the run that trips, whose end is written after the trip.
    row.certain = -1
  }

  #rowOf(policy: string): Row {
    const name = this.#nameOf(policy)
    const row = this.#rows.get(name) ?? { certain: 0, bad: 0, trips: new Set() }
    this.#rows.set(name, row)
    return row
  }

  #hasOwnLeg(runId: string): boolean {
    return [...this.#stage.witness.intents.values()].some(
      ({ record }) => (record.params as { readonly run?: string }).run === runId,
    )
  }

  /** The number of the trip that is in force. */
  #tripped(policy: string): number | undefined {
    const { records } = this.#stage.journal
    const released = records.get(`H#${policy}`)?.released as { readonly trip: number } | undefined
    const next = (released?.trip ?? 0) + 1
    return records.has(`T#${policy}#${next}`) ? next : undefined
  }
}

function policyOfTrip(pk: string): string {
  return pk.split('#')[1] ?? ''
}

// Models the switches of a simulated world: a person halts everything or one policy, a policy's breaker trips, and
// people release both. It draws them, stores their records, and checks what a process has read of them before ARM. It
// is independent of the product's reading.
import type { StoredRecord } from '../../core/journal/record-store.ts'
import { pickWith, seededRandom } from './choices.ts'

export interface Halted {
  readonly fromMs: number
  readonly untilMs: number
}

/** The halt of one policy of the schedule. */
export interface PolicyHalt extends Halted {
  /** Who stops it. With `both`, a person releases the halt first, and the trip at the end. */
  readonly by: 'person' | 'breaker' | 'both'
  /** Number of earlier trips that a person has released. */
  readonly released: number
  /** Whether the halt uses the former name of a renamed policy. */
  readonly isByOldName: boolean
}

/** Has its own random source, so that the other draws of a seed stay the same. */
export function drawPolicyHalt(seed: number): PolicyHalt | undefined {
  const random = seededRandom(seed * 6_151 + 17)
  const pick = <T>(options: readonly T[]) => pickWith(random, options)
  const by = pick([undefined, undefined, undefined, 'person', 'breaker', 'breaker', 'both'] as const)
  const fromMs = pick([0, 0, 200, 2_000, 20_000])
  const untilMs = fromMs + pick([1_000, 60_000, 600_000])
  return by && { by, released: pick([0, 0, 1, 2]), fromMs, untilMs, isByOldName: pick([false, true]) }
}

const EVERYTHING = 'H#*'
const WORD = { by: 'ada', because: 'audit', at: '2026-01-01T00:00:00.000Z' }

interface Table {
  readonly records: ReadonlyMap<string, StoredRecord>
  put(record: StoredRecord, expectedVersion: number | undefined): unknown
}

interface Stage {
  readonly scheduler: { later(ms: number, run: () => void, about: { readonly text: () => string }): unknown }
  readonly journal: Table
}

/** A person halts everything at some moment, and resumes it later. */
export function throwSwitch({ scheduler, journal }: Stage, { fromMs, untilMs }: Halted): void {
  scheduler.later(fromMs, () => put(journal, EVERYTHING, { halted: true }), { text: () => 'halt' })
  scheduler.later(untilMs, () => put(journal, EVERYTHING, { halted: false }), { text: () => 'resume' })
}

export function throwPolicySwitch({ scheduler, journal }: Stage, policy: string, halt: PolicyHalt): void {
  const { by, released, fromMs, untilMs } = halt
  const people = `H#${policy}`
  const trip = released + 1
  const later = (atMs: number, text: string, run: () => void) => scheduler.later(atMs, run, { text: () => text })
  const release = (number: number) => ({ released: { trip: number, ...WORD } })
  if (released > 0) {
    put(journal, people, { halted: false, ...release(released) })
    for (let number = 1; number <= released; number += 1) put(journal, `T#${policy}#${number}`, {})
  }
  if (by !== 'breaker') {
    const firstMs = by === 'both' ? fromMs + (untilMs - fromMs) / 2 : untilMs
    later(fromMs, 'halt of a policy', () => put(journal, people, { halted: true }))
    later(firstMs, 'resume of a policy', () => put(journal, people, { halted: false }))
  }
  if (by !== 'person') {
    later(fromMs, 'trip', () => put(journal, `T#${policy}#${trip}`, {}))
    later(untilMs, 'release of a trip', () => put(journal, people, release(trip)))
  }
}

/** Writes over the present record, because nobody else writes these. */
export function put(journal: Table, pk: string, fields: Readonly<Record<string, unknown>>): void {
  const known = journal.records.get(pk)
  const version = (known?.version ?? 0) + 1
  const record = { halted: false, ...WORD, ...known, ...fields, pk, version, format: 1, stamp: `${pk}-${version}` }
  journal.put(record, known?.version)
}

/** The switches as a process has read them since its last ARM, by key. */
export type SeenSwitches = Record<
  string,
  { readonly isThere: boolean; readonly halted: boolean; readonly released: number }
>

export function isSwitch(pk: string): boolean {
  return pk.startsWith('H#') || pk.startsWith('T#')
}

export function seenOf(record: StoredRecord | undefined): SeenSwitches[string] {
  const released = record?.released as { readonly trip: number } | undefined
  return { isThere: record !== undefined, halted: record?.halted === true, released: released?.trip ?? 0 }
}

/**
 * Returns what is wrong with a policy's ARM after these reads, or undefined. `names`: all names that the policy has
 * had.
 */
export function findHaltedArm(seen: SeenSwitches = {}, names: readonly string[]): string | undefined {
  for (const pk of [EVERYTHING, ...names.map((name) => `H#${name}`)]) {
    if (seen[pk] === undefined) return `an ARM without a look at the switch ${pk}`
    if (seen[pk].halted) return 'an ARM although sending was halted'
  }
  for (const name of names) {
    const trip = seen[`T#${name}#${(seen[`H#${name}`]?.released ?? 0) + 1}`]
    if (trip === undefined) return `an ARM without a look at the breaker of ${name}`
    if (trip.isThere) return 'an ARM although the breaker of its policy had tripped'
  }
  return undefined
}

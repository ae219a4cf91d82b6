// The switch with which people stop sending. It is read right before every ARM: the one for everything, and the one of
// the policy on whose behalf something moves. It stops what is not sent yet, and settles no doubt.
//
// A scope has two kinds of records, with different writers. `H#` holds the word of people: that they halt, that they let
// go on, and up to which trip they have let go on. No function may write it. `T#` holds the trips of a policy's breaker,
// each under a number of its own: what a function writes there can halt, and can lift nothing, because a trip is in force
// by being there, until `H#` names it.
//
// Where two people must let sending go on, `H#` keeps the word of the first, with the halts that it means. It lifts nothing.

import * as z from 'zod/mini'
import type { NewId } from '../clock.ts'
import { isSamePerson } from '../contract/person.ts'
import { LISTED_KEY, listing, recordKey } from '../contract/records.ts'
import { ResumedBy } from '../contract/treasury.ts'
import { Transient } from '../errors.ts'
import { policyOf } from './entering.ts'
import type { Intent } from './intent.ts'
import { assertFormat, checkRecord } from './record-format.ts'
import { assertWritten, putOver, putRecord, type RecordStore, type StoredRecord } from './record-store.ts'

/** The scope that covers every policy. No breaker trips for it. */
export const EVERYTHING = '*'

export interface Halt {
  readonly scope: string
  readonly by: string
  readonly because: string
  /** ISO-8601. */
  readonly at: string
  /** Of a breaker's: its number, counted from 1. Absent of a person's. */
  readonly trip?: number
}

/** Who said it and when, as it is recorded. */
export type Said = Pick<Halt, 'by' | 'at'>

export interface Halts {
  /** A halt in force for everything, or for this policy by either of its names. `was`: where it was renamed. @throws Transient, Defect */
  find(policy: string | undefined, was?: string): Promise<Halt | undefined>
  /** Those of this very scope, of everything or of one policy: a person's and a breaker's. @throws Transient, Defect */
  findOf(scope: string): Promise<readonly Halt[]>
  /** The word of the first of two people to resume this halt, while it counts. `nowMs`: epoch ms. @throws Transient, Defect */
  findFirstWord(halt: Halt, nowMs: number): Promise<FirstWord | undefined>
  /** A person's. @throws Transient */
  halt(halt: Halt): Promise<Said>
  /** A breaker's. One that is in force already stands. @throws Transient, Defect */
  trip(trip: Halt): Promise<void>
  /**
   * A person's word. `only`: the halts that are meant; absent: all of the scope. @throws Transient, also where one of them
   * is not in force any more
   */
  resume(resumed: Halt, only?: readonly Halt[]): Promise<Resumed>
}

/** `isLifted`: false where another person must say the same. */
export type Resumed = Said & { readonly isLifted: boolean }

/** It lifts nothing by itself: another person must say the same. */
export interface FirstWord {
  readonly by: string
  readonly because: string
  readonly at: string
  /** ISO-8601: from then on it counts for nothing. */
  readonly until: string
}

const word = { by: z.string(), because: z.string(), at: z.string() }
/** How long the word of the first of two people to resume counts. */
const FIRST_WORD_MS = 86_400_000

/**
 * Who changed the switch last, and to what; the last trip that a person has let go on, with who did; and the word of the
 * first of two people to resume.
 */
const haltFields = z.object({
  halted: z.boolean(),
  ...word,
  released: z.optional(z.object({ trip: z.int().check(z.gte(1)), ...word })),
  resuming: z.optional(z.object({ ...word, halts: z.array(z.object({ ...word, trip: z.optional(z.int()) })) })),
})

const tripFields = z.object(word)

/** What the record of a person says that is in force; undefined where sending was resumed. @throws Defect */
function haltOfRecord(record: StoredRecord): Halt | undefined {
  const { halted, by, because, at } = checkRecord(haltFields, record)
  return halted ? { scope: record.pk.slice(recordKey.halt('').length), by, because, at } : undefined
}

/** The number of the trip that nobody has let go on yet, where there is one. @throws Defect */
function nextTripAfter(record: StoredRecord | undefined): number {
  return ((record && checkRecord(haltFields, record).released?.trip) ?? 0) + 1
}

/** The scope of a record of either kind, by its key. */
export function scopeOfHalt(pk: string): string {
  const rest = pk.slice(recordKey.halt('').length)
  return pk.startsWith(recordKey.halt('')) ? rest : rest.slice(0, rest.lastIndexOf('#'))
}

/** A halt in force for what an intent moves on behalf of. @throws Transient, Defect */
export function findHaltOf(intent: Intent, halts: Pick<Halts, 'find'>): Promise<Halt | undefined> {
  return halts.find(policyOf(intent), intent.frozen.guards?.policy?.was)
}

/** One sentence for a run that waits. */
export function haltText({ by, at, because }: Halt): string {
  return `sending is halted by ${by} since ${at}: ${because}`
}

/** Of a halt. More people than this do not press it within the same few milliseconds. */
const MOST_TRIES = 5
const CHANGED = 'somebody else changed the halt meanwhile; try again'

/** Whether another person has said the same of all of these halts before. */
function isSecondWord(
  record: StoredRecord | undefined,
  { by, at }: Pick<Halt, 'by' | 'at'>,
  meant: readonly Halt[],
): boolean {
  const { resuming } = record === undefined ? {} : checkRecord(haltFields, record)
  if (resuming === undefined || isSamePerson(resuming.by, by)) return false
  if (Date.parse(at) - Date.parse(resuming.at) >= FIRST_WORD_MS) return false
  return meant.every((halt) => resuming.halts.some((other) => isSame(halt, other)))
}

function isSame(
  one: Omit<Halt, 'scope' | 'trip'> & { readonly trip?: number | undefined },
  other: typeof one,
): boolean {
  return one.trip === other.trip && one.at === other.at && one.by === other.by && one.because === other.because
}

/** `resumedBy`: as treasury.json says; whoever only reads, halts or trips leaves it out. */
export function createHalts(store: RecordStore, newId: NewId, resumedBy?: ResumedBy): Halts {
  /** The record of people decides which trip is looked for, so it is read first. */
  async function findIn(scope: string): Promise<readonly Halt[]> {
    return readScope(scope, await store.read(recordKey.halt(scope)))
  }

  async function readScope(scope: string, record: StoredRecord | undefined): Promise<readonly Halt[]> {
    const ofPerson = record && haltOfRecord(record)
    const ofBreaker = scope === EVERYTHING ? undefined : await findTrip(scope, nextTripAfter(record))
    return [ofPerson, ofBreaker].filter((halt) => halt !== undefined)
  }

  async function findTrip(scope: string, trip: number): Promise<Halt | undefined> {
    const record = await store.read(recordKey.trip(scope, trip))
    if (record === undefined) return undefined
    const { by, because, at } = checkRecord(tripFields, record)
    return { scope, by, because, at, trip }
  }

  /** Only for the sake of the list: a trip that stays in it is read, and found to be released. */
  async function unlist(scope: string, trip: number): Promise<void> {
    const pk = recordKey.trip(scope, trip)
    const known = await store.read(pk)
    if (known !== undefined) await putOver({ store, newId }, known, pk, { [LISTED_KEY]: undefined })
  }

  return {
    async find(policy, was) {
      const scopes = [EVERYTHING, policy, was].filter((scope) => scope !== undefined)
      // At once: a quote that is about to be sent lives for five seconds.
      return (await Promise.all(scopes.map(findIn))).flat()[0]
    },

    findOf: findIn,

    async findFirstWord(halt, nowMs) {
      const record = await store.read(recordKey.halt(halt.scope))
      const { resuming } = record === undefined ? {} : checkRecord(haltFields, record)
      if (resuming === undefined || !resuming.halts.some((other) => isSame(halt, other))) return undefined
      const untilMs = Date.parse(resuming.at) + FIRST_WORD_MS
      if (nowMs >= untilMs) return undefined
      const { by, because, at } = resuming
      return { by, because, at, until: new Date(untilMs).toISOString() }
    },

    async halt({ scope, by, because, at }) {
      const pk = recordKey.halt(scope)
      // Nothing is to keep people from halting: what else the record holds is written over, and whoever changed the switch
      // meanwhile too.
      for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
        const known = await store.read(pk)
        if (known !== undefined) assertFormat(known)
        const outcome = await putOver({ store, newId }, known, pk, {
          ...{ halted: true, by, because, at },
          // Whoever wanted to resume before did not know of this halt.
          resuming: undefined,
          // In the list of halts for as long as it is in force.
          [LISTED_KEY]: listing.halts,
        })
        if (outcome === 'written') return { by, at }
      }
      throw new Transient(CHANGED)
    },

    async trip({ scope, by, because, at }) {
      const next = async () => nextTripAfter(await store.read(recordKey.halt(scope)))
      const trip = await next()
      const fields = { by, because, at, [LISTED_KEY]: listing.halts }
      const outcome = await putRecord({ store, newId }, recordKey.trip(scope, trip), fields)
      // One that is in force says enough. One that a person has let go on meanwhile does not speak for this run.
      if (outcome === 'stale' && (await next()) !== trip) throw new Transient(CHANGED)
    },

    async resume({ scope, by, because, at }, only) {
      const pk = recordKey.halt(scope)
      const known = await store.read(pk)
      const inForce = await readScope(scope, known)
      const meant = only ?? inForce
      if (!meant.every((halt) => inForce.some((other) => isSame(halt, other)))) throw new Transient(CHANGED)
      if (resumedBy === ResumedBy.TwoPeople && !isSecondWord(known, { by, at }, meant)) {
        const halts = meant.map(({ scope: _scope, ...halt }) => halt)
        const outcome = await putOver({ store, newId }, known, pk, {
          ...(known === undefined && { halted: false, by, because, at }),
          resuming: { by, because, at, halts },
        })
        assertWritten(outcome, CHANGED)
        return { by, at, isLifted: false }
      }
      const trip = meant.find((halt) => halt.trip !== undefined)?.trip
      const isLifted = meant.some((halt) => halt.trip === undefined)
      const isStillHalted = !isLifted && inForce.some((halt) => halt.trip === undefined)
      const outcome = await putOver({ store, newId }, known, pk, {
        // The attribute is left out where it has no value.
        ...(!isStillHalted && { halted: false, by, because, at, [LISTED_KEY]: undefined }),
        ...(trip !== undefined && { released: { trip, by, because, at } }),
        resuming: undefined,
      })
      assertWritten(outcome, CHANGED)
      if (trip !== undefined) await unlist(scope, trip).catch(() => undefined)
      return { by, at, isLifted: true }
    },
  }
}

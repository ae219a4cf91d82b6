// Owns the halts with which people and breakers stop sending. A step reads them right before every ARM: the halt of
// everything, and the halt of the policy that asked for the movement. A halt stops what is not sent yet, and settles no
// doubt.
//
// A scope has two kinds of records with different writers. `H#` records what people decided: halts, resumes, and the
// last trip that they resumed. Only ThrowSwitch, Resume and a desk may write it. `T#` records the trips of a policy's
// breaker, each under its own number. Who writes there can halt but not resume: a trip is in force until `H#` names it.
//
// Where two people must resume, `H#` keeps the first person's request, which alone resumes nothing. Each version of
// `H#` is one act of a person, and earlier versions are kept for the log of people.

import * as z from 'zod/mini'
import { mapBounded, READS_AT_ONCE } from '../bounded.ts'
import type { NewId } from '../clock.ts'
import { isSamePerson } from '../contract/person.ts'
import { LISTED_KEY, listing, recordKey } from '../contract/records.ts'
import { ResumedBy } from '../contract/service-settings.ts'
import { Verb } from '../contract/states.ts'
import type { Treasury } from '../contract/treasury.ts'
import { Transient } from '../errors.ts'
import { findUnheard } from './accepted-requests.ts'
import { createPolicyNames } from './policy-names.ts'
import { assertFormat, checkRecord } from './record-format.ts'
import { assertWritten, putOver, putRecord, type RecordStore, type StoredRecord } from './record-store.ts'
import { actKeys } from './request-keys.ts'

/** The scope that covers every policy. No breaker trips for it. */
export const EVERYTHING = '*'

export interface Halt {
  readonly scope: string
  readonly by: string
  readonly because: string
  /** ISO-8601. */
  readonly at: string
  /** Only for a breaker's halt: its number, counted from 1. */
  readonly trip?: number
}

/** A halt or a resume by a person. `spoken`: the key of the record of that person's signed request; absent at a desk. */
type Said = Halt & { readonly spoken?: string | undefined }

/** The person and the time in the record. */
type RecordedBy = Pick<Halt, 'by' | 'at'>

export interface Halts {
  /**
   * A halt in force for everything, or for this policy by any of its names.
   * @throws Transient, Defect
   */
  find(policy: string | undefined): Promise<Halt | undefined>
  /** Halts of exactly this scope, by a person and by a breaker. @throws Transient, Defect */
  findOf(scope: string): Promise<readonly Halt[]>
  /** The first of two requests to resume this halt, while it counts. `nowMs`: epoch ms. @throws Transient, Defect */
  findFirstResume(halt: Halt, nowMs: number): Promise<FirstResume | undefined>
  /** Records a person's halt. @throws Transient */
  halt(halt: Said): Promise<RecordedBy>
  /** Records a breaker's halt. A trip already in force stays. @throws Transient, Defect */
  trip(trip: Halt): Promise<void>
  /**
   * Records a person's resume. `only`: the halts to end; undefined: all of the scope.
   * @throws Transient, also where one of them is no longer in force
   * @throws Defect
   */
  resume(resumed: Said, only?: readonly Halt[]): Promise<Resumed>
}

/** `isLifted`: false where another person must ask for the same. */
export type Resumed = RecordedBy & { readonly isLifted: boolean }

/** The first of two requests to resume. It resumes nothing until another person asks for the same. */
export interface FirstResume {
  readonly by: string
  readonly because: string
  readonly at: string
  /** ISO-8601: after this time it no longer counts. */
  readonly until: string
}

const statement = { by: z.string(), because: z.string(), at: z.string() }
const said = { ...statement, spoken: z.optional(z.string()) }
/** Milliseconds for which the first of two requests to resume counts: a day. */
const FIRST_WORD_MS = 86_400_000

/** The last change by a person; the last trip that a person resumed; and the first of two requests to resume. */
const haltFields = z.object({
  halted: z.boolean(),
  ...said,
  released: z.optional(z.object({ trip: z.int().check(z.gte(1)), ...said })),
  resuming: z.optional(z.object({ ...said, halts: z.array(z.object({ ...statement, trip: z.optional(z.int()) })) })),
})

const tripFields = z.object(statement)

/** The halt in a person's record; undefined where sending was resumed. @throws Defect */
function haltOfRecord(record: StoredRecord): Halt | undefined {
  const { halted, by, because, at } = checkRecord(haltFields, record)
  return halted ? { scope: record.pk.slice(recordKey.halt('').length), by, because, at } : undefined
}

/** The number of the first trip that nobody has resumed. It may not exist yet. @throws Defect */
function nextTripAfter(record: StoredRecord | undefined): number {
  return ((record && checkRecord(haltFields, record).released?.trip) ?? 0) + 1
}

/** The scope of a record of either kind, from its key. */
export function scopeOfHalt(pk: string): string {
  const rest = pk.slice(recordKey.halt('').length)
  return pk.startsWith(recordKey.halt('')) ? rest : rest.slice(0, rest.lastIndexOf('#'))
}

/** `first-resume`: the first of two people's requests to resume, which alone resumes nothing. */
export type SwitchAct = Omit<Said, 'trip'> & { readonly did: 'halted' | 'first-resume' | 'resumed' }

/** The act of a person that made this version of the record. @throws Defect */
export function switchActOf(record: StoredRecord): SwitchAct {
  const { halted, released, resuming, ...last } = checkRecord(haltFields, record)
  const scope = scopeOfHalt(record.pk)
  // Every other act removes the first request.
  if (resuming !== undefined) return { did: 'first-resume', scope, ...actOf(resuming) }
  // A resume of a trip alone leaves a person's halt as it was.
  const isTripAlone = halted && released !== undefined && Date.parse(released.at) > Date.parse(last.at)
  return { did: halted && !isTripAlone ? 'halted' : 'resumed', scope, ...actOf(isTripAlone ? released : last) }
}

function actOf({ by, because, at, spoken }: Omit<Said, 'scope'>): Omit<Said, 'scope' | 'trip'> {
  return { by, because, at, spoken }
}

const pastFields = z.object({ was: z.object({ pk: z.string(), version: z.number() }) })

/** The version that a record of the past keeps. @throws Defect */
export function pastHaltIn(record: StoredRecord): StoredRecord {
  checkRecord(pastFields, record)
  // Only `keepVersion` writes it, from a whole record. `switchActOf` checks its fields.
  return record.was as StoredRecord
}

/** One sentence for a run that waits. */
export function haltText({ by, at, because }: Halt): string {
  return `sending is halted by ${by} since ${at}: ${because}`
}

/** Maximum write retries of one halt. More people do not halt within the same few milliseconds. */
const MOST_TRIES = 5
const CHANGED = 'somebody else changed the halt meanwhile; try again'

/** Whether another person has already asked to resume all of these halts. */
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

/**
 * `policies`: of treasury.json, for callers that find the halts of a policy. `resumedBy`: as in treasury.json. Callers
 * that only read, halt or trip leave it out.
 */
export function createHalts(
  store: RecordStore,
  newId: NewId,
  { policies = {}, resumedBy }: { readonly [Field in 'policies' | 'resumedBy']?: Treasury[Field] | undefined } = {},
): Halts {
  const namesOf = createPolicyNames(store, policies)

  /** The people's record names the trip to read, so it is read first. */
  async function findIn(scope: string): Promise<readonly Halt[]> {
    return readScope(scope, await store.read(recordKey.halt(scope)))
  }

  async function readScope(scope: string, record: StoredRecord | undefined): Promise<readonly Halt[]> {
    const personHalt = record && haltOfRecord(record)
    const breakerTrip = scope === EVERYTHING ? undefined : await findTrip(scope, nextTripAfter(record))
    return [personHalt, breakerTrip].filter((halt) => halt !== undefined)
  }

  async function findTrip(scope: string, trip: number): Promise<Halt | undefined> {
    const record = await store.read(recordKey.trip(scope, trip))
    if (record === undefined) return undefined
    const { by, because, at } = checkRecord(tripFields, record)
    return { scope, by, because, at, trip }
  }

  /** Removes the trip from the list. A trip that stays listed would be read, and found to be resumed. */
  async function unlist(scope: string, trip: number): Promise<void> {
    const pk = recordKey.trip(scope, trip)
    const known = await store.read(pk)
    if (known !== undefined) await putOver({ store, newId }, known, pk, { [LISTED_KEY]: undefined })
  }

  /** Keeps the version that is about to be replaced. Another writer of the same version has kept the same. */
  async function keepVersion(known: StoredRecord | undefined): Promise<void> {
    if (known === undefined) return
    await putRecord({ store, newId }, recordKey.pastHalt(scopeOfHalt(known.pk), known.version), { was: known })
  }

  return {
    async find(policy) {
      const scopes = [EVERYTHING, ...(policy === undefined ? [] : await namesOf(policy))]
      // Reads in parallel, because a quote that is about to be sent lives for five seconds.
      return (await Promise.all(scopes.map(findIn))).flat()[0]
    },

    findOf: findIn,

    async findFirstResume(halt, nowMs) {
      const record = await store.read(recordKey.halt(halt.scope))
      const { resuming } = record === undefined ? {} : checkRecord(haltFields, record)
      if (resuming === undefined || !resuming.halts.some((other) => isSame(halt, other))) return undefined
      const untilMs = Date.parse(resuming.at) + FIRST_WORD_MS
      if (nowMs >= untilMs) return undefined
      const { by, because, at } = resuming
      return { by, because, at, until: new Date(untilMs).toISOString() }
    },

    async halt({ scope, by, because, at, spoken }) {
      const pk = recordKey.halt(scope)
      // Nothing must keep people from halting. A halt overwrites the rest of the record, and concurrent changes too.
      for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
        const known = await store.read(pk)
        if (known !== undefined) assertFormat(known)
        // The log reports a version that is missing. A halt does not wait for it.
        await keepVersion(known).catch(() => undefined)
        const outcome = await putOver({ store, newId }, known, pk, {
          ...{ halted: true, by, because, at, spoken },
          // A person who asked to resume earlier did not know of this halt.
          resuming: undefined,
          // Listed as a halt while it is in force.
          [LISTED_KEY]: listing.halts,
          ...actKeys(at, pk),
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
      // A trip in force is enough. If a person resumed it meanwhile, that does not cover this run.
      if (outcome === 'stale' && (await next()) !== trip) throw new Transient(CHANGED)
    },

    async resume({ scope, by, because, at, spoken }, only) {
      const pk = recordKey.halt(scope)
      const known = await store.read(pk)
      const inForce = await readScope(scope, known)
      const meant = only ?? inForce
      if (!meant.every((halt) => inForce.some((other) => isSame(halt, other)))) throw new Transient(CHANGED)
      await keepVersion(known)
      if (resumedBy === ResumedBy.TwoPeople && !isSecondWord(known, { by, at }, meant)) {
        const halts = meant.map(({ scope: _scope, ...halt }) => halt)
        const outcome = await putOver({ store, newId }, known, pk, {
          ...(known === undefined && { halted: false, by, because, at, spoken }),
          resuming: { by, because, at, ...(spoken !== undefined && { spoken }), halts },
          ...actKeys(at, pk),
        })
        assertWritten(outcome, CHANGED)
        return { by, at, isLifted: false }
      }
      const trip = meant.find((halt) => halt.trip !== undefined)?.trip
      const isLifted = meant.some((halt) => halt.trip === undefined)
      const isStillHalted = !isLifted && inForce.some((halt) => halt.trip === undefined)
      const outcome = await putOver({ store, newId }, known, pk, {
        // An undefined attribute is left out of the record.
        ...(!isStillHalted && { halted: false, by, because, at, spoken, [LISTED_KEY]: undefined }),
        ...(trip !== undefined && { released: { trip, by, because, at, ...(spoken !== undefined && { spoken }) } }),
        resuming: undefined,
        ...actKeys(at, pk),
      })
      assertWritten(outcome, CHANGED)
      if (trip !== undefined) await unlist(scope, trip).catch(() => undefined)
      return { by, at, isLifted: true }
    },
  }
}

/** One sentence where the last act in the record is a resume without a signed request. @throws Transient, Defect */
export async function findUnheardResume(
  record: StoredRecord,
  store: Pick<RecordStore, 'read'>,
): Promise<string | undefined> {
  const act = switchActOf(record)
  // Without STS people can still halt, in a name that nobody verifies. A halt moves nothing.
  return act.did === 'halted' ? undefined : findUnheard(Verb.Resume, act, store)
}

/** Names the resumes without a signed request, of everything and of these policies. @throws Transient, Defect */
export async function findUnheardResumes(
  policies: readonly string[],
  store: Pick<RecordStore, 'read'>,
): Promise<readonly string[]> {
  const found = await mapBounded([EVERYTHING, ...policies], READS_AT_ONCE, async (scope) => {
    const record = await store.read(recordKey.halt(scope))
    const unheard = record && (await findUnheardResume(record, store))
    return unheard === undefined ? [] : [`${recordKey.halt(scope)}: ${unheard}`]
  })
  return found.flat()
}

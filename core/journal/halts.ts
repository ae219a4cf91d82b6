// The switch with which people stop sending. It is read right before every ARM: the one for everything, and the one of
// the policy on whose behalf something moves. It stops what is not sent yet, and settles no doubt.

import * as z from 'zod/mini'
import type { NewId } from '../clock.ts'
import { LISTED_KEY, listing, recordKey } from '../contract/records.ts'
import { Transient } from '../errors.ts'
import { assertFormat, checkRecord } from './record-format.ts'
import { assertWritten, putOver, type RecordStore, type StoredRecord } from './record-store.ts'

/** The scope that covers every policy. */
export const EVERYTHING = '*'

export interface Halt {
  readonly scope: string
  readonly by: string
  readonly because: string
  /** ISO-8601. */
  readonly at: string
}

export interface Halts {
  /** The halt in force for this policy, or for everything. @throws Transient */
  find(policy: string | undefined): Promise<Halt | undefined>
  /** The halt of this very scope: of everything, or of one policy. @throws Transient */
  findOf(scope: string): Promise<Halt | undefined>
  /** @throws Transient */
  halt(halt: Halt): Promise<void>
  /** `only`: the halt that is meant. @throws Transient, also where another one is in force by now */
  resume(resumed: Halt, only?: Halt): Promise<void>
}

/** What the record of a scope holds: who changed the switch last, and to what. */
const haltFields = z.object({ halted: z.boolean(), by: z.string(), because: z.string(), at: z.string() })

/** What a record says that is in force; undefined where sending was resumed. @throws Defect */
export function haltOfRecord(record: StoredRecord): Halt | undefined {
  const { halted, by, because, at } = checkRecord(haltFields, record)
  return halted ? { scope: record.pk.slice(recordKey.halt('').length), by, because, at } : undefined
}

/** One sentence for a run that waits. */
export function haltText({ by, at, because }: Halt): string {
  return `sending is halted by ${by} since ${at}: ${because}`
}

const CHANGED = 'somebody else changed the halt meanwhile; try again'

function isSame(one: Halt, other: Halt | undefined): boolean {
  return other !== undefined && one.at === other.at && one.by === other.by && one.because === other.because
}

export function createHalts(store: RecordStore, newId: NewId): Halts {
  async function findIn(scope: string): Promise<Halt | undefined> {
    const record = await store.read(recordKey.halt(scope))
    return record && haltOfRecord(record)
  }

  async function put({ scope, ...why }: Halt, halted: boolean, only?: Halt): Promise<void> {
    const pk = recordKey.halt(scope)
    const known = await store.read(pk)
    // What else it holds is written over: nothing is to keep people from halting.
    if (known !== undefined) assertFormat(known)
    if (only !== undefined && !isSame(only, known && haltOfRecord(known))) throw new Transient(CHANGED)
    // In the list of halts for as long as it is in force. The attribute is left out where it has no value.
    const listed = { [LISTED_KEY]: halted ? listing.halts : undefined }
    const outcome = await putOver({ store, newId }, known, pk, { ...listed, halted, ...why })
    assertWritten(outcome, CHANGED)
  }

  return {
    async find(policy) {
      // At once: a quote that is about to be sent lives for five seconds.
      const [everything, own] = await Promise.all([
        findIn(EVERYTHING),
        policy === undefined ? undefined : findIn(policy),
      ])
      return everything ?? own
    },
    findOf: findIn,
    halt: (halt) => put(halt, true),
    resume: (resumed, only) => put(resumed, false, only),
  }
}

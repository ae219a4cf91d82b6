// The journal keeps what is needed so that an intent moves money at most once. This file owns the conditional writes behind
// each move of an intent, the claims on movements, and what people declared about them. It decides nothing.
import * as z from 'zod/mini'
import type { NewId } from '../clock.ts'
import {
  findIntentName,
  IntentKind,
  IntentState,
  LISTED_KEY,
  listing,
  RECORD_FORMAT,
  recordKey,
} from '../contract/records.ts'
import { Defect, Refused, Transient } from '../errors.ts'
import { hashParams } from '../params-hash.ts'
import type { Intent, IntentOf, Resolution } from './intent.ts'
import { fieldsOfIntent, intentOfRecord } from './intent-record.ts'
import type { Move } from './moves.ts'
import { checkRecord } from './record-format.ts'
import { putRecord, type RecordStore, type RecordWriter, type StoredRecord } from './record-store.ts'
import { actKeys } from './request-keys.ts'

/** Fields of a new intent. The journal sets state, version and attempt number. */
export interface NewIntent<Kind extends IntentKind = IntentKind>
  extends Pick<Intent, 'intentId' | 'createdAt' | 'notAfter'> {
  readonly kind: Kind
  readonly params: unknown
  readonly frozen: IntentOf<Kind>['frozen']
}

/** Who decided, why, and when (ISO-8601). */
export interface PersonsDecision {
  readonly by: string
  readonly because: string
  readonly at: string
  /** The key of the record of the person's signed request. Absent at a desk. */
  readonly spoken?: string | undefined
}

export interface FindIntent {
  find(intentId: string, kind: IntentKind): Promise<Intent | undefined>
}

export interface Journal {
  /**
   * @throws Defect where its record does not fit.
   * @throws Transient
   */
  find<Kind extends IntentKind>(intentId: string, kind: Kind): Promise<IntentOf<Kind> | undefined>
  /**
   * Puts the intent READY, or directly at `end`. An existing intent is returned unchanged.
   * @throws Refused when its id has other params.
   * @throws Transient, Defect
   * @throws TypeError where it is neither created nor there, which is a bug
   */
  open<Kind extends IntentKind>(
    intent: NewIntent<Kind>,
    end?: Pick<Move, 'state' | 'outcome' | 'why' | 'guardedBy'>,
  ): Promise<IntentOf<Kind>>
  /**
   * Applies a move to exactly the version of `intent`.
   * @throws Transient when somebody else moved it first, or when that is uncertain: the step must be entered again, and
   * read
   */
  advance<Kind extends Intent>(intent: Kind, move: Move): Promise<Kind>
  /**
   * Ties a movement to this intent for good. `undefined` when it is tied, now or before; otherwise the intent that
   * holds it.
   * @throws Transient, Defect
   */
  claim(kind: IntentKind, movementId: string, intentId: string): Promise<string | undefined>
  /** The intent that holds a movement, or FOREIGN, or undefined. @throws Transient, Defect */
  findClaim(kind: IntentKind, movementId: string): Promise<string | undefined>
  /**
   * Keeps a person's statement about an intent in doubt, for the log of people. The intent's own record decides.
   * @throws Transient
   */
  keepResolution(intent: Pick<Intent, 'kind' | 'intentId'>, resolution: Resolution): Promise<void>
  /** Records a person's declaration that a movement is foreign. The first declaration stays. @throws Transient */
  keepForeign(kind: IntentKind, movementId: string, declaration: PersonsDecision): Promise<void>
  /** A person's declaration that a movement is foreign, if any. @throws Transient, Defect */
  findForeign(kind: IntentKind, movementId: string): Promise<PersonsDecision | undefined>
}

export function createJournal(store: RecordStore, newId: NewId): Journal {
  const writer: RecordWriter = { store, newId }

  async function find<Kind extends IntentKind>(intentId: string, kind: Kind): Promise<IntentOf<Kind> | undefined> {
    const record = await store.read(recordKey.intent(kind, intentId))
    return record && intentOfRecord(record, kind)
  }

  return {
    find,

    async open<Kind extends IntentKind>(request: NewIntent<Kind>, end: Move = {}): Promise<IntentOf<Kind>> {
      const pk = recordKey.intent(request.kind, request.intentId)
      const opened = { paramsHash: hashParams(request.params), state: IntentState.Ready, attemptNumber: 1 }
      const record = { ...request, ...opened, ...end, pk, version: 1, format: RECORD_FORMAT, stamp: '' }
      const fresh = intentOfRecord<Kind>(record, request.kind)
      const outcome = await putRecord(writer, pk, fieldsOfIntent(fresh))
      if (outcome === 'written') return fresh
      const stored = await find(request.intentId, request.kind)
      if (!stored) throw new TypeError(`intent ${request.intentId} could neither be created nor read`)
      assertSameParams(stored, request.params)
      return stored
    },

    async advance<Kind extends Intent>(intent: Kind, move: Move): Promise<Kind> {
      const moved: Kind = { ...intent, ...move, version: intent.version + 1 }
      const pk = recordKey.intent(intent.kind, intent.intentId)
      const outcome = await putRecord(writer, pk, fieldsOfIntent(moved), intent.version)
      if (outcome === 'written') return moved
      throw new Transient(`another execution moved intent ${intent.intentId} meanwhile`)
    },

    async claim(kind, movementId, intentId) {
      const pk = recordKey.claim(kind, movementId)
      const outcome = await putRecord(writer, pk, { intentId })
      if (outcome === 'written') return undefined
      const claim = await store.read(pk)
      const holder = claim && holderOf(claim)
      return holder === intentId ? undefined : String(holder)
    },

    async findClaim(kind, movementId) {
      const claim = await store.read(recordKey.claim(kind, movementId))
      return claim && holderOf(claim)
    },

    async keepForeign(kind, movementId, declaration) {
      const { by, because, at, spoken } = declaration
      const listed = { [LISTED_KEY]: listing.foreignOn(at.slice(0, DAY_LENGTH)) }
      const pk = recordKey.foreign(kind, movementId)
      await putRecord(writer, pk, { by, because, at, spoken, ...listed, ...actKeys(at, pk) })
    },

    async keepResolution({ kind, intentId }, { at, ...resolution }) {
      const pk = recordKey.resolved(kind, intentId, at)
      await putRecord(writer, pk, { at, ...resolution, ...actKeys(at, pk) })
    },

    async findForeign(kind, movementId) {
      const declaration = await store.read(recordKey.foreign(kind, movementId))
      if (declaration === undefined) return undefined
      const { by, because, at, spoken } = checkRecord(declarationFields, declaration)
      return { by, because, at, spoken }
    },
  }
}

const DAY_LENGTH = 'YYYY-MM-DD'.length

/**
 * Finds an intent by its name in a budget, a floor or the index.
 * @throws Defect for another text.
 * @throws Transient
 */
export function findNamed(journal: FindIntent, name: string): Promise<Intent | undefined> {
  const named = findIntentName(name)
  if (named === undefined) throw new Defect(`${name} is not the name of an intent`)
  return journal.find(named.intentId, named.kind)
}

/** Finds the intents with an id that a person gave: each kind may have one. @throws Defect, Transient */
export async function findOfEitherKind(journal: FindIntent, intentId: string): Promise<readonly Intent[]> {
  const found = await Promise.all(Object.values(IntentKind).map((kind) => journal.find(intentId, kind)))
  return found.filter((intent) => intent !== undefined)
}

const claimFields = z.object({ intentId: z.string() })
const declarationFields = z.object({
  by: z.string(),
  because: z.string(),
  at: z.string(),
  spoken: z.optional(z.string()),
})

function holderOf(claim: StoredRecord): string {
  return checkRecord(claimFields, claim).intentId
}

/** @throws Refused when an intent is requested again with other params */
export function assertSameParams(stored: Intent, params: unknown): void {
  if (hasParams(stored, params)) return
  throw new Refused(otherParamsText(stored.intentId))
}

export function otherParamsText(intentId: string): string {
  return `intent ${intentId} was already asked for with other parameters; first look at what became of it, because a new id would move money again`
}

export function hasParams(stored: Intent, params: unknown): boolean {
  return stored.paramsHash === hashParams(params)
}

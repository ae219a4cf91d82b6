// The journal remembers what is needed so that an intent moves money at most once. This file owns the conditional
// writes behind each move of an intent, and the claims on movements. It decides nothing.
import * as z from 'zod/mini'
import type { NewId } from '../clock.ts'
import { FOREIGN, FOREIGN_OF_EITHER_KIND, type IntentKind, IntentState, recordKey } from '../contract/records.ts'
import { Refused, Transient } from '../errors.ts'
import { hashParams } from '../params-hash.ts'
import { type Intent, type IntentOf, ofKind } from './intent.ts'
import { fieldsOfIntent, intentOfRecord } from './intent-record.ts'
import type { Move } from './moves.ts'
import { checkRecord } from './record-format.ts'
import { putRecord, type RecordStore, type RecordWriter, type StoredRecord } from './record-store.ts'

/** What a new intent needs; state, version and attempt number are the journal's. */
export interface NewIntent<Kind extends IntentKind = IntentKind>
  extends Pick<Intent, 'intentId' | 'createdAt' | 'notAfter'> {
  readonly kind: Kind
  readonly params: unknown
  readonly frozen: IntentOf<Kind>['frozen']
}

/** Who decided, why, and when (ISO-8601). */
export interface PersonsWord {
  readonly by: string
  readonly because: string
  readonly at: string
}

/** What is asked after intents of either kind. */
export interface FindIntent {
  find(intentId: string): Promise<Intent | undefined>
}

export interface Journal {
  /** `kind`: where it must be of that. @throws Defect where it is not, or its record does not fit. @throws Transient */
  find<Kind extends IntentKind = IntentKind>(intentId: string, kind?: Kind): Promise<IntentOf<Kind> | undefined>
  /**
   * Puts the intent READY, or at `end` at once, or returns what is there already.
   * @throws Refused when the same id was used for other params. @throws Transient
   * @throws Defect for one that could not be read again: nothing is written then
   */
  open<Kind extends IntentKind>(
    intent: NewIntent<Kind>,
    end?: Pick<Move, 'state' | 'outcome' | 'why' | 'guardedBy'>,
  ): Promise<IntentOf<Kind>>
  /**
   * Applies a move to exactly the version that `intent` was read at. @throws Transient when somebody
   * else moved it first, or when that is not certain: the step must be entered again, and read.
   */
  advance<Kind extends Intent>(intent: Kind, move: Move): Promise<Kind>
  /**
   * Ties a movement of a kind to this intent, for good. `undefined` when tied (now or before), else the
   * intent that holds it. `word`: of the person who says so. @throws Transient
   */
  claim(kind: IntentKind, movementId: string, intentId: string, word?: PersonsWord): Promise<string | undefined>
  /** The intent that holds a movement, FOREIGN or FOREIGN_OF_EITHER_KIND, if any. @throws Transient */
  findClaim(kind: IntentKind, movementId: string): Promise<string | undefined>
}

export function createJournal(store: RecordStore, newId: NewId): Journal {
  const writer: RecordWriter = { store, newId }

  async function find<Kind extends IntentKind = IntentKind>(
    intentId: string,
    kind?: Kind,
  ): Promise<IntentOf<Kind> | undefined> {
    const record = await store.read(recordKey.intent(intentId))
    return record && intentOfRecord(record, kind)
  }

  /** A claim from before claims had a kind counts for the kind of its holder: ids of the other kind may be the same. */
  async function findClaimWithoutKind(kind: IntentKind, movementId: string): Promise<string | undefined> {
    const claim = await store.read(recordKey.claimWithoutKind(movementId))
    if (claim === undefined) return undefined
    const holder = holderOf(claim)
    if (holder === FOREIGN) return FOREIGN_OF_EITHER_KIND
    return (await find(holder))?.kind === kind ? holder : undefined
  }

  return {
    find,

    async open<Kind extends IntentKind>(request: NewIntent<Kind>, end: Move = {}): Promise<IntentOf<Kind>> {
      const pk = recordKey.intent(request.intentId)
      const opened = { paramsHash: hashParams(request.params), state: IntentState.Ready, attemptNumber: 1 }
      const fresh = intentOfRecord<Kind>({ ...request, ...opened, ...end, pk, version: 1, stamp: '' })
      const outcome = await putRecord(writer, pk, fieldsOfIntent(fresh))
      if (outcome === 'written') return fresh
      const stored = await find(request.intentId)
      if (!stored) throw new TypeError(`intent ${request.intentId} is neither absent nor there`)
      assertSameParams(stored, request.params)
      return ofKind(stored, request.kind)
    },

    async advance<Kind extends Intent>(intent: Kind, move: Move): Promise<Kind> {
      const moved: Kind = { ...intent, ...move, version: intent.version + 1 }
      const outcome = await putRecord(writer, recordKey.intent(intent.intentId), fieldsOfIntent(moved), intent.version)
      if (outcome === 'written') return moved
      throw new Transient(`another execution moved intent ${intent.intentId} meanwhile`)
    },

    async claim(kind, movementId, intentId, word) {
      const former = await findClaimWithoutKind(kind, movementId)
      // A person's old word may have meant the movement of the other kind, and binds nobody who now knows of this one.
      const isBound = former !== undefined && former !== FOREIGN_OF_EITHER_KIND && former !== intentId
      if (isBound) return former
      const pk = recordKey.claim(kind, movementId)
      const outcome = await putRecord(writer, pk, { intentId, ...word })
      if (outcome === 'written') return undefined
      const claim = await store.read(pk)
      const holder = claim && holderOf(claim)
      return holder === intentId ? undefined : String(holder)
    },

    async findClaim(kind, movementId) {
      const claim = await store.read(recordKey.claim(kind, movementId))
      return claim === undefined ? findClaimWithoutKind(kind, movementId) : holderOf(claim)
    },
  }
}

const claimFields = z.object({ intentId: z.string() })

function holderOf(claim: StoredRecord): string {
  return checkRecord(claimFields, claim).intentId
}

/** @throws Refused when an intent is asked for again with other params. */
export function assertSameParams(stored: Intent, params: unknown): void {
  if (hasParams(stored, params)) return
  throw new Refused(otherParamsText(stored.intentId))
}

export function otherParamsText(intentId: string): string {
  return `intent ${intentId} was already asked for with other parameters; look first at what became of it: another id moves money again`
}

export function hasParams(stored: Intent, params: unknown): boolean {
  return stored.paramsHash === hashParams(params)
}

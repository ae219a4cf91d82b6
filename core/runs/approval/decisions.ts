// People's decisions on plans that wait: `D#<run>#<plan hash>`, a list that only grows. No step of a run may write it, so no
// function can approve its own plan. Another plan of the run has another record, without decisions. An approval says whether it
// needs a second person's, because of what this person alone approved before (alone.ts).
import * as z from 'zod/mini'
import type { NewId } from '../../clock.ts'
import { isSamePerson } from '../../contract/person.ts'
import { type IntentKind, intentName, recordKey } from '../../contract/records.ts'
import { Refused } from '../../errors.ts'
import { checkRecord } from '../../journal/record-format.ts'
import { assertWritten, putRecord, type RecordStore, type StoredRecord } from '../../journal/record-store.ts'
import { actKeys } from '../../journal/request-keys.ts'
import { type AloneTerms, type Approved, countAlone, findWhySecond } from './alone.ts'
import type { Decision } from './standing.ts'

const word = z.object({
  decision: z.enum(['approved', 'rejected']),
  by: z.string(),
  because: z.string(),
  at: z.string(),
  secondBecause: z.optional(z.string()),
})
export const decisionFields = z.object({ words: z.readonly(z.array(word)) })

/** Maximum number of people who decide on one plan. */
const MOST_WORDS = 20

/** Takes the place of a plan's hash: the record shows that people decided on some plan of the run. */
export const ANY_PLAN = 'any'

/** One movement, with the hash of the terms that people decide on. */
export interface MovementTerms {
  readonly kind: IntentKind
  readonly intentId: string
  readonly termsHash: string
}

export interface Decisions {
  /** Decisions in the order in which they came. @throws Transient, Defect */
  find(runId: string, planHash: string): Promise<readonly Decision[]>
  findOfMovement(movement: MovementTerms): Promise<readonly Decision[]>
  /** Whether anybody has decided on a plan of the run, whatever the run's record says now. @throws Transient */
  hasAny(runId: string): Promise<boolean>
  /**
   * Adds a decision and returns all of them. The same decision of the same person is kept once. `alone`: present for an
   * approval that one person may give alone, up to a sum a day.
   * @throws Transient where another decision came first
   */
  add(runId: string, planHash: string, word: Decision, alone?: AloneTerms): Promise<readonly Decision[]>
  addOfMovement(movement: MovementTerms, word: Decision, alone?: AloneTerms): Promise<readonly Decision[]>
  /** One sentence on why an approval by this person would need another person's. Reads only. @throws Transient, Defect */
  findWhySecond(
    runId: string,
    planHash: string,
    who: Pick<Decision, 'by' | 'at'>,
    alone: AloneTerms,
  ): Promise<string | undefined>
}

type DecisionReader = Pick<Decisions, 'find' | 'findOfMovement' | 'hasAny'>

export function createDecisionReader(store: Pick<RecordStore, 'read'>): DecisionReader {
  return {
    find: async (runId, planHash) => decisionsIn(await store.read(recordKey.decisions(runId, planHash))),
    findOfMovement: async (movement) => decisionsIn(await store.read(keyOf(movement))),
    hasAny: async (runId) => (await store.read(recordKey.decisions(runId, ANY_PLAN))) !== undefined,
  }
}

function keyOf({ kind, intentId, termsHash }: MovementTerms): string {
  return recordKey.movementDecisions(kind, intentId, termsHash)
}

/** @throws Defect for a record with wrong fields */
export function decisionsIn(record: StoredRecord | undefined): readonly Decision[] {
  return record ? checkRecord(decisionFields, record).words : []
}

export function createDecisions(store: RecordStore, newId: NewId): Decisions {
  const writer = { store, newId }

  /** `pk`: key of the record. `subject`: the approved plan or movement, as the person's own record names it. */
  async function addTo(
    pk: string,
    subject: Approved,
    { decision, by, because, at }: Decision,
    alone: AloneTerms | undefined,
  ): Promise<readonly Decision[]> {
    const record = await store.read(pk)
    const words = decisionsIn(record)
    const isRecorded = words.some((known) => known.decision === decision && isSamePerson(known.by, by))
    if (isRecorded) return words
    if (words.length >= MOST_WORDS) throw new Refused(`${MOST_WORDS} people have decided on this; no more can`)
    // Counted before the decision is written: a crash in between counts too much, and never too little.
    const secondBecause = alone && (await countAlone(subject, { by, at }, alone, writer))
    const all = [...words, { decision, by, because, at, ...(secondBecause !== undefined && { secondBecause }) }]
    const outcome = await putRecord(writer, pk, { words: all, ...actKeys(at, pk) }, record?.version)
    assertWritten(outcome, 'somebody else decided on this meanwhile; look again')
    return all
  }

  return {
    ...createDecisionReader(store),

    findWhySecond: (runId, planHash, who, alone) => findWhySecond([runId, planHash], who, alone, { store }),

    async add(runId, planHash, word, alone) {
      // Written first: otherwise a run's record without an approval could hide the decision.
      await putRecord(writer, recordKey.decisions(runId, ANY_PLAN), {})
      return addTo(recordKey.decisions(runId, planHash), [runId, planHash], word, alone)
    },

    addOfMovement: (movement, word, alone) =>
      addTo(keyOf(movement), [intentName(movement.kind, movement.intentId), movement.termsHash], word, alone),
  }
}

// People's decisions on plans that wait: `D#<run>#<plan hash>`, a list that only grows. No step of a run may write it, so no
// function can approve its own plan. Another plan of the run has another record, without decisions. An approval says whether it
// needs a second person's, because of what this person alone approved before (alone.ts). Everything that counts decisions reads
// them here: a decision counts only together with the record of its request, and with the signature of the key of decisions.
import type { KeyObject } from 'node:crypto'
import * as z from 'zod/mini'
import { mapBounded, READS_AT_ONCE } from '../../bounded.ts'
import type { NewId } from '../../clock.ts'
import { isSamePerson } from '../../contract/person.ts'
import { ALONE, IntentKind, intentName, recordKey } from '../../contract/records.ts'
import { Verb } from '../../contract/states.ts'
import { Refused } from '../../errors.ts'
import { createAcceptedRequests, DESK, isOfSpeaker, isSpokenTo, unheardText } from '../../journal/accepted-requests.ts'
import { checkRecord } from '../../journal/record-format.ts'
import { assertWritten, putRecord, type RecordStore, type StoredRecord } from '../../journal/record-store.ts'
import { actKeys } from '../../journal/request-keys.ts'
import { type AloneTerms, type Approved, countAlone, findWhySecond } from './alone.ts'
import { type DecisionKey, type DecisionVerifier, isSignedBy, type Subject, signDecision } from './signed-decision.ts'
import type { Decision } from './standing.ts'

const word = z.object({
  decision: z.enum(['approved', 'rejected']),
  by: z.string(),
  because: z.string(),
  at: z.string(),
  secondBecause: z.optional(z.string()),
  spoken: z.optional(z.string()),
  signed: z.optional(z.string()),
})
export const decisionFields = z.object({ words: z.readonly(z.array(word)) })

/** Maximum decisions that count for one plan. */
const MOST_WORDS = 20
/** Maximum decisions read of one record, with those that do not count: the request of each is read. */
const MOST_READ = 100

/** Takes the place of a plan's hash: the record shows that people decided on some plan of the run. */
export const ANY_PLAN = 'any'

/** One movement, with the hash of the terms that people decide on. */
interface MovementTerms {
  readonly kind: IntentKind
  readonly intentId: string
  readonly termsHash: string
}

export interface Decisions {
  /** Decisions that count, in the order in which they came. @throws Transient, Defect */
  find(runId: string, planHash: string): Promise<readonly Decision[]>
  findOfMovement(movement: MovementTerms): Promise<readonly Decision[]>
  /** Whether anybody has decided on a plan of the run, whatever the run's record says now. @throws Transient */
  hasAny(runId: string): Promise<boolean>
  /**
   * Adds a decision and returns all that count. The same decision of the same person is kept once. Without `spoken`, which
   * names a signed request, the record of a request at a desk is written. `alone`: present for an approval that one person
   * may give alone, up to a sum a day.
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

export function createDecisionReader(store: Pick<RecordStore, 'read'>, key: DecisionVerifier): DecisionReader {
  const find = async (subject: Subject) => countedIn(await store.read(keyOf(subject)), subject, store, key)
  return {
    find: (run, planHash) => find({ run, planHash }),
    findOfMovement: (movement) => find(subjectOf(movement)),
    hasAny: async (runId) => (await store.read(recordKey.decisions(runId, ANY_PLAN))) !== undefined,
  }
}

/** The decisions in the record that count. Reads the key only where one may count. @throws Transient, KeyFault, Defect */
async function countedIn(
  record: StoredRecord | undefined,
  subject: Subject,
  store: Pick<RecordStore, 'read'>,
  key: DecisionVerifier,
): Promise<readonly Decision[]> {
  const heard = heardWords(record, await readRequests(record, store), subject)
  return heard.length === 0 ? [] : signedOnly(heard, subject, await key.publicKey())
}

type RequestUnder = (key: string) => StoredRecord | undefined

async function readRequests(record: StoredRecord | undefined, store: Pick<RecordStore, 'read'>): Promise<RequestUnder> {
  const keys = requestsOf(record)
  const requests = await mapBounded(keys, READS_AT_ONCE, (each) => store.read(each))
  return (each) => requests[keys.indexOf(each)]
}

/** One sentence where a decision in the record has no request, or no signature of the key. @throws Transient, KeyFault, Defect */
export async function findUnheardDecision(
  record: StoredRecord | undefined,
  store: Pick<RecordStore, 'read'>,
  key: DecisionVerifier,
): Promise<string | undefined> {
  const subject = record && subjectIn(record.pk)
  if (subject === undefined) return undefined
  const heard = heardWords(record, await readRequests(record, store), subject)
  const unheard = decisionsIn(record).find((word) => !heard.includes(word))
  if (unheard !== undefined) return unheardText(unheard)
  const counted = heard.length === 0 ? [] : signedOnly(heard, subject, await key.publicKey())
  const unsigned = heard.find((word) => !counted.includes(word))
  return (
    unsigned && `the key of decisions has not signed what was written in the name of ${unsigned.by} at ${unsigned.at}`
  )
}

/** Undefined for a record without decisions. */
function subjectIn(pk: string): Subject | undefined {
  const [, first = '', second = '', third] = pk.split('#')
  const kind = Object.values(IntentKind).find((each) => each === first)
  if (kind !== undefined && third !== undefined) return { kind, intent: second, termsHash: third }
  return second === ANY_PLAN || first === ALONE ? undefined : { run: first, planHash: second }
}

/** The keys of the records of requests that the decisions in the record name. @throws Defect */
export function requestsOf(record: StoredRecord | undefined): readonly string[] {
  return decisionsIn(record).flatMap(({ spoken }) => (isSpokenTo(Verb.Decide, spoken) ? [spoken] : []))
}

/**
 * The decisions in the record that count: the request for exactly this decision was accepted, and the key signed the
 * decision. Pure. @throws Defect
 */
export function countedWords(
  record: StoredRecord | undefined,
  requestUnder: RequestUnder,
  subject: Subject,
  key: KeyObject,
): readonly Decision[] {
  return signedOnly(heardWords(record, requestUnder, subject), subject, key)
}

function signedOnly(words: readonly Decision[], subject: Subject, key: KeyObject): readonly Decision[] {
  return words.filter((word) => isSignedBy(key, word, subject))
}

function heardWords(
  record: StoredRecord | undefined,
  requestUnder: RequestUnder,
  subject: Subject,
): readonly Decision[] {
  return decisionsIn(record).filter((word) => {
    const { decision, because, spoken } = word
    if (!isSpokenTo(Verb.Decide, spoken)) return false
    return isOfSpeaker(requestUnder(spoken), word, { decision, because, ...subject })
  })
}

function subjectOf({ kind, intentId: intent, termsHash }: MovementTerms): Subject {
  return { kind, intent, termsHash }
}

function keyOf(subject: Subject): string {
  if ('run' in subject) return recordKey.decisions(subject.run, subject.planHash)
  return recordKey.movementDecisions(subject.kind, subject.intent, subject.termsHash)
}

/** The first decisions in the record, whether or not they count. @throws Defect for a record with wrong fields */
export function decisionsIn(record: StoredRecord | undefined): readonly Decision[] {
  return record ? checkRecord(decisionFields, record).words.slice(0, MOST_READ) : []
}

export function createDecisions(store: RecordStore, newId: NewId, key: DecisionKey): Decisions {
  const writer = { store, newId }
  const accept = createAcceptedRequests(store, newId)

  /** `named`: the approved plan or movement, as the person's own record names it. */
  async function addTo(
    subject: Subject,
    named: Approved,
    { decision, by, because, at, spoken }: Decision,
    alone: AloneTerms | undefined,
  ): Promise<readonly Decision[]> {
    const pk = keyOf(subject)
    const record = await store.read(pk)
    const words = decisionsIn(record)
    const counted = await countedIn(record, subject, store, key)
    const isRecorded = counted.some((known) => known.decision === decision && isSamePerson(known.by, by))
    if (isRecorded) return counted
    // A copy of a decision has the same request.
    if (new Set(counted.map((known) => known.spoken)).size >= MOST_WORDS)
      throw new Refused(`${MOST_WORDS} people have decided on this; no more can`)
    if (words.length >= MOST_READ)
      throw new Refused(
        `${MOST_READ} decisions are written on this, of which ${counted.length} by people: somebody else wrote the others; ask for it under another id`,
      )
    // Counted before the decision is written: a crash in between counts too much, and never too little.
    const secondBecause = alone && (await countAlone(named, { by, at }, alone, writer))
    const request = { decision, because, ...subject }
    const heard = spoken ?? (await accept(Verb.Decide, { id: newId(), by, to: DESK, at, request }))
    const second = secondBecause !== undefined && { secondBecause }
    const word = await signDecision({ decision, by, because, at, ...second, spoken: heard }, subject, key)
    const outcome = await putRecord(writer, pk, { words: [...words, word], ...actKeys(at, pk) }, record?.version)
    assertWritten(outcome, 'somebody else decided on this meanwhile; look again')
    return [...counted, word]
  }

  return {
    ...createDecisionReader(store, key),

    findWhySecond: (runId, planHash, who, alone) => findWhySecond([runId, planHash], who, alone, { store }),

    async add(run, planHash, word, alone) {
      // Written first: otherwise a run's record without an approval could hide the decision.
      await putRecord(writer, recordKey.decisions(run, ANY_PLAN), {})
      return addTo({ run, planHash }, [run, planHash], word, alone)
    },

    addOfMovement(movement, word, alone) {
      const named = [intentName(movement.kind, movement.intentId), movement.termsHash] as const
      return addTo(subjectOf(movement), named, word, alone)
    },
  }
}

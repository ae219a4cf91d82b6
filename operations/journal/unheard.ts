// Finds a statement of a person in a record that no signed request of that person proves. Reads only.
import * as z from 'zod/mini'
import { Verb } from '../../core/contract/states.ts'
import { findUnheard } from '../../core/journal/accepted-requests.ts'
import { findUnheardResume, pastHaltIn } from '../../core/journal/halts.ts'
import { checkRecord } from '../../core/journal/record-format.ts'
import type { RecordStore, StoredRecord } from '../../core/journal/record-store.ts'
import { findUnheardDecision } from '../../core/runs/approval/decisions.ts'
import type { DecisionVerifier } from '../../core/runs/approval/signed-decision.ts'

const statement = z.object({ by: z.string(), at: z.string(), spoken: z.optional(z.string()) })

/** By the beginning of the key: the function that records such statements. */
const STATEMENTS = { 'O#': Verb.DeclareForeign, 'Y#resolved#': Verb.Resolve, 'Y#released#': Verb.Release } as const

/** One sentence; undefined where each word has its request, or nobody decided anything. @throws Transient, Defect */
export async function findUnheardIn(
  record: StoredRecord,
  store: Pick<RecordStore, 'read'>,
  key: DecisionVerifier,
): Promise<string | undefined> {
  const { pk } = record
  if (pk.startsWith('D#')) return findUnheardDecision(record, store, key)
  // An earlier version stands under the key with its number.
  if (pk.startsWith('H#')) return findUnheardResume(pk.split('#').length > 2 ? pastHaltIn(record) : record, store)
  const [, verb] = Object.entries(STATEMENTS).find(([start]) => pk.startsWith(start)) ?? []
  return verb && findUnheard(verb, checkRecord(statement, record), store)
}

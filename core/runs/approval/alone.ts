// How much one person alone approved in the last 24 hours, of all policies that ask for a second person above some value:
// `D#(alone)#<person>`, written before the word that counts. Nothing is taken out before its day is over: what was approved
// counts, whatever became of it. No step of a run may write it.
import * as z from 'zod/mini'
import { personOf } from '../../contract/person.ts'
import { recordKey } from '../../contract/records.ts'
import { Transient } from '../../errors.ts'
import { checkRecord } from '../../journal/record-format.ts'
import { putOver, type RecordWriter, type StoredRecord } from '../../journal/record-store.ts'
import { formatDecimal, parseDecimal, plus, sumOf } from '../../money/decimal.ts'
import type { Word } from './standing.ts'

const DAY_MS = 86_400_000
/** Entries of one person's record. */
const MOST_ENTRIES = 100
/** Approvals of one person at the same moment. */
const MOST_TRIES = 20

const entry = z.object({ of: z.string(), at: z.string(), value: z.string(), asset: z.string() })
type Entry = z.infer<typeof entry>
const aloneFields = z.object({ approved: z.readonly(z.array(entry)) })

/** A person's yes, as far as this person alone may give it. */
export interface AloneTerms {
  /** The value that the plan gives up. */
  readonly value: string
  /** The asset in which `value` and `twoAbove` are. */
  readonly asset: string
  /** Above so much of one person alone, another person must approve too. */
  readonly twoAbove: string
}

/** What is approved: the run, and the hash of its plan. */
export type Approved = readonly [runId: string, planHash: string]

/** One sentence where this person's yes would need another person's; undefined where it does not. @throws Transient, Defect */
export async function findWhySecond(
  [runId, planHash]: Approved,
  { by, at }: Pick<Word, 'by' | 'at'>,
  terms: AloneTerms,
  { store }: { readonly store: Pick<RecordWriter['store'], 'read'> },
): Promise<string | undefined> {
  const others = othersIn(await store.read(keyOf(by)), `${runId} ${planHash}`, at)
  return whySecond(others, by, terms)
}

/** The same, and counts this approval where it needs nobody else's. @throws Transient, Defect */
export async function countAlone(
  [runId, planHash]: Approved,
  { by, at }: Pick<Word, 'by' | 'at'>,
  terms: AloneTerms,
  writer: RecordWriter,
): Promise<string | undefined> {
  const { value, asset } = terms
  const own = `${runId} ${planHash}`
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const known = await writer.store.read(keyOf(by))
    const others = othersIn(known, own, at)
    const why = whySecond(others, by, terms)
    if (why !== undefined) return why
    const approved = [...others, { of: own, at, value, asset }]
    if ((await putOver(writer, known, keyOf(by), { approved })) === 'written') return undefined
  }
  throw new Transient('this person approved other plans meanwhile; look again')
}

function whySecond(others: readonly Entry[], by: string, { value, asset, twoAbove }: AloneTerms): string | undefined {
  if (others.length >= MOST_ENTRIES) return `${by} alone approved ${others.length} times in the last 24 hours`
  const foreign = others.find((each) => each.asset !== asset)
  if (foreign !== undefined)
    return `${value} ${asset} cannot be added to the ${foreign.value} ${foreign.asset} that ${by} alone approved in the last 24 hours`
  const before = sumOf(others.map((each) => parseDecimal(each.value, 'value')))
  if (plus(before, parseDecimal(value, 'value')) <= parseDecimal(twoAbove, 'approval.twoAbove')) return undefined
  return `${by} alone approved ${formatDecimal(before)} ${asset} in the last 24 hours, and with these ${value} it is more than ${twoAbove}`
}

/** Those of the last 24 hours, and of a time to come by the clock of now. */
function othersIn(record: StoredRecord | undefined, own: string, at: string): readonly Entry[] {
  const { approved } = record === undefined ? { approved: [] } : checkRecord(aloneFields, record)
  return approved.filter((each) => each.of !== own && Date.parse(each.at) > Date.parse(at) - DAY_MS)
}

function keyOf(by: string): string {
  return recordKey.approvedAlone(personOf(by))
}

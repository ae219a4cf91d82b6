// Counts how much one person alone approved in the last 24 hours, over all policies and guards that need a second person above
// some value. The record is `D#(alone)#<person>`, written before the approval that it counts. An entry stays for a day,
// whatever became of the approved run. No step of a run may write it.
import * as z from 'zod/mini'
import { personOf } from '../../contract/person.ts'
import { recordKey } from '../../contract/records.ts'
import { Transient } from '../../errors.ts'
import { checkRecord } from '../../journal/record-format.ts'
import { putOver, type RecordWriter, type StoredRecord } from '../../journal/record-store.ts'
import { formatDecimal, parseDecimal, plus, sumOf } from '../../money/decimal.ts'
import type { Decision } from './standing.ts'

const DAY_MS = 86_400_000
/** Maximum entries in one person's record. */
const MOST_ENTRIES = 100
/** Maximum tries of a write, when one person approves several plans at the same moment. */
const MOST_TRIES = 20

const entry = z.object({ of: z.string(), at: z.string(), value: z.string(), asset: z.string() })
type Entry = z.infer<typeof entry>
const aloneFields = z.object({ approved: z.readonly(z.array(entry)) })

export interface AloneTerms {
  /** The value that the plan sells and withdraws. */
  readonly value: string
  /** The asset of `value` and `twoAbove`. */
  readonly asset: string
  /** Above this sum of approvals in a day by one person alone, another person must approve too. */
  readonly twoAbove: string
}

export type Approved = readonly [runId: string, planHash: string]

/** One sentence on why this person's approval needs another person's; undefined where it does not. @throws Transient, Defect */
export async function findWhySecond(
  [runId, planHash]: Approved,
  { by, at }: Pick<Decision, 'by' | 'at'>,
  terms: AloneTerms,
  { store }: { readonly store: Pick<RecordWriter['store'], 'read'> },
): Promise<string | undefined> {
  const others = othersIn(await store.read(keyOf(by)), `${runId} ${planHash}`, at)
  return whySecond(others, by, terms)
}

/** Returns the same sentence as `findWhySecond`, or else counts the approval. @throws Transient, Defect */
export async function countAlone(
  [runId, planHash]: Approved,
  { by, at }: Pick<Decision, 'by' | 'at'>,
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
  const otherAsset = others.find((each) => each.asset !== asset)
  if (otherAsset !== undefined)
    return `${value} ${asset} cannot be added to the ${otherAsset.value} ${otherAsset.asset} that ${by} alone approved in the last 24 hours`
  const before = sumOf(others.map((each) => parseDecimal(each.value, 'value')))
  if (plus(before, parseDecimal(value, 'value')) <= parseDecimal(twoAbove, 'approval.twoAbove')) return undefined
  return `${by} alone approved ${formatDecimal(before)} ${asset} in the last 24 hours, and with these ${value} it is more than ${twoAbove}`
}

/** The entries of the last 24 hours, and of times ahead of the present clock. */
function othersIn(record: StoredRecord | undefined, own: string, at: string): readonly Entry[] {
  const { approved } = record === undefined ? { approved: [] } : checkRecord(aloneFields, record)
  return approved.filter((each) => each.of !== own && Date.parse(each.at) > Date.parse(at) - DAY_MS)
}

function keyOf(by: string): string {
  return recordKey.approvedAlone(personOf(by))
}

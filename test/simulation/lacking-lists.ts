// Lists that lack rows for a while although they answer 200, for example while an index of the service is rebuilt. A
// reader without a known row cannot notice a missing one. So a list lacks rows only if the journal knows one of them,
// or if all are back before a doubt is settled.
import type { StoredRecord } from '../../core/journal/record-store.ts'

export interface LackingLists {
  /** Ms after the start. */
  readonly fromMs: number
  readonly forMs: number
  /**
   * Which rows are missing: all, every other one ever made, or those that the journal knows. `unseen`: all, even if the
   * journal knows none.
   */
  readonly what: 'all' | 'every other' | 'known' | 'unseen'
}

interface Moment<Row> {
  readonly sinceStartMs: number
  /** Whether the journal knows a row from the days before a send. */
  readonly isDetectable: (row: Row) => boolean
  /** The position of the row in the order of creation. */
  readonly placeOf: (row: Row) => number
  /** Whether the journal knows a row of the account, of any age. */
  readonly knowsAny: () => boolean
}

export function withoutLacking<Row>(
  rows: Row[],
  lacks: LackingLists | undefined,
  { sinceStartMs, isDetectable, placeOf, knowsAny }: Moment<Row>,
): Row[] {
  if (lacks === undefined) return rows
  const { fromMs, forMs, what } = lacks
  if (sinceStartMs < fromMs || sinceStartMs >= fromMs + forMs) return rows
  if (what === 'unseen') return []
  // With a known row, a reader can ask for a list that must show it, however old it is.
  if (what === 'all' && knowsAny()) return []
  const isOdd = (row: Row) => placeOf(row) % 2 === 1
  const isMissing = { all: () => true, 'every other': isOdd, known: isDetectable }[what]
  return rows.filter(isMissing).some(isDetectable) ? rows.filter((row) => !isMissing(row)) : rows
}

/** The rows that an attempt of a withdrawal has recorded from lists. */
interface Attempt {
  readonly known?: readonly { readonly id: string }[]
  readonly seen?: readonly { readonly id: string }[]
}

/** Whether an attempt has recorded the row, or has made it. */
export function isKnownRow(id: string, records: ReadonlyMap<string, StoredRecord>): boolean {
  return [...records.values()].some(({ kind, ref, attempt }) => {
    if (kind !== 'withdraw' || attempt === undefined) return false
    const { known = [], seen = [] } = attempt as Attempt
    return ref === id || [...known, ...seen].some((row) => row.id === id)
  })
}

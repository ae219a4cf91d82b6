// Lists that lack rows for a while though they are answered with a 200, as where an index of the service is behind or
// is built anew. Whoever knows no row of a list cannot see that one is missing, so a list lacks rows only where the
// journal knows one of them, or for so short that each is there again when a doubt is settled.
import type { StoredRecord } from '../../core/journal/record-store.ts'

export interface LackingLists {
  /** After the start. */
  readonly fromMs: number
  readonly forMs: number
  /**
   * Which rows of a list are missing: all, every other one that was ever made, or those that the journal knows. `unseen`: all,
   * though the journal knows none of them.
   */
  readonly what: 'all' | 'every other' | 'known' | 'unseen'
}

interface Moment<Row> {
  readonly sinceStartMs: number
  /** Whether the journal knows a row of a list, of the days before a send. */
  readonly isDetectable: (row: Row) => boolean
  /** As which one it was made. */
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
  // Whoever knows a row can ask for a list that must show it, however old it is.
  if (what === 'all' && knowsAny()) return []
  const isOdd = (row: Row) => placeOf(row) % 2 === 1
  const isMissing = { all: () => true, 'every other': isOdd, known: isDetectable }[what]
  return rows.filter(isMissing).some(isDetectable) ? rows.filter((row) => !isMissing(row)) : rows
}

/** What an attempt of a withdrawal has written down of the lists that it has seen. */
interface Attempt {
  readonly known?: readonly { readonly id: string }[]
  readonly seen?: readonly { readonly id: string }[]
}

/** Whether an attempt has written a row down, or the row is the one that the attempt has made. */
export function isKnownRow(id: string, records: ReadonlyMap<string, StoredRecord>): boolean {
  return [...records.values()].some(({ kind, ref, attempt }) => {
    if (kind !== 'withdraw' || attempt === undefined) return false
    const { known = [], seen = [] } = attempt as Attempt
    return ref === id || [...known, ...seen].some((row) => row.id === id)
  })
}

// Holds the sums of a budget's record against what the intents in them had reserved when they were listed last.
import type { StoredRecord } from '../../core/journal/record-store.ts'

type Records = ReadonlyMap<string, StoredRecord>
/** By intent, as it was listed last. */
type Summed = ReadonlyMap<string, string>

const ZERO: ReadonlySet<unknown> = new Set(['REJECTED', 'EXHAUSTED'])

export interface BudgetSums {
  /** A record of a budget, as written over the one before. */
  judge(record: StoredRecord, before: StoredRecord | undefined, records: Records): string | undefined
  /** What an intent, by its kind and its id, has in the sums of a record. */
  find(record: StoredRecord, holder: string): string | undefined
}

export function createBudgetSums(): BudgetSums {
  /** By the stamp of what was written: what is lost later was not. */
  const known = new Map<string, Summed>()

  return {
    judge(record, before, records) {
      const [now, was] = [reservedOf(record), reservedOf(before)]
      const summed = new Map(before && known.get(before.stamp))
      for (const [holder, text] of Object.entries(was)) {
        if (isSum(holder) || now[holder] !== undefined) continue
        const state = records.get(`I#${holder}`)?.state
        if (ZERO.has(state)) continue
        if (state !== 'DONE') return 'a reservation that counts was left out'
        summed.set(holder, text)
      }
      known.set(record.stamp, summed)
      if (Object.keys(now).some((holder) => summed.has(holder))) return 'a reservation counts by itself and in a sum'
      const inSums = Object.entries(now).flatMap(([holder, text]) => (isSum(holder) ? [text] : []))
      const texts = [...summed.values()]
      if (totalOf(inSums) !== totalOf(texts)) return 'sums that are not what their intents reserved'
      const counts = (list: readonly string[], atSeconds: number) =>
        totalOf(list.filter((text) => untilOf(text) >= atSeconds))
      // Each counts at least as long as it could move.
      const isShort = texts.some((text) => counts(inSums, untilOf(text)) < counts(texts, untilOf(text)))
      return isShort ? 'a sum that counts less long than what is in it' : undefined
    },

    find: (record, holder) => known.get(record.stamp)?.get(holder),
  }
}

/** No intent is called so. */
export function isSum(holder: string): boolean {
  return holder.startsWith('(')
}

function reservedOf(record: StoredRecord | undefined): Record<string, string> {
  return (record?.reserved ?? {}) as Record<string, string>
}

function totalOf(texts: readonly string[]): bigint {
  return texts.reduce((sum, text) => sum + reservedUnits(text), 0n)
}

/** Epoch seconds; without any it counts for as long as its day. */
function untilOf(text: string): number {
  const [, until] = text.split('@')
  return until === undefined ? Number.POSITIVE_INFINITY : Number(until)
}

/** Of `12.5`, or of `12.5@1767225600`. */
export function reservedUnits(text: string): bigint {
  return units(text.split('@')[0] ?? '')
}

/** A decimal as a count of 10^-18. */
export function units(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(18, '0'))
}

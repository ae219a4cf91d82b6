// Compares the sums in a budget's record with the amounts that their intents had reserved when they were last listed.
import type { StoredRecord } from '../../core/journal/record-store.ts'

type Records = ReadonlyMap<string, StoredRecord>
/** Reservation text by intent, from its last listing. */
type Summed = ReadonlyMap<string, string>

const ZERO: ReadonlySet<unknown> = new Set(['REJECTED', 'EXHAUSTED'])

export interface BudgetSums {
  /** Judges a budget's record as it replaces `before`. */
  judge(record: StoredRecord, before: StoredRecord | undefined, records: Records): string | undefined
  /** Returns the reservation text that an intent (`kind#id`) has in the sums of a record. */
  find(record: StoredRecord, holder: string): string | undefined
}

export function createBudgetSums(): BudgetSums {
  /** By the stamp of each write, because a later loss undoes the write and its sums. */
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
      // Each amount must count at least until its movement can no longer happen.
      const isShort = texts.some((text) => counts(inSums, untilOf(text)) < counts(texts, untilOf(text)))
      return isShort ? 'a sum that counts less long than what is in it' : undefined
    },

    find: (record, holder) => known.get(record.stamp)?.get(holder),
  }
}

/** No intent has a name that begins with a bracket. */
export function isSum(holder: string): boolean {
  return holder.startsWith('(')
}

function reservedOf(record: StoredRecord | undefined): Record<string, string> {
  return (record?.reserved ?? {}) as Record<string, string>
}

function totalOf(texts: readonly string[]): bigint {
  return texts.reduce((sum, text) => sum + reservedUnits(text), 0n)
}

/** Epoch seconds. A text without a time counts for its whole day. */
function untilOf(text: string): number {
  const [, until] = text.split('@')
  return until === undefined ? Number.POSITIVE_INFINITY : Number(until)
}

/** Reads `12.5` and `12.5@1767225600`. */
export function reservedUnits(text: string): bigint {
  return units(text.split('@')[0] ?? '')
}

/** Converts a decimal to a count of 10^-18. */
export function units(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(18, '0'))
}

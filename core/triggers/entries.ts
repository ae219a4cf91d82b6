// Finds the last execution of an intent, or of a run of a policy, and starts the next. Their names are `ID`, then
// `ID_2` to `ID_99`.
import { entryName, MOST_ENTRIES } from '../contract/fields.ts'

interface LastEntry<Execution> {
  /** The earliest known entry. */
  readonly first: Execution | undefined
  /** The last entry. Undefined: it was never entered. */
  readonly kept: Execution | undefined
  /** Number of the last entry, counted from 1; 0 without an entry. */
  readonly entry: number
}

interface Looking {
  /** An entry that is known to exist. Default: the first. */
  readonly from?: number
  /**
   * A leg's execution has the number of its run's entry. Entries in which the run did not reach the leg leave gaps, so
   * some further names are looked up. After a longer gap nothing is found.
   */
  readonly isLeg?: boolean
}

/** Free names in a row after which no later name is looked up. */
const FREE_OF_LEG = 4

/** Looks up the names in order until one is free, or several for a leg. */
export async function findLastEntry<Execution>(
  intentId: string,
  find: (name: string) => Promise<Execution | undefined> | Execution | undefined,
  { from = 1, isLeg = false }: Looking = {},
): Promise<LastEntry<Execution>> {
  const mostFree = isLeg ? FREE_OF_LEG : 1
  let last: LastEntry<Execution> = { first: undefined, kept: undefined, entry: from - 1 }
  for (let entry = from; entry <= MOST_ENTRIES; entry += 1) {
    const next = await find(entryName(intentId, entry))
    if (next !== undefined) last = { first: last.first ?? next, kept: next, entry }
    else if (entry - last.entry >= mostFree) break
  }
  return last
}

/**
 * Starts the first entry after `entry` that nobody has started. The start itself detects a taken name, so two callers
 * cannot interfere. `undefined` where all 99 names are taken.
 */
export async function enterAgain<Started>(
  intentId: string,
  entry: number,
  start: (name: string) => Promise<Started | 'taken'>,
): Promise<Awaited<Started> | undefined> {
  for (let next = entry + 1; next <= MOST_ENTRIES; next += 1) {
    const started = await start(entryName(intentId, next))
    if (started !== 'taken') return started
  }
  return undefined
}

// The executions that entered one intent, or one run of a policy: they are called `ID`, then `ID_2` to `ID_99`. This
// file finds the last of them, and starts the next.
import { entryName, MOST_ENTRIES } from '../contract/fields.ts'

interface LastEntry<Execution> {
  /** The earliest that is known. */
  readonly first: Execution | undefined
  /** The last. Absent: it was never entered. */
  readonly kept: Execution | undefined
  /** Counted from 1; 0 where there is none. */
  readonly entry: number
}

interface Looking {
  /** An entry that is known to be there. Default: the first. */
  readonly from?: number
  /**
   * A leg is called by its run's entry: those in which the run did not come to it are left out. So some names further are
   * looked up; beyond that nothing is known of it.
   */
  readonly isLeg?: boolean
}

/** Names in a row that are free, after which no later one is looked for. */
const FREE_OF_LEG = 4

/** Looks up one name after the other, until one is free. */
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
 * Starts the first entry after `entry` that nobody has started. The start itself shows which names are taken, so nobody
 * can come in between. `undefined` where all 99 names are taken.
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

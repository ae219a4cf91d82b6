// The executions that entered one intent, or one run of a policy: they are called `ID`, then `ID_2` to `ID_99`. This
// file finds the last of them, and starts the next.
import { entryName, MOST_ENTRIES } from '../contract/fields.ts'

interface LastEntry<Execution> {
  /** Absent: it was never entered. */
  readonly kept: Execution | undefined
  /** Counted from 1; 0 where there is none. */
  readonly entry: number
}

/** Looks up one name after the other, until one is free. `from`: an entry that is known to be there. */
export async function findLastEntry<Execution>(
  intentId: string,
  find: (name: string) => Promise<Execution | undefined> | Execution | undefined,
  from = 1,
): Promise<LastEntry<Execution>> {
  let kept: Execution | undefined
  for (let entry = from; entry <= MOST_ENTRIES; entry += 1) {
    const next = await find(entryName(intentId, entry))
    if (next === undefined) return { kept, entry: entry - 1 }
    kept = next
  }
  return { kept, entry: MOST_ENTRIES }
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

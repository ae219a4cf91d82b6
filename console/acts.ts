// Runs the acts of people at the console. Each act is an operation, which may take minutes. The last acts are kept with
// their data and notes for their pages. This module decides only how many may run at once.
import type { Clock } from '../core/clock.ts'
import type { Act, ActEnd, Deed } from '../views/pages/acted.ts'

export interface Acts {
  /** Resolves when the act has ended, or after WAIT_MS. `work` adds its notes to the given list while it is under way. */
  begin(deed: Deed, work: (notes: string[]) => Promise<ActEnd>): Promise<Act>
  find(id: string): Act | undefined
  /** The newest first. */
  all(): readonly Act[]
}

/** Maximum acts kept, besides those that still run. */
const MOST_KEPT = 50

/** Maximum acts at once. More would be a mistake of a script. */
const MOST_RUNNING = 8

/** How long a form waits for the end of its act. A longer act continues while its page is shown. */
const WAIT_MS = 1_500

export function createActs(clock: Clock, onEnd: () => void): Acts {
  const acts = new Map<string, Act>()
  let count = 0
  return {
    async begin(deed, work) {
      const running = [...acts.values()].filter(({ end }) => end === undefined).length
      count += 1
      const notes: string[] = []
      const begun: Act = { ...deed, id: String(count), at: new Date(clock.nowMs()).toISOString(), notes }
      const isBegun = deed.isUrgent === true || running < MOST_RUNNING
      acts.set(begun.id, isBegun ? begun : { ...begun, end: busy(running) })
      for (const [id, { end }] of acts) {
        if (acts.size <= MOST_KEPT) break
        if (end !== undefined) acts.delete(id)
      }
      if (!isBegun) return acts.get(begun.id) ?? begun
      const ending = work(notes).then((end) => {
        acts.set(begun.id, { ...begun, end })
        onEnd()
      })
      await Promise.race([ending, clock.sleep(WAIT_MS)])
      return acts.get(begun.id) ?? begun
    },
    find: (id) => acts.get(id),
    all: () => [...acts.values()].reverse(),
  }
}

function busy(running: number): ActEnd {
  const message = `${running} commands of this console are under way; nothing was begun`
  const error = { code: 'refused', message, next: 'wait until one of them has ended' } as const
  return { ended: 'refused', error, notes: [] }
}

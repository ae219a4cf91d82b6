// What people did from the console: each is an operation, which takes perhaps minutes. Keeps the last few with their data
// and notes, so that their pages can show it. It decides nothing.
import type { Clock } from '../core/clock.ts'
import type { Act, ActEnd, Deed } from '../views/pages/acted.ts'

export interface Acts {
  /** Resolves once it has ended, or has run for a moment. */
  begin(deed: Deed, work: () => Promise<ActEnd>): Promise<Act>
  find(id: string): Act | undefined
  /** The newest first. */
  all(): readonly Act[]
}

const MOST_KEPT = 50

/** At once: more would be a mistake of a script. */
const MOST_RUNNING = 8

/** How long a form waits for its end. Longer ones go on behind their page. */
const WAIT_MS = 1_500

export function createActs(clock: Clock, onEnd: () => void): Acts {
  const acts = new Map<string, Act>()
  let count = 0
  return {
    async begin(deed, work) {
      const running = [...acts.values()].filter(({ end }) => end === undefined).length
      count += 1
      const begun: Act = { ...deed, id: String(count), at: new Date(clock.nowMs()).toISOString() }
      acts.set(begun.id, running < MOST_RUNNING ? begun : { ...begun, end: busy(running) })
      for (const [id, { end }] of acts) {
        if (acts.size <= MOST_KEPT) break
        if (end !== undefined) acts.delete(id)
      }
      if (running >= MOST_RUNNING) return acts.get(begun.id) ?? begun
      const ending = work().then((end) => {
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

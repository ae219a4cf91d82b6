// What people did from the console: each is a command that runs as at a terminal, perhaps for minutes. Keeps the last few
// with what they said, so that their pages can show it. It decides nothing.
import type { CommandContext } from '../cli/terminal/context.ts'
import type { ExitCode } from '../operations/exit-code.ts'
import type { Act, Captured, Deed } from '../views/pages/acted.ts'
import { capture } from './captured-context.ts'

export interface Acts {
  /** Resolves once it has ended, or has run for a moment. */
  begin(deed: Deed, command: (context: CommandContext) => Promise<ExitCode>): Promise<Act>
  find(id: string): Act | undefined
  /** The newest first. */
  all(): readonly Act[]
}

const MOST_KEPT = 50

/** At once: more would be a mistake of a script. */
const MOST_RUNNING = 8

/** How long a form waits for its end. Longer ones go on behind their page. */
const WAIT_MS = 1_500

export function createActs(context: CommandContext, onEnd: () => void): Acts {
  const acts = new Map<string, Act>()
  let count = 0
  return {
    async begin(deed, command) {
      const running = [...acts.values()].filter(({ end }) => end === undefined).length
      count += 1
      const begun: Act = { ...deed, id: String(count), at: new Date(context.clock.nowMs()).toISOString() }
      acts.set(begun.id, running < MOST_RUNNING ? begun : { ...begun, end: busy(running) })
      for (const [id, { end }] of acts) {
        if (acts.size <= MOST_KEPT) break
        if (end !== undefined) acts.delete(id)
      }
      if (running >= MOST_RUNNING) return acts.get(begun.id) ?? begun
      const ending = capture(context, command).then((end) => {
        acts.set(begun.id, { ...begun, end })
        onEnd()
      })
      await Promise.race([ending, context.clock.sleep(WAIT_MS)])
      return acts.get(begun.id) ?? begun
    },
    find: (id) => acts.get(id),
    all: () => [...acts.values()].reverse(),
  }
}

function busy(running: number): Captured {
  const message = `${running} commands of this console are under way; nothing was begun`
  const error = { code: 'refused', message, next: 'wait until one of them has ended' } as const
  return { ended: 'refused', error, data: undefined, notes: [], next: [] }
}

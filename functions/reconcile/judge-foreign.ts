// Reports each movement that a person declared foreign once, so that people who watch the alarms see it. Also reports a
// declaration that no signed request proves.
import { FindingType } from '../../core/contract/reconcile.ts'
import { findIntentName, IntentKind, listing } from '../../core/contract/records.ts'
import { Verb } from '../../core/contract/states.ts'
import { iso } from './audit-window.ts'
import type { Judging } from './collected.ts'

/** Maximum number of declarations of one day. */
const MOST_OF_A_DAY = 10_000
const DAY_MS = 86_400_000

export async function judgeForeign(
  { ports, isLookBack, collected }: Judging,
  kind: IntentKind,
  movementId: string,
): Promise<'told' | 'missing' | 'unreadable'> {
  const found = await collected.readable(() => ports.journal.findForeign(kind, movementId))
  if (found === 'unreadable') return found
  if (found.read === undefined) return 'missing'
  const declared = found.read
  const { at, because, by } = declared
  const movement = kind === IntentKind.Convert ? 'order' : 'withdrawal'
  const message = `${movement} ${movementId} was declared to be others' by ${by} at ${at}: ${because}`
  const unheard = await collected.readable(() => ports.findUnheard(Verb.DeclareForeign, declared))
  if (unheard === 'unreadable') return unheard
  if (unheard.read !== undefined) {
    const forged = `${message}; ${unheard.read}`
    collected.find({ movement, movementId, finding: FindingType.UnprovenClaim, message: forged }, at)
    return 'missing'
  }
  // A requested look back has no memory and would report each again.
  if (!isLookBack) collected.find({ movement, movementId, finding: FindingType.ForeignMovement, message }, at)
  return 'told'
}

/** Judges the declarations of the days of the window, also about older movements. */
export async function judgeForeignWords(judging: Judging): Promise<void> {
  const { ports, window } = judging
  for (let day = dayOf(window.againFromMs); day <= dayOf(window.throughMs); day += 1) {
    const list = listing.foreignOn(iso(day * DAY_MS).slice(0, 'YYYY-MM-DD'.length))
    for (const name of await ports.index.list(list, MOST_OF_A_DAY)) {
      const named = findIntentName(name)
      if (named !== undefined) await judgeForeign(judging, named.kind, named.intentId)
    }
  }
}

function dayOf(atMs: number): number {
  return Math.floor(atMs / DAY_MS)
}

// Judges an intent by its own record: does it follow from what was asked for, and should somebody have settled it by now?
// The rules of what follows are in core/movements/follows.ts, because the steps that send refuse a record by them too. Pure.
// Each finding is one sentence.
import { IntentState } from '../contract/records.ts'
import type { Timing } from '../contract/timing.ts'
import { fenceOf } from '../journal/entering.ts'
import { type Intent, isOpened } from '../journal/intent.ts'
import { findUnfollowed } from '../movements/follows.ts'

/** How long after its fence an intent may take to be settled: retries, waits between looks, a slow start. */
export const SETTLING_MS = 15 * 60_000

/** One sentence where the record does not follow from the request, because somebody has changed the record. */
export function findChange(intent: Intent): string | undefined {
  const field = findUnfollowed(intent)
  return field && `its record was changed: its ${field} is not as it was asked for`
}

/** One sentence where the intent is overdue, else `undefined`. `nowMs`: service time. */
export function findOverdue(intent: Intent, nowMs: number, timing: Timing): string | undefined {
  if (!isOpened(intent)) return undefined
  const { notAfter, state } = intent
  if (state === IntentState.Ready) {
    if (nowMs <= Date.parse(notAfter) + SETTLING_MS) return undefined
    return `READY, and its time ran out at ${notAfter}: no run has ended it`
  }
  if (state !== IntentState.Armed) return undefined
  const fenceMs = fenceOf(intent, timing)
  if (nowMs <= fenceMs + SETTLING_MS) return undefined
  return `ARMED, and its fence passed at ${new Date(fenceMs).toISOString()}: money may have moved, and no run has settled it`
}

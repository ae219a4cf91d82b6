// Counts what needs a person, for every list that says whether anybody is needed. Pure.
import type { Needs } from '../operations/cases/find-needs.ts'

/** A doubt does not count: it becomes known by itself. */
export function countNeeds(needs: Omit<Needs, 'doubts' | 'onTheWay' | 'other' | 'cutOff'>): number {
  const { found, stalled, inNeed, unopened, unbegun, approvals, movements, halts, left, unreadable } = needs
  const stopped = [found, stalled, inNeed, unopened, unbegun, halts, left.stranded, unreadable]
  return [...stopped, approvals, movements].reduce((sum, list) => sum + list.length, 0)
}

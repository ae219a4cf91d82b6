// Says whose a movement is, by the claim on it and by the word of a person. The audit, `journal verify` and proofs go by this.
// A step that sends can claim a movement for others. That a person said so is a record of its own, which no step may write.
import { FOREIGN, type IntentKind } from '../contract/records.ts'
import type { Journal } from '../journal/journal.ts'

/** Whether an intent has claimed a movement, or a person has said that it is others'. */
export type HeldBy = 'an intent' | 'others' | 'nobody' | 'others, by no word of a person'

/** `holder`: who has claimed it. `hasWord`: whether a person has said that it is others'. */
export function heldBy(holder: string | undefined, hasWord: boolean): HeldBy {
  if (holder === undefined) return 'nobody'
  if (holder !== FOREIGN) return 'an intent'
  return hasWord ? 'others' : 'others, by no word of a person'
}

/** @throws Transient, Defect */
export async function findHeldBy(
  kind: IntentKind,
  id: string,
  journal: Pick<Journal, 'findClaim' | 'findForeign'>,
): Promise<HeldBy> {
  const holder = await journal.findClaim(kind, id)
  return heldBy(holder, holder === FOREIGN && (await journal.findForeign(kind, id)) !== undefined)
}

/** Undefined where an intent has claimed the movement, or a person has said that it is others'. `what`: the movement in words. */
export function whyUnclaimed(held: HeldBy, what: string): string | undefined {
  return held === 'an intent' || held === 'others' ? undefined : unclaimedText(held, what)
}

export function unclaimedText(held: Exclude<HeldBy, 'an intent' | 'others'>, what: string): string {
  return held === 'nobody'
    ? `no intent claims ${what}`
    : `the journal claims for others, by no word of a person, ${what}`
}

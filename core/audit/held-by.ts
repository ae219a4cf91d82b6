// Says whose a movement is, by the claim on it and by a person's declaration. The audit, `journal verify` and proofs use this.
// A step that sends can claim a movement as foreign. A person's declaration is a separate record, which no step may write.
import { FOREIGN, type IntentKind } from '../contract/records.ts'
import type { Journal } from '../journal/journal.ts'

/** Who has claimed a movement: an intent, others (declared by a person or not), or nobody. */
type HeldBy = 'an intent' | 'others' | 'nobody' | 'others, by no word of a person'

/** `holder`: the claim on the movement. `hasWord`: whether a person has declared the movement foreign. */
export function heldBy(holder: string | undefined, hasWord: boolean): HeldBy {
  if (holder === undefined) return 'nobody'
  if (holder !== FOREIGN) return 'an intent'
  return hasWord ? 'others' : 'others, by no word of a person'
}

/** @throws Transient, Defect */
export async function findHeldBy(kind: IntentKind, id: string, journal: Journal): Promise<HeldBy> {
  const holder = await journal.findClaim(kind, id)
  return heldBy(holder, holder === FOREIGN && (await journal.findForeign(kind, id)) !== undefined)
}

/** Undefined where an intent has claimed the movement, or a person has declared it foreign. `what`: the movement in words. */
export function whyUnclaimed(held: HeldBy, what: string): string | undefined {
  return held === 'an intent' || held === 'others' ? undefined : unclaimedText(held, what)
}

export function unclaimedText(held: Exclude<HeldBy, 'an intent' | 'others'>, what: string): string {
  return held === 'nobody'
    ? `no intent claims ${what}`
    : `the journal claims for others, by no word of a person, ${what}`
}

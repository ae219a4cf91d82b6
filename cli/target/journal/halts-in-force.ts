// Finds the halts in force without looking through the journal. Halts are in a list of the index since the release that
// began it. Those of the release before are in no list, so the scopes that can stop something are read by their keys as
// well: everything, each policy of treasury.json and its former name, and what the caller knows to be under way. A halt
// of before whose policy is in no file and has nothing under way stops nothing. It is shown again once the policy is back
// in the file, and it enters the list when somebody halts that scope anew.
import { mapBounded, READS_AT_ONCE } from '../../../core/bounded.ts'
import { listing } from '../../../core/contract/records.ts'
import type { Treasury } from '../../../core/contract/treasury.ts'
import { EVERYTHING, type Halt, type Halts, scopeOfHalt } from '../../../core/journal/halts.ts'
import { listKeys } from '../../../core/journal/listed-keys.ts'
import type { JournalTable } from '../aws-address.ts'

/** Of each policy one of a person, and one of its breaker. */
const MOST_HALTS = 1_000

/** The oldest first. `scopes`: of what is under way. */
export async function findHaltsInForce(
  table: JournalTable,
  halts: Pick<Halts, 'findOf'>,
  { policies }: Pick<Treasury, 'policies'>,
  scopes: readonly string[] = [],
): Promise<Halt[]> {
  const named = Object.entries(policies).flatMap(([name, { was }]) => (was === undefined ? [name] : [name, was]))
  const { keys } = await listKeys(table, listing.halts, { limit: MOST_HALTS })
  const listed = keys.map(scopeOfHalt)
  // What the record says is what counts: a release before leaves one that it resumes in the list.
  const found = await mapBounded(
    [...new Set([EVERYTHING, ...named, ...scopes, ...listed])],
    READS_AT_ONCE,
    halts.findOf,
  )
  const orderOf = ({ at, scope }: Halt) => `${at} ${scope}`
  return found.flat().sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))
}

// Finds the halts in force without looking through the journal. Halts are in a list of the index, which lags behind the
// table by moments. So that a halt of just now is shown, everything and each policy of treasury.json, by either of its
// names, are read by their keys as well.
import { mapBounded, READS_AT_ONCE } from '../../../core/bounded.ts'
import { listing } from '../../../core/contract/records.ts'
import type { Treasury } from '../../../core/contract/treasury.ts'
import { EVERYTHING, type Halt, type Halts, scopeOfHalt } from '../../../core/journal/halts.ts'
import { listKeys } from '../../../core/journal/listed-keys.ts'
import type { JournalTable } from '../aws-address.ts'

/** Of each policy one of a person, and one of its breaker. */
const MOST_HALTS = 1_000

/** The oldest first. */
export async function findHaltsInForce(
  table: JournalTable,
  halts: Pick<Halts, 'findOf'>,
  { policies }: Pick<Treasury, 'policies'>,
): Promise<Halt[]> {
  const named = Object.entries(policies).flatMap(([name, { was }]) => (was === undefined ? [name] : [name, was]))
  const { keys } = await listKeys(table, listing.halts, { limit: MOST_HALTS })
  const listed = keys.map(scopeOfHalt)
  // What the record says is what counts: the list may still have one that was just resumed.
  const found = await mapBounded([...new Set([EVERYTHING, ...named, ...listed])], READS_AT_ONCE, halts.findOf)
  const orderOf = ({ at, scope }: Halt) => `${at} ${scope}`
  return found.flat().sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))
}

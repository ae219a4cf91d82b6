// Finds the halts in force without scanning the journal. The index lists halts, but lags behind the table by moments.
// To see the newest halts too, the scope `*` and each policy of treasury.json, by either name, are read by their keys.
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { listing } from '../../core/contract/records.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { EVERYTHING, type Halt, type Halts, scopeOfHalt } from '../../core/journal/halts.ts'
import { listKeys } from '../../core/journal/listed-keys.ts'
import type { JournalTable } from '../aws/aws-address.ts'

/** Each policy may have a person's halt and its breaker's halt. */
const MOST_HALTS = 1_000

/** Oldest first. */
export async function findHaltsInForce(
  table: JournalTable,
  halts: Pick<Halts, 'findOf'>,
  { policies }: Pick<Treasury, 'policies'>,
): Promise<Halt[]> {
  const named = Object.entries(policies).flatMap(([name, { was }]) => (was === undefined ? [name] : [name, was]))
  const { keys } = await listKeys(table, listing.halts, { limit: MOST_HALTS })
  const listed = keys.map(scopeOfHalt)
  // The record takes precedence, because the list may still have a halt that was just resumed.
  const found = await mapBounded([...new Set([EVERYTHING, ...named, ...listed])], READS_AT_ONCE, halts.findOf)
  const orderOf = ({ at, scope }: Halt) => `${at} ${scope}`
  return found.flat().sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))
}

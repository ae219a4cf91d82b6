// Says where a walk of the whole ledger may end. The ledger cannot be asked by date, and its order is not described: it may
// come newest first, or oldest first. Remembers the entries of one walk, and reads nothing.

/** Number of older entries in a row that ends the walk. Entries that only swapped places are fewer. */
const OLDER_IN_A_ROW = 500

/**
 * Returns a predicate to call with each entry in turn. It is true once the entries that follow must also be older than
 * `sinceMs` (epoch ms): after younger entries, and where the dates fall. In a ledger that comes oldest first, older entries
 * say nothing about those that follow.
 */
export function createOlderEntries(sinceMs: number): (createdAt: string | null) => boolean {
  let isYoungerSeen = false
  let older = 0
  let firstMs = sinceMs
  return (createdAt) => {
    const atMs = createdAt === null ? Number.NaN : Date.parse(createdAt)
    if (!(atMs < sinceMs)) {
      isYoungerSeen ||= atMs >= sinceMs
      older = 0
      return false
    }
    if (older === 0) firstMs = atMs
    older += 1
    return older >= OLDER_IN_A_ROW && (isYoungerSeen || atMs < firstMs)
  }
}

// Says where a walk of the whole ledger may end. The ledger knows no dates to ask by, and its order is not described: it may
// come newest first, or oldest first. Pure.

/** So many in a row from before the time that is looked at are no swap of neighbours. */
const OLDER_IN_A_ROW = 500

/**
 * Asked of each entry in turn: whether those that follow are older than `sinceMs` (epoch ms) as well. That is so behind younger
 * ones, and where the dates fall. In a ledger that comes oldest first, the older ones say nothing of what follows.
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

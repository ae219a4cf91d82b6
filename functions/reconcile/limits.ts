// The limits of the audit's memory. A test audits with small ones.

/** Maximum number of movements of each kind in one slice. They and their fills are in memory at once. */
export const MOST_MOVEMENTS = 10_000
/** Maximum number of entries that a walk from the first page remembers. Beyond it the audit goes by slices. */
export const MOST_WALKED = 50_000
/**
 * Number of entries in a row that are younger than the slice and end its walk. Entries that only swapped places are
 * fewer.
 */
export const YOUNGER_IN_A_ROW = 500
/** Number of older entries in a row below which no younger entry is expected. */
export const OLDER_IN_A_ROW = 500
/** Maximum number of places by which an entry is out of order and still left to its own slice. */
export const MOST_OUT_OF_ORDER = 1_000

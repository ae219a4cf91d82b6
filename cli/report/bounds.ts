// How much of a run is shown: a page that a person reads, and that a browser opens at once.

/** Rows of one table, and items of one list. */
export const MOST_ROWS = 250
export const MOST_BARS = 40
export const MOST_MOMENTS = 60

export interface Shown<Row> {
  readonly rows: readonly Row[]
  /** How many are left out. */
  readonly more: number
}

export function firstOf<Row>(rows: readonly Row[], most: number): Shown<Row> {
  return { rows: rows.slice(0, most), more: Math.max(0, rows.length - most) }
}

/** Said wherever something is left out. */
export function moreText(more: number): string {
  return `and ${more} more: the JSON of the run has all of them`
}

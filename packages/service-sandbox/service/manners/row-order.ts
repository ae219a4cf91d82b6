// Decides the order of rows in an unstable offset list. The order changes now and then between requests, while the
// number of rows stays the same, so a walk may show a row twice and miss another.
import { mixed, seededNumber } from '../seeded.ts'

/** Rows further apart than this keep their order; closer rows are only roughly newest first. */
const WITHIN_MS = 60_000
/**
 * One in this many requests changes the order: often on the first pages, seldom on later ones, so that walks finish.
 */
const CHANGES_EARLY_ONE_IN = 3
const CHANGES_LATE_ONE_IN = 24
const EARLY_PAGES = 2

export interface Arranged<Row> {
  /** Rows, oldest first. */
  readonly rows: readonly Row[]
  /** Whether the description promises "newest first" for this list. */
  readonly isNewestFirst: boolean
  readonly wanted: (row: Row) => boolean
  readonly dateOf: (row: Row) => number
}

export class RowOrder {
  readonly #seed: string
  /** Whether lists without a described order come in any order. The seed decides. */
  readonly #isAny: boolean
  #requests = 0
  #order = 0

  constructor(seed: string) {
    this.#seed = seed
    this.#isAny = seededNumber(seed, 'any order') % 2 === 0
  }

  /** Returns the rows in the order that this request for a page sees. */
  arrange<Row>(page: number, { rows, isNewestFirst, wanted, dateOf }: Arranged<Row>): Row[] {
    this.#requests += 1
    const oneIn = page <= EARLY_PAGES ? CHANGES_EARLY_ONE_IN : CHANGES_LATE_ONE_IN
    if (seededNumber(this.#seed, `order at ${this.#requests}`) % oneIn === 0) this.#order += 1
    const isAny = !isNewestFirst && this.#isAny
    const start = seededNumber(this.#seed, `order ${isAny ? 'of all' : this.#order}`)
    const placed: { readonly row: Row; readonly rank: number }[] = []
    for (const [index, row] of rows.entries()) {
      if (!wanted(row)) continue
      const noise = mixed(start, index) / 2 ** 32
      placed.push({ row, rank: isAny ? noise : dateOf(row) + noise * WITHIN_MS })
    }
    return placed.sort((left, right) => right.rank - left.rank).map(({ row }) => row)
  }
}

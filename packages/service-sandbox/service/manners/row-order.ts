// The order of the rows of an offset list, where it is not stable: it changes now and then from one request to the
// next, at the same number of rows, so that a walk may tell a row twice and leave another out.
import { mixed, seededNumber } from '../seeded.ts'

/** Rows that are further apart in time keep their order: newest first only roughly. */
const WITHIN_MS = 60_000
/** One of so many requests finds another order: often at a list's newest rows, seldom further on, so that walks come to an end. */
const CHANGES_EARLY_ONE_IN = 3
const CHANGES_LATE_ONE_IN = 24
const EARLY_PAGES = 2

export interface Arranged<Row> {
  /** Oldest first. */
  readonly rows: readonly Row[]
  /** Whether the description says "newest first" of this list. */
  readonly isNewestFirst: boolean
  readonly wanted: (row: Row) => boolean
  readonly dateOf: (row: Row) => number
}

export class RowOrder {
  readonly #seed: string
  /** Lists of which the description names no order come in any: as good as by their ids. */
  readonly #isAny: boolean
  #requests = 0
  #order = 0

  constructor(seed: string) {
    this.#seed = seed
    this.#isAny = seededNumber(seed, 'any order') % 2 === 0
  }

  /** As the request for that page finds them. */
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

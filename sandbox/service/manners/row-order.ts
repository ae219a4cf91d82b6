// The order of the rows of an offset list, where it is not stable: it changes now and then from one request to the
// next, at the same number of rows, so that a walk may tell a row twice and leave another out.
import { mixed, seededNumber } from '../seeded.ts'

/** Rows that are further apart in time keep their order where the description says "newest first". */
const WITHIN_MS = 60_000
/** One of so many requests finds another order: some walks of a few pages meet none. */
const CHANGES_ONE_IN = 3
/** One of so many orders is altogether another, where the description names none. */
const ANY_ORDER_ONE_IN = 2

interface Placed<Row> {
  readonly row: Row
  readonly rank: number
}

export class RowOrder {
  readonly #seed: string
  #requests = 0
  #order = 0

  constructor(seed: string) {
    this.#seed = seed
  }

  /** @param rows oldest first @param isNewestFirst whether the description says so of this list */
  arrange<Row>(
    rows: readonly Row[],
    isNewestFirst: boolean,
    wanted: (row: Row) => boolean,
    dateOf: (row: Row) => number,
  ): Row[] {
    this.#requests += 1
    if (seededNumber(this.#seed, `order at ${this.#requests}`) % CHANGES_ONE_IN === 0) this.#order += 1
    const start = seededNumber(this.#seed, `order ${this.#order}`)
    const isAny = !isNewestFirst && start % ANY_ORDER_ONE_IN === 0
    const placed: Placed<Row>[] = []
    for (const [index, row] of rows.entries()) {
      if (!wanted(row)) continue
      const noise = mixed(start, index) / 2 ** 32
      placed.push({ row, rank: isAny ? noise : dateOf(row) + noise * WITHIN_MS })
    }
    return placed.sort((left, right) => right.rank - left.rank).map(({ row }) => row)
  }
}

// Orders the rows of a list in the manner `unstable`. Rows come roughly newest first, and their order changes between
// some requests. So a client that requests page after page may get a row twice and miss another row. For half of the
// seeds, a list without a described order comes in a random order instead, which never changes.
import { mixed, seededNumber } from '../seeded.ts'

/** Rows that are further apart in time keep their order, unless it is random. Closer rows may change places. */
const WITHIN_MS = 60_000
/**
 * One in this many requests changes the order: many on the first pages, few on later pages. So a client can read a list
 * to its end.
 */
const CHANGES_EARLY_ONE_IN = 3
const CHANGES_LATE_ONE_IN = 24
const EARLY_PAGES = 2

/** A list whose rows are to be ordered. */
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
  /** Whether lists without a described order come in a random order. The seed decides. */
  readonly #mayBeRandom: boolean
  #requests = 0
  /** Changes whenever the order changes. */
  #orderNumber = 0

  constructor(seed: string) {
    this.#seed = seed
    this.#mayBeRandom = seededNumber(seed, 'any order') % 2 === 0
  }

  /** Returns the rows in the order that this request for a page sees. */
  arrange<Row>(page: number, { rows, isNewestFirst, wanted, dateOf }: Arranged<Row>): Row[] {
    this.#requests += 1
    const oneIn = page <= EARLY_PAGES ? CHANGES_EARLY_ONE_IN : CHANGES_LATE_ONE_IN
    if (seededNumber(this.#seed, `order at ${this.#requests}`) % oneIn === 0) this.#orderNumber += 1
    const isRandom = !isNewestFirst && this.#mayBeRandom
    const orderName = isRandom ? 'of all' : this.#orderNumber
    const start = seededNumber(this.#seed, `order ${orderName}`)
    const placed: { readonly row: Row; readonly rank: number }[] = []
    for (const [index, row] of rows.entries()) {
      if (!wanted(row)) continue
      const noise = mixed(start, index) / 2 ** 32
      placed.push({ row, rank: isRandom ? noise : dateOf(row) + noise * WITHIN_MS })
    }
    return placed.sort((left, right) => right.rank - left.rank).map(({ row }) => row)
  }
}

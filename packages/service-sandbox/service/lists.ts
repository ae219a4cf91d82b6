// Applies the manners to lists: which rows, in which order, a page at a time. Tidy lists show rows newest first; the
// rows are kept oldest first.
import { LackingRows } from './manners/lacking-rows.ts'
import type { RowManner } from './manners/manners.ts'
import { type Arranged, RowOrder } from './manners/row-order.ts'
import { newestFirst, type OffsetPage, offsetPage } from './pagination.ts'

/** Maximum rows of a page where pages are small. `pagination` shows it as the limit. */
const SMALL_PAGE = 3

export interface ListOf<Row, Shown> extends Arranged<Row> {
  readonly show: (row: Row) => Shown
}

export class Lists {
  readonly #manners: () => readonly RowManner[]
  readonly #order: RowOrder
  readonly #lacking: LackingRows

  constructor(seed: string, manners: () => readonly RowManner[]) {
    this.#manners = manners
    this.#order = new RowOrder(seed)
    this.#lacking = new LackingRows(seed)
  }

  page<Row, Shown>(
    query: { readonly page: number; readonly limit: number },
    list: ListOf<Row, Shown>,
  ): OffsetPage<Shown> {
    const sized = this.sized(query)
    if (!this.#manners().includes('unstable')) return newestFirst(list.rows, sized, list.wanted, list.show)
    return offsetPage(this.#order.arrange(query.page, list), sized, list.show)
  }

  /** Returns the rows that a list of one asset shows now. `rows`: oldest first. */
  ofAsset<Row extends { readonly id: string; readonly createdAtMs: number }>(
    rows: readonly Row[],
    wanted: (row: Row) => boolean,
    nowMs: number,
  ): readonly Row[] {
    if (!this.#manners().includes('lacking')) return rows
    return this.#lacking.shown(rows.filter(wanted), rows, nowMs)
  }

  /** Returns the query with the limit that the page really has. */
  sized<Query extends { readonly limit: number }>(query: Query): Query {
    return this.#manners().includes('small') ? { ...query, limit: Math.min(query.limit, SMALL_PAGE) } : query
  }
}

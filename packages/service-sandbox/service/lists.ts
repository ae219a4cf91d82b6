// Applies the manners to lists: which rows, in which order, a page at a time. Tidy lists show rows newest first; the
// rows are kept oldest first.

import type { Manners, RowManner } from './manners/manners.ts'
import { newestFirst, type OffsetPage, offsetPage } from './pagination.ts'
import { mixed, seededNumber } from './seeded.ts'

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
interface Arranged<Row> {
  /** Rows, oldest first. */
  readonly rows: readonly Row[]
  /** Whether the description promises "newest first" for this list. */
  readonly isNewestFirst: boolean
  readonly wanted: (row: Row) => boolean
  readonly dateOf: (row: Row) => number
}

class RowOrder {
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

/** Length of a spell, in service time. In each spell lists lack rows, or do not. */
const SPELL_MS = 10_000
const LACKING_ONE_IN = 4

/** Clients need not remember rows older than this. */
const KNOWN_FOR_MS = 47 * 3_600_000

interface Dated {
  readonly id: string
  readonly createdAtMs: number
}

class LackingRows {
  readonly #seed: string
  /** By row id: how many withdrawals existed when a list first showed the row. */
  readonly #listed = new Map<string, number>()

  constructor(seed: string) {
    this.#seed = seed
  }

  /**
   * Returns the rows that a list shows now. `wanted`: all rows of one asset, oldest first. `all`: every row, in the
   * order of creation.
   */
  shown<Row extends Dated>(wanted: readonly Row[], all: readonly Row[], nowMs: number): readonly Row[] {
    const newest = wanted.at(-1)
    const newestAt = newest === undefined ? -1 : all.indexOf(newest)
    const mayLack = ({ id, createdAtMs }: Row) =>
      createdAtMs > nowMs - KNOWN_FOR_MS && (this.#listed.get(id) ?? all.length) <= newestAt
    const spell = seededNumber(this.#seed, `lists at ${Math.floor(nowMs / SPELL_MS)}`)
    if (spell % LACKING_ONE_IN === 0 && wanted.some(mayLack)) {
      return Math.floor(spell / LACKING_ONE_IN) % 2 === 0 ? [] : wanted.filter((row) => !mayLack(row))
    }
    for (const { id } of wanted) if (!this.#listed.has(id)) this.#listed.set(id, all.length)
    return wanted
  }
}

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

export type RowKind = 'order' | 'fill' | 'withdrawal' | 'deposit' | 'entry'

const COARSE_MS = [1_000, 60_000] as const
const DAY_MS = 24 * 3_600_000

/** How far the clock of `behind` is behind: it writes its zone's wall clock as if it were UTC. */
const BEHIND_MS = 5 * 3_600_000

export function rowDate({ rows }: Manners, seed: string, kind: RowKind, happenedMs: number): number {
  // The ledger dates an entry by its movement's date, which is shifted already.
  const atMs = rows.includes('behind') && kind !== 'entry' ? happenedMs - BEHIND_MS : happenedMs
  if (rows.includes('daily')) return Math.floor(atMs / DAY_MS) * DAY_MS
  if (!rows.includes('coarse')) return atMs
  const stepMs = COARSE_MS[seededNumber(seed, `dates ${kind}`) % COARSE_MS.length] as number
  return Math.floor(atMs / stepMs) * stepMs
}

/** Kinds with counted ids. All start from the same number, so ids of different kinds can be equal. */
const COUNTED_KINDS: ReadonlySet<string> = new Set(['quote', 'withdrawal', 'fill', 'deposit', 'adjustment'])

const COUNTED_FROM = 1_000_001

interface Mint {
  readonly kind: string
  /** The number of earlier ids of this kind. */
  readonly made: number
  /** 64 hexadecimal digits, unique to this id. */
  readonly hex: string
}

export function mintId(manner: Manners['ids'], { kind, made, hex }: Mint): string {
  if (manner === 'counter' && COUNTED_KINDS.has(kind)) return String(COUNTED_FROM + made)
  if (manner === 'odd') return oddId(made, hex)
  return grouped(manner === 'uuid' ? asVersion4(hex) : hex)
}

function grouped(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}

/** Sets version and variant of a UUID (RFC 9562). */
function asVersion4(hex: string): string {
  const variant = '89ab'[Number.parseInt(hex[16] as string, 16) & 3]
  return `${hex.slice(0, 12)}4${hex.slice(13, 16)}${variant}${hex.slice(17)}`
}

/**
 * Ids that need percent-encoding as a whole and must never be read as a path, a query or a number. At most 256
 * characters. They contain no dot segment, encoded or not, because no client could send it safely through a proxy.
 */
const ODD_SHAPES: readonly ((text: string) => string)[] = [
  (text) => `..${text}/..a`,
  (text) => `a../${text}..`,
  (text) => `/${text}/`,
  (text) => `a..%2F..b%2F${text}`,
  (text) => `${text}%2f`,
  (text) => `a b/${text}?page=1&limit=1#c`,
  (text) => ` ${text} `,
  (text) => `Zürich–${text}`,
  (text) => `注文 ${text} 😀`,
  (text) => `"${text}'\\+`,
  (text) => `${text}.`,
  (text) => text.padEnd(250, '~'),
]

/** Uses one shape after the other. */
function oddId(made: number, hex: string): string {
  const shape = ODD_SHAPES[made % ODD_SHAPES.length] as (text: string) => string
  return shape(hex.slice(0, 16))
}

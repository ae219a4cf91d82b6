// Numbers the entries of the ledger by their places, 1 for the oldest. A place stays the same while entries arrive,
// whether the ledger comes newest first or oldest first. So a walk needs no cursor and no memory of what it has read,
// and another call finds the place of a date again.
import { Transient } from '../../core/errors.ts'
import { OLDER_IN_A_ROW } from './limits.ts'
import { type AuditedEntry, LEDGER_PAGE, type LedgerPage } from './ports.ts'

/** Maximum number of reads for one place while entries arrive. */
const MOST_READS = 8
/** Maximum number of entries of a ledger. */
const MOST_ENTRIES = 2 ** 40

export interface PlacedEntry {
  readonly place: number
  readonly entry: AuditedEntry
}

/** Entries of one page, oldest first. `last`: the place of the ledger's newest entry. */
interface Block {
  readonly placed: readonly PlacedEntry[]
  readonly last: number
}

export class LedgerPlaces {
  readonly #readPage: (page: number) => Promise<LedgerPage>
  #isNewestFirst: boolean | undefined
  #total = 0

  constructor(readPage: (page: number) => Promise<LedgerPage>) {
    this.#readPage = readPage
  }

  /** The place from which on all entries are found that are dated after `sinceMs`. At most one beyond the last. */
  async findFirstAfter(sinceMs: number): Promise<number> {
    let low = 1
    let high = (await this.#size()) + 1
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if (await this.#isAfter(middle, sinceMs)) high = middle
      else low = middle + 1
    }
    return this.#belowOlder(low, sinceMs)
  }

  /**
   * Yields the entries from a place on, oldest first, up to the newest.
   * @throws Transient where a page repeats the page before it
   */
  async *walkFrom(first: number): AsyncGenerator<PlacedEntry, void> {
    await this.#size()
    let before: ReadonlySet<string> = new Set()
    for (let place = first; place <= MOST_ENTRIES; ) {
      const block = await this.#blockAt(place)
      if (block === undefined) return
      const next = block.placed.filter((placed) => placed.place >= place)
      // An entry that comes late with an early date moves others by one place. A repeated page has no new entry at all.
      if (next.every(({ entry: { id } }) => id !== null && before.has(id)))
        throw new Transient('the ledger repeated a page while it was read')
      before = new Set(block.placed.flatMap(({ entry: { id } }) => id ?? []))
      yield* next
      place = (block.placed.at(-1)?.place ?? block.last) + 1
      if (place > block.last) return
    }
  }

  /** The first place after `sinceMs` above 500 older entries in a row. */
  async #belowOlder(found: number, sinceMs: number): Promise<number> {
    let first = found
    let older = 0
    for (let place = found - 1; place >= 1 && older < OLDER_IN_A_ROW; ) {
      const block = await this.#blockAt(place)
      const below = block?.placed.filter((placed) => placed.place <= place).toReversed() ?? []
      for (const { entry, place: at } of below) {
        older = dateOf({ entry }) > sinceMs ? 0 : older + 1
        if (older === 0) first = at
      }
      place = (below.at(-1)?.place ?? place) - 1
    }
    return first
  }

  /** By most of the dated entries of its page, because some are dated long before they came. */
  async #isAfter(place: number, sinceMs: number): Promise<boolean> {
    const dates = ((await this.#blockAt(place))?.placed ?? []).map(dateOf).filter((atMs) => !Number.isNaN(atMs))
    return 2 * dates.filter((atMs) => atMs > sinceMs).length >= dates.length
  }

  /** Number of entries. Reads also in which order they come. */
  async #size(): Promise<number> {
    const first = await this.#read(1)
    if (this.#isNewestFirst !== undefined || first.entries.length === 0) return this.#total
    const last = await this.#read(Math.ceil(this.#total / LEDGER_PAGE))
    const half = Math.ceil(first.entries.length / 2)
    this.#isNewestFirst = !(middleDate(first.entries.slice(0, half)) < middleDate(last.entries.slice(-half)))
    return this.#total
  }

  /** The page with this place; `undefined` beyond the newest. @throws Transient where places are lost */
  async #blockAt(place: number): Promise<Block | undefined> {
    for (let reads = 0; reads < MOST_READS && place <= this.#total; reads += 1) {
      const total = this.#total
      const page = Math.floor((this.#isNewestFirst ? total - place : place - 1) / LEDGER_PAGE) + 1
      const { entries } = await this.#read(page)
      const firstAt = (page - 1) * LEDGER_PAGE
      const placed = entries.map((entry, nth) => ({
        place: this.#isNewestFirst ? this.#total - firstAt - nth : firstAt + nth + 1,
        entry,
      }))
      if (this.#isNewestFirst) placed.reverse()
      if (placed.some((each) => each.place === place)) return { placed, last: this.#total }
    }
    if (place > this.#total) return undefined
    throw new Transient('the ledger changed while it was read')
  }

  async #read(page: number): Promise<LedgerPage> {
    const answer = await this.#readPage(page)
    if (answer.totalEntries < this.#total) throw new Transient('the ledger lost entries while it was read')
    this.#total = answer.totalEntries
    return answer
  }
}

function dateOf({ entry: { createdAt } }: Pick<PlacedEntry, 'entry'>): number {
  return createdAt === null ? Number.NaN : Date.parse(createdAt)
}

/** In epoch ms. Some entries are dated long before they came, so a single date does not tell the order. */
function middleDate(entries: readonly AuditedEntry[]): number {
  const dates = entries.map((entry) => dateOf({ entry })).filter((atMs) => !Number.isNaN(atMs))
  return dates.sort((left, right) => left - right)[Math.floor(dates.length / 2)] ?? Number.NaN
}

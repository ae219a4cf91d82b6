// Lists of an asset's withdrawals that lack rows for some seconds, although the status is 200, as when an index is
// behind. A client can notice only if it has seen a missing row. So rows are missing only after they were listed and a
// later withdrawal of the asset was made, whose maker has seen them.
import { seededNumber } from '../seeded.ts'

/** Length of a spell, in service time. In each spell lists lack rows, or do not. */
const SPELL_MS = 10_000
const LACKING_ONE_IN = 4

/** Clients need not remember rows older than this. */
const KNOWN_FOR_MS = 47 * 3_600_000

interface Dated {
  readonly id: string
  readonly createdAtMs: number
}

export class LackingRows {
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

// Lists of an asset's withdrawals that lack rows for some seconds, and are answered with a 200 all the same: an index is
// behind. A client can notice that only where it has seen one of the missing rows. So a list lacks rows only where one of
// them was listed before a later withdrawal of the asset was made: whoever made that one had seen it.
import { seededNumber } from '../seeded.ts'

/** Within so much service time a list lacks rows, or does not. */
const SPELL_MS = 10_000
const LACKING_ONE_IN = 4

/** Of older rows nobody is expected to know. */
const KNOWN_FOR_MS = 47 * 3_600_000

interface Dated {
  readonly id: string
  readonly createdAtMs: number
}

export class LackingRows {
  readonly #seed: string
  /** By row: how many withdrawals there were when a list showed it first. */
  readonly #listed = new Map<string, number>()

  constructor(seed: string) {
    this.#seed = seed
  }

  /** `wanted`: rows of one asset that a whole list has, oldest first, out of `all` in the order in which they were made. */
  told<Row extends Dated>(wanted: readonly Row[], all: readonly Row[], nowMs: number): readonly Row[] {
    const newest = wanted.at(-1)
    const newestAt = newest === undefined ? -1 : all.indexOf(newest)
    const isSeen = ({ id, createdAtMs }: Row) =>
      createdAtMs > nowMs - KNOWN_FOR_MS && (this.#listed.get(id) ?? all.length) <= newestAt
    const spell = seededNumber(this.#seed, `lists at ${Math.floor(nowMs / SPELL_MS)}`)
    if (spell % LACKING_ONE_IN === 0 && wanted.some(isSeen)) {
      return Math.floor(spell / LACKING_ONE_IN) % 2 === 0 ? [] : wanted.filter((row) => !isSeen(row))
    }
    for (const { id } of wanted) if (!this.#listed.has(id)) this.#listed.set(id, all.length)
    return wanted
  }
}

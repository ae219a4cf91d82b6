// Random values by label: equal for the same seed and label, whatever was drawn before. A plan therefore stays the same
// when threads and sockets run in another order.
import { loadParts } from '@sluice/service-sandbox'

const { seededNumber } = await loadParts()

export class Draws {
  readonly #seed: string

  constructor(seed: number) {
    this.#seed = `wind tunnel ${seed}`
  }

  /** From 0 inclusive to 1 exclusive. */
  chance(label: string): number {
    return seededNumber(this.#seed, label) / 2 ** 32
  }

  /** A whole number from `least` to `most`. */
  whole(label: string, least: number, most: number): number {
    return least + Math.floor(this.chance(label) * (most - least + 1))
  }

  pick<Item>(label: string, items: readonly [Item, ...Item[]]): Item {
    return items[this.whole(label, 0, items.length - 1)] as Item
  }
}

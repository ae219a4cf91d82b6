// Remembers which keys a walk has seen, in 32 to 64 bytes for each: a digest in place of the text. So a walk over a million
// entries of a ledger fits a small function. Two keys are taken for one with a chance of 2^-127 for each pair.
import { hash } from 'node:crypto'

/** Words of 32 bits that are kept of a digest. */
const WORDS = 4
const FIRST_PLACES = 256

export class SeenKeys {
  #count = 0
  /** Open addressing: a key stands at the place that its first word names, or at the next free place. */
  #places = new Uint32Array(FIRST_PLACES * WORDS)

  get size(): number {
    return this.#count
  }

  /** Returns false for a key that was added before. */
  add(key: string): boolean {
    const digest = digestOf(key)
    const at = placeOf(this.#places, digest)
    if (!isFree(this.#places, at)) return false
    this.#places.set(digest, at)
    this.#count += 1
    // At most half of the places are taken, so that a search stays short.
    if (this.#count * WORDS * 2 > this.#places.length) this.#grow()
    return true
  }

  #grow(): void {
    const grown = new Uint32Array(this.#places.length * 2)
    for (let at = 0; at < this.#places.length; at += WORDS) {
      if (isFree(this.#places, at)) continue
      const digest = this.#places.subarray(at, at + WORDS)
      grown.set(digest, placeOf(grown, digest))
    }
    this.#places = grown
  }
}

function digestOf(key: string): Uint32Array {
  const bytes = hash('sha256', key, 'buffer')
  const digest = new Uint32Array(WORDS)
  for (let nth = 0; nth < WORDS; nth += 1) digest[nth] = bytes.readUInt32LE(nth * 4)
  // A free place is all zeros in its last word.
  digest[WORDS - 1] = (digest[WORDS - 1] ?? 0) | 1
  return digest
}

/** The place of the digest, or the free place where it would stand. */
function placeOf(places: Uint32Array, digest: Uint32Array): number {
  const count = places.length / WORDS
  let nth = (digest[0] ?? 0) % count
  while (!isFree(places, nth * WORDS) && !isAt(places, nth * WORDS, digest)) nth = (nth + 1) % count
  return nth * WORDS
}

function isFree(places: Uint32Array, at: number): boolean {
  return places[at + WORDS - 1] === 0
}

function isAt(places: Uint32Array, at: number, digest: Uint32Array): boolean {
  for (let nth = 0; nth < WORDS; nth += 1) if (places[at + nth] !== digest[nth]) return false
  return true
}

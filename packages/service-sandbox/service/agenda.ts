// Keeps items by due time, earliest first; at equal times, in the order of adding. It reads no clock: callers pass the
// time.

interface Appointment<T> {
  readonly atMs: number
  readonly item: T
}

export class Agenda<T> {
  /** Latest first, so that taking the earliest is a pop. */
  readonly #appointments: Appointment<T>[] = []

  add(atMs: number, item: T): void {
    let low = 0
    let high = this.#appointments.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#appointments[middle] as Appointment<T>).atMs > atMs) low = middle + 1
      else high = middle
    }
    this.#appointments.splice(low, 0, { atMs, item })
  }

  /** Takes the earliest item that is due at `nowMs`. */
  takeDue(nowMs: number): T | undefined {
    const next = this.#appointments.at(-1)
    if (next === undefined || next.atMs > nowMs) return undefined
    this.#appointments.pop()
    return next.item
  }
}

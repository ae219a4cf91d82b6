// Makes the ids of orders and withdrawals. A service may name each kind, count each kind (so that an order and a
// withdrawal may both be 1000001), or use random ids.
import type { IntentKind } from '../../core/contract/records.ts'
import type { Scheduler } from './scheduler.ts'

export type IdStyle = 'by kind' | 'counted' | 'random'

const FIRST = 1_000_001

export class MovementIds {
  readonly #style: IdStyle
  readonly #scheduler: Scheduler
  readonly #given = { convert: 0, withdraw: 0 }

  constructor(style: IdStyle, scheduler: Scheduler) {
    this.#style = style
    this.#scheduler = scheduler
  }

  next(kind: IntentKind): string {
    const count = this.#given[kind]
    this.#given[kind] += 1
    switch (this.#style) {
      case 'by kind':
        return kind === 'convert' ? this.#scheduler.newName('order') : `withdrawal-${count + 1}`
      case 'counted':
        return String(FIRST + count)
      case 'random':
        return scrambled(count * 2 + (kind === 'convert' ? 0 : 1))
    }
  }

  /** Whether ids are unique names, so that a state may treat an order's id as a name. */
  get areNames(): boolean {
    return this.#style === 'by kind'
  }

  text(): string {
    return this.areNames ? '' : `${this.#given.convert} ${this.#given.withdraw}`
  }
}

/** Returns a different id for each number. Two neighbouring ids may differ only in their case. */
function scrambled(number: number): string {
  const text = `x${(Math.imul((number >> 1) + 1, 0x9e3779b1) >>> 0).toString(36)}y`
  return number % 2 === 0 ? text : text.toUpperCase()
}

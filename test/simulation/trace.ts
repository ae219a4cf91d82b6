// The observations of a process since it was called. A deterministic process depends on them alone, so two worlds with
// equal observations continue in the same way.

/** An operation under way: its observations so far, until only its result counts. */
export class Trace {
  #noted: unknown[] = []
  #texts: string[] = []
  #timeMs: number | undefined

  /** Notes what the process asked for or learnt, in order. The value must not change afterwards. */
  note(seen: unknown): void {
    this.#noted.push(seen)
  }

  /** Notes a reading of the clock. An unchanged time adds nothing. */
  noteTime(ms: number): void {
    if (ms === this.#timeMs) return
    this.#timeMs = ms
    this.#noted.push(ms)
  }

  /** Begins an operation of the product's own code within this process, with separate observations. */
  begin(asked: unknown): Trace {
    const operation = new Trace()
    operation.note(asked)
    this.#noted.push(operation)
    return operation
  }

  /** Forgets the earlier observations, because nothing that continues remembers them. */
  restart(...seen: readonly unknown[]): void {
    this.#noted = [...seen]
    this.#texts = []
    this.#timeMs = undefined
  }

  text(): string {
    const texts = this.#texts
    for (let at = texts.length; at < this.#noted.length; at += 1) {
      const noted = this.#noted[at]
      // The observations of an operation still grow, so its text is never cached.
      if (noted instanceof Trace) return [...texts, ...this.#noted.slice(at).map(textOf)].join(';')
      texts.push(textOf(noted))
    }
    return texts.join(';')
  }
}

const known = new WeakMap<object, string>()

/** JSON, cached for frozen values. */
export function textOf(value: unknown): string {
  if (value instanceof Trace) return `(${value.text()})`
  if (value === undefined) return '-'
  if (value === null || typeof value !== 'object' || !Object.isFrozen(value)) return JSON.stringify(value)
  const kept = known.get(value)
  if (kept !== undefined) return kept
  const text = JSON.stringify(value)
  known.set(value, text)
  return text
}

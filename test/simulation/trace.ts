// What a process has observed since it was called. A deterministic process is a function of that,
// so two worlds whose processes have observed the same go on in the same way.

/** An operation under way: what it has observed so far, until only its result counts. */
export class Trace {
  #noted: unknown[] = []
  #texts: string[] = []
  #timeMs: number | undefined

  /** What the process asked for or was told, in the order in which it came. Never changed afterwards. */
  note(seen: unknown): void {
    this.#noted.push(seen)
  }

  /** What a look at the clock showed. One that shows nothing new tells the process nothing. */
  noteTime(ms: number): void {
    if (ms === this.#timeMs) return
    this.#timeMs = ms
    this.#noted.push(ms)
  }

  /** An operation of the product's own code within this process: its observations are noted apart. */
  begin(asked: unknown): Trace {
    const operation = new Trace()
    operation.note(asked)
    this.#noted.push(operation)
    return operation
  }

  /** What came before is forgotten: nothing that goes on remembers it. */
  restart(...seen: readonly unknown[]): void {
    this.#noted = [...seen]
    this.#texts = []
    this.#timeMs = undefined
  }

  text(): string {
    const texts = this.#texts
    for (let at = texts.length; at < this.#noted.length; at += 1) {
      const noted = this.#noted[at]
      // An operation goes on observing: its text is never kept.
      if (noted instanceof Trace) return [...texts, ...this.#noted.slice(at).map(textOf)].join(';')
      texts.push(textOf(noted))
    }
    return texts.join(';')
  }
}

const known = new WeakMap<object, string>()

/** JSON, kept for what is frozen. */
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

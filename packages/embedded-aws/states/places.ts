// How many executions may be between two invocations. AWS runs a thousand at once; here a few processors do. Were all of
// them to begin, each would get its quote, and the quote would expire while it waits for its turn to order.

/** More keep no processor busier. */
const PLACES = 16

/** The place of one execution. */
export interface Place {
  /** Resolves once there is one. Those that begin first come first. An execution that has left goes on without. */
  take(): Promise<void>
  /** It waits for the time or for others, or has come to its end: the next one may begin. */
  leave(): void
}

export class Places {
  readonly #waiting = new Set<() => void>()
  #free = PLACES

  /** For one execution, until it leaves. */
  forOne(): Place {
    let state: 'new' | 'waiting' | 'there' | 'left' = 'new'
    const turn = Promise.withResolvers<void>()
    const enter = () => {
      state = 'there'
      turn.resolve()
    }
    return {
      take: () => {
        if (state === 'new') {
          state = 'waiting'
          this.#waiting.add(enter)
          this.#letIn()
        }
        return turn.promise
      },
      leave: () => {
        if (state === 'there') this.#free += 1
        this.#waiting.delete(enter)
        state = 'left'
        turn.resolve()
        this.#letIn()
      },
    }
  }

  #letIn(): void {
    for (const enter of this.#waiting) {
      if (this.#free === 0) return
      this.#free -= 1
      this.#waiting.delete(enter)
      enter()
    }
  }
}

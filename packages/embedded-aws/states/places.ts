// Bounds how many executions may be between two invocations. AWS runs a thousand at once; here a few processors do. If
// all began together, the results of each first step could expire before its next step runs.

/** Maximum places. More would not use the processors better. */
const PLACES = 16

export interface Place {
  /**
   * Resolves when the execution has a place, in the order of first requests. An execution that has left continues
   * without one.
   */
  take(): Promise<void>
  /** Frees the place when the execution waits for time or for others, or has ended. */
  leave(): void
}

export class Places {
  readonly #waiting = new Set<() => void>()
  #free = PLACES

  /** Returns a place for one execution, until it leaves. */
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

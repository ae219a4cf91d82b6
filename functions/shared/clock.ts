// Time and chance as arguments, so that a simulation can own them.

export interface Clock {
  /** Milliseconds since the epoch, by this machine. */
  nowMs(): number
  /** Resolves after about `durationMs`. */
  sleep(durationMs: number): Promise<void>
}

/** Makes an unguessable id: a nonce, an owner. */
export type NewId = () => string

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  sleep: (durationMs) => new Promise((resolve) => setTimeout(resolve, durationMs)),
}

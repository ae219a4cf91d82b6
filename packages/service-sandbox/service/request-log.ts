// The requests that the sandbox has seen, newest last and bounded, without bodies or secrets.

const MOST_KEPT = 20_000
/** Of a path: more than any of the service's, so that what anybody sends does not fill the memory. */
const LONGEST_PATH = 1_000

export interface LoggedRequest {
  readonly at: string
  readonly method: string
  /** The target as sent, query included, and cut off after 1,000 characters. */
  readonly path: string
  /** 0 where the connection was dropped without an answer. */
  readonly status: number
  readonly code?: string
  readonly kid?: string
  readonly nonce?: string
  readonly faults?: readonly string[]
}

export class RequestLog {
  #requests: LoggedRequest[] = []
  #total = 0

  add(request: LoggedRequest): void {
    this.#total += 1
    // A slice alone would keep the whole text in memory.
    const isLong = request.path.length > LONGEST_PATH
    const kept = isLong ? { ...request, path: Buffer.from(request.path.slice(0, LONGEST_PATH)).toString() } : request
    this.#requests.push(kept)
    if (this.#requests.length >= 2 * MOST_KEPT) this.#requests = this.#requests.slice(-MOST_KEPT)
  }

  /** At most the last 20,000. */
  list(): readonly LoggedRequest[] {
    return this.#requests.slice(-MOST_KEPT)
  }

  /** All that there ever were. */
  get total(): number {
    return this.#total
  }
}

// Owns the list of requests that the sandbox has seen, newest last. It is bounded and holds no bodies or secrets.

/** Maximum number of requests that the list returns. */
const MOST_KEPT = 20_000
/** Maximum characters of a path, longer than any path of the service. It keeps senders from filling the memory. */
const LONGEST_PATH = 1_000

export interface LoggedRequest {
  readonly at: string
  readonly method: string
  /** The target as sent, with its query, cut off after 1,000 characters. */
  readonly path: string
  /** 0 when the connection was dropped without an answer. */
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

  /** Returns the last 20,000 requests at most. */
  list(): readonly LoggedRequest[] {
    return this.#requests.slice(-MOST_KEPT)
  }

  /** The number of requests ever added. */
  get total(): number {
    return this.#total
  }
}

// Bounds the connections on which no request has shown a good key. Above the bound the oldest of them is closed, so
// a caller with many connections cannot block the others.
import type { Socket } from 'node:net'

/** Maximum number of connections without a good key. */
const MOST_UNKNOWN = 256

export class Connections {
  readonly #unknown = new Set<Socket>()

  /** Counts a new connection. */
  admit(socket: Socket): void {
    const [oldest] = this.#unknown
    if (oldest !== undefined && this.#unknown.size >= MOST_UNKNOWN) {
      this.#unknown.delete(oldest)
      oldest.destroy()
    }
    this.#unknown.add(socket)
    socket.once('close', () => this.#unknown.delete(socket))
  }

  /** Keeps a connection whose caller has shown a good key. */
  keep(socket: Socket): void {
    this.#unknown.delete(socket)
  }
}

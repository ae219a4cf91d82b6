// Bounds the connections on which no request has shown a good key. Above the bound the oldest of them is closed, so
// nobody can shut others out by holding many.
import type { Socket } from 'node:net'

/** Maximum number of connections without a good key. */
const MOST_STRANGERS = 256

export class Connections {
  readonly #strangers = new Set<Socket>()

  /** Counts a new connection. */
  admit(socket: Socket): void {
    const [oldest] = this.#strangers
    if (oldest !== undefined && this.#strangers.size >= MOST_STRANGERS) {
      this.#strangers.delete(oldest)
      oldest.destroy()
    }
    this.#strangers.add(socket)
    socket.once('close', () => this.#strangers.delete(socket))
  }

  /** Keeps a connection whose caller has shown a good key. */
  keep(socket: Socket): void {
    this.#strangers.delete(socket)
  }
}

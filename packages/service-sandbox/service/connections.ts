// How many connections are kept of which no request has shown a good key. Where there are too many, the oldest of them
// makes room, so that nobody can shut the others out by holding many.
import type { Socket } from 'node:net'

const MOST_STRANGERS = 256

export class Connections {
  readonly #strangers = new Set<Socket>()

  /** A connection that has just been made. */
  admit(socket: Socket): void {
    const [oldest] = this.#strangers
    if (oldest !== undefined && this.#strangers.size >= MOST_STRANGERS) {
      this.#strangers.delete(oldest)
      oldest.destroy()
    }
    this.#strangers.add(socket)
    socket.once('close', () => this.#strangers.delete(socket))
  }

  /** Its caller has shown a good key: it stays. */
  keep(socket: Socket): void {
    this.#strangers.delete(socket)
  }
}

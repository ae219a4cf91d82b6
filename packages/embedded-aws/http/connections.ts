// How many connections a server keeps of which it does not know whose they are. Where there are too many, the one
// that has been silent about it for longest makes room, so that nobody can shut the others out by holding many.
import type { Socket } from 'node:net'

/** Enough for all workers of an assembly that connect at the same moment. */
export const MOST_STRANGERS = 256

export class Connections {
  readonly #strangers = new Set<Socket>()

  /** A connection that has just been made. */
  admit(socket: Socket): void {
    socket.once('close', () => this.#strangers.delete(socket))
    this.release(socket)
  }

  /** It may stay: it is known, or it is being answered. */
  keep(socket: Socket): void {
    this.#strangers.delete(socket)
  }

  /** It is one of many again. */
  release(socket: Socket): void {
    if (socket.destroyed) return
    const [oldest] = this.#strangers
    if (oldest !== undefined && this.#strangers.size >= MOST_STRANGERS) {
      this.#strangers.delete(oldest)
      oldest.destroy()
    }
    this.#strangers.add(socket)
  }
}

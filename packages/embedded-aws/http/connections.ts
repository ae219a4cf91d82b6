// Bounds the connections whose owner is unknown. Above the bound, the connection that has been unknown longest is
// closed, so nobody can shut others out by holding many.
import type { Socket } from 'node:net'

/** Maximum unknown connections. Enough for all workers of an assembly that connect at the same moment. */
export const MOST_UNKNOWN_CONNECTIONS = 256

export class Connections {
  readonly #unknown = new Set<Socket>()

  /** Counts a new connection. */
  admit(socket: Socket): void {
    socket.once('close', () => this.#unknown.delete(socket))
    this.release(socket)
  }

  /** Keeps a connection that is known, or is being answered. */
  keep(socket: Socket): void {
    this.#unknown.delete(socket)
  }

  /** Counts a connection as unknown again. */
  release(socket: Socket): void {
    if (socket.destroyed) return
    const [oldest] = this.#unknown
    if (oldest !== undefined && this.#unknown.size >= MOST_UNKNOWN_CONNECTIONS) {
      this.#unknown.delete(oldest)
      oldest.destroy()
    }
    this.#unknown.add(socket)
  }
}

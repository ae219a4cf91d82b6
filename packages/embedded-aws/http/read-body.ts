// Reads the body of a request whole, within bounds. A larger body is discarded as it arrives, up to a second bound, so
// that its sender can read the refusal.
import type { IncomingMessage } from 'node:http'

/** Maximum bytes of a too large body that are discarded. Above it the connection is closed. */
const MOST_DISCARDED_BYTES = 16 * 1024 * 1024

export type ReadBody = Buffer | 'too-large' | 'too-many'

/** Maximum bytes that all requests of a server may hold together. */
export class ByteBudget {
  #left: number

  constructor(bytes: number) {
    this.#left = bytes
  }

  take(bytes: number): boolean {
    if (bytes > this.#left) return false
    this.#left -= bytes
    return true
  }

  giveBack(bytes: number): void {
    this.#left += bytes
  }
}

/** Reads a body. The bytes of a returned body stay taken from the budget; all others are given back. */
export function readBody(request: IncomingMessage, limitBytes: number, budget?: ByteBudget): Promise<ReadBody> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = []
    let keptBytes = 0
    let size = 0
    let refusal: 'too-large' | 'too-many' | undefined
    const drop = () => {
      budget?.giveBack(keptBytes)
      keptBytes = 0
      chunks = []
    }
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (refusal === undefined) {
        if (size > limitBytes) refusal = 'too-large'
        else if (budget !== undefined && !budget.take(chunk.length)) refusal = 'too-many'
      }
      if (refusal !== undefined) {
        drop()
        if (size > limitBytes + MOST_DISCARDED_BYTES) request.destroy()
        return
      }
      keptBytes += chunk.length
      chunks.push(chunk)
    })
    let isWhole = false
    request.on('end', () => {
      isWhole = true
      resolve(refusal ?? Buffer.concat(chunks))
    })
    // The sender has gone, was too slow, or has sent far too much.
    request.on('error', () => undefined)
    request.on('close', () => {
      if (isWhole) return
      drop()
      reject(new Error('the request was incomplete'))
    })
  })
}

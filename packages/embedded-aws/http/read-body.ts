// Reads the body of a request whole, within bounds. A body beyond them is thrown away as it comes, up to a second
// bound, so that whoever sends it can read why it was refused.
import type { IncomingMessage } from 'node:http'

/** Of a body that is too large. Beyond it the connection is closed. */
const MOST_DISCARDED_BYTES = 16 * 1024 * 1024

export type ReadBody = Buffer | 'too-large' | 'too-many'

/** Bytes that all requests of a server together may have in memory. */
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

/** What it has taken of the budget it gives back itself, but for that of a body that it returns. */
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
    // Whoever sent it has gone, was too slow, or has sent far too much.
    request.on('error', () => undefined)
    request.on('close', () => {
      if (isWhole) return
      drop()
      reject(new Error('the request did not come to its end'))
    })
  })
}

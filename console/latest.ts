// Keeps the last answer of a slow source for pages. However many pages ask, the source is asked once at a time, and seldom.
import type { Clock } from '../core/clock.ts'

/** Time that a page waits for an answer before it is shown with the last one. In milliseconds. */
const PATIENCE_MS = 1_000

interface Source<Data> {
  /** Never rejects. */
  readonly read: () => Promise<Data>
  /** The data of a page before the first answer. */
  readonly unanswered: () => Data
  /** An answer this young is shown again. In milliseconds. */
  readonly freshMs: number
}

/** Returns a function that resolves with an answer that is fresh, or else with the last one after PATIENCE_MS. */
export function createLatest<Data>({ read, unanswered, freshMs }: Source<Data>, clock: Clock): () => Promise<Data> {
  let last: { readonly atMs: number; readonly data: Data } | undefined
  let reading: Promise<Data> | undefined
  const readNow = async () => {
    const data = await read()
    last = { atMs: clock.nowMs(), data }
    reading = undefined
    return data
  }
  return async () => {
    if (last !== undefined && Math.abs(clock.nowMs() - last.atMs) < freshMs) return last.data
    reading ??= readNow()
    return Promise.race([reading, clock.sleep(PATIENCE_MS).then(() => last?.data ?? unanswered())])
  }
}
